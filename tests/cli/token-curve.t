#!/bin/sh
# token-curve: the drop is that of nmt-score on sentences in which <unk> stands for the deleted tokens, in
# the order of relevance.src; random orders and threads; inputs that do not fit together.
. "$HEED_TOP/tests/lib.sh"
plan 24

perl -e 'srand 5; my @w = qw(a the red old dog cat man house runs sees likes of in);
	for (1 .. 24) { print join(" ", map { $w[rand @w] } 1 .. 3 + rand 6), "\n" }' > s
rev s > t
cat s t | bpe-learn --text -q --merges 30 > codes
heed-pack s t | bpe-apply -c codes > in.heed
nmt-train -q --size tiny -c codes --updates 60 --batch-tokens 300 --lr 0.003 --schedule constant -o model.tar in.heed
head -n 6 s > s.dev
head -n 6 t > t.dev; heed-pack s.dev t.dev | bpe-apply -c codes > dev.heed
for rule in alti attnlrp; do head-lrp -q -m model.tar --target ref --tokens --rule $rule -o $rule.heed dev.heed; done

# --- against nmt-score ---
# edit.pl POINTS POINT: for each position, the source without the deleted tokens, and the target up to this
# position, with the predicted token instead of that of the reference
cat > edit.pl <<'END'
use strict; use warnings; use JSON::PP;
my ($points, $point) = @ARGV;
open my $index, '>', 'index' or die;
while (<STDIN>) {
	next unless /^\{/;
	my $r = decode_json($_);
	my @m = @{$r->{'relevance.src'}};
	my @src = @{$r->{'src.pieces'}}, my @tgt = @{$r->{'tgt.pieces'}}, my @best = @{$r->{'relevance.best'}};
	for my $t (0 .. $#m) {
		my $n = int((@src * $point + $points / 2) / $points);
		my @order = sort { $m[$t][$b] <=> $m[$t][$a] || $a <=> $b } 0 .. $#src;
		my @cut = @src;
		$cut[$_] = '<unk>' for @order[0 .. $n - 1];
		my @said = (@tgt[0 .. $t - 1], $best[$t] eq '</s>' ? () : $best[$t]);
		print encode_json({ 'src.pieces' => \@cut, 'tgt.pieces' => \@said }), "\n";
		print $index "$t\n";
	}
}
END
drop() {	# POINT: the mean log-probability of the chosen tokens, by nmt-score
	heed-show alti.heed | perl edit.pl 4 "$1" > lines
	{ echo '["heed",1,"sentence",{"fields":{"src.pieces":"[str]","tgt.pieces":"[str]"}}]'; cat lines
	  echo "[\"heed-end\",$(wc -l < lines)]"; } | heed-pack -j | nmt-score -q -m model.tar 2> /dev/null |
		heed-show -f score.tokens | tr -d "[]" | paste index - |
		awk -F '\t' '{ split($2, x, ","); sum += x[$1 + 1]; n++ } END { printf "%.6f\n", sum / n }'
}
token-curve -q -m model.tar --points 4 --positions 1000 --random 3 --to tsv alti.heed attnlrp.heed > table 2> err; r=$?
say $r 'a curve for each method and random order'; that $r = 0 || sed 's/^/# /' err
cut -f 1 table | uniq -c | awk '{ print $2, $1 }' | paste -s -d , | matches -x 'order 1,alti 5,attnlrp 5,random.1 5,random.2 5,random.3 5'
say $? '... with all points'
awk '$1 == "alti" { print $2 }' table | paste -s -d ' ' | matches -x '100 75 50 25 0'; say $? 'points are percentages of retained tokens'
whole=$(drop 0)
for point in 1 2 3 4; do
	now=$(drop $point)
	awk -v p=$point -v whole="$whole" -v now="$now" '$1 == "alti" && k++ == p { d = $3 - (whole - now); found = 1 }
		END { exit !(found && d < 2e-5 && d > -2e-5) }' table; r=$?
	say $r "the drop at point $point is that of nmt-score"
	[ $r = 0 ] || { echo "# nmt-score $whole - $now"; grep alti table | sed 's/^/# /'; }
done
computes '$2 == 0 { if (last != "" && ($3 - last) ^ 2 > 1e-10) bad = 1; last = $3 } END { exit bad || last == "" }' table
say $? 'all curves end at the same drop, without any token'

# --- seeds, threads, streams ---
# The first order of seed 2 is the second of seed 1.
token-curve -q -m model.tar --points 4 --positions 1000 --random 1 --seed 2 --to tsv alti.heed | grep '^random' | cut -f 2- > a
grep '^random.2' table | cut -f 2- > b; that -s a && equals a b; say $? 'a random order depends on its seed'
for k in 1 2; do token-curve -q --no-pg -t $k -m model.tar --random 2 alti.heed attnlrp.heed > $k.curve; done
equals 1.curve 2.curve; say $? 'two threads give the same curves'
heed-show 1.curve | matches -F '["heed-note","sentences","6"]' && heed-show 1.curve | matches -F '["heed-note","positions","24"]'
say $? 'notes: sentences and positions'
curve-compare 1.curve | computes - -F '\t' '$2 == "alti" { found = $1 == "drop" && $3 == 1 } END { exit !found }'
say $? 'curve-compare reads it'
heed-show -H 1.curve | matches -F '"signature":"heed|what:deletion|target:ref|positions:4|sentences:6|version:'; say $? 'the signature has the settings'
token-curve -q -m model.tar --positions 2 --random 2 -o 3.curve alti.heed attnlrp.heed; curve-compare 1.curve 3.curve > found 2> err
matches -F '3.curve: measures with positions:2 and not positions:4 as before' err; say $? '... and curve-compare warns of others'
curve-compare --to plot 1.curve | runs heed-plot -o drop.svg; say $? 'heed-plot draws it'

# --- errors ---
exits 2 'the same method twice' token-curve -m model.tar alti.heed alti.heed
exits 3 'a stream without attributions' token-curve -m model.tar dev.heed
nmt-train -q --size tiny -c codes --updates 1 --seed 2 -o other.tar in.heed
exits 3 'attributions of another model' token-curve -m other.tar alti.heed
matches "alti.heed: attributions of the model [0-9a-f]*, expected [0-9a-f]*, the given one" err; say $? '... the message says so'
head-lrp -q -m model.tar --target any --tokens --rule chefer -o any.heed dev.heed
exits 2 'attributions of another target' token-curve -m model.tar alti.heed any.heed
heed-sample -n 3 -o few.heed attnlrp.heed
exits 3 'attributions of other sentences' token-curve -m model.tar alti.heed few.heed
head-lrp -q -m model.tar --target ref --tokens --rule attnlrp --against '</s>' -o against.heed dev.heed
exits 3 'contrastive attributions' token-curve -m model.tar against.heed
matches 'hint: run head-lrp without --against' err; say $? '... the message says what to do'

# --- an empty source has no attributions ---
sed 2s/.*// s.dev > s.gap; heed-pack s.gap t.dev | bpe-apply -c codes > gap.heed
sed 2d s.dev > s.less; sed 2d t.dev > t.less; heed-pack s.less t.less | bpe-apply -c codes > less.heed
for f in gap less; do
	head-lrp -q -m model.tar --target ref --tokens --rule alti $f.heed | token-curve -q -m model.tar --positions 1000 --to tsv > $f.table
done
that -s gap.table && equals gap.table less.table; say $? 'a sentence with an empty source is left out'
