#!/bin/sh
# head-stat: every measure equals that of a slow program over the weights that nmt-score prints, for
# all units, targets and sources of counts; wrong options and inputs are refused.
. "$HEED_TOP/tests/lib.sh"
. "$HEED_TOP/tests/grammar.sh"

grammar 16
nmt-train -q --precision fp32 --size tiny -c codes --updates 10 -s 3 -o model.tar s.heed
nmt-score -q -m model.tar --attention-weights s.heed | heed-show > weights
tar xOf model.tar vocab/src > types
awk '{ print $1, 1 + (NR * 7) % 11 }' types > counts

# An independent implementation of the measures: JSON weights on standard input; arguments are the
# ranks of tokens, unit, average and the number of frequent entries.
cat > slow.pl <<'EOF'
use strict;
my ($ranks, $unit, $average, $frequent) = @ARGV;
my (%rank, %s, %tree, %at, $treeless);
open my $f, '<', $ranks or die;
while (<$f>) { my ($type, $rank) = split; $rank{$type} = $rank }
my %name = (nsubj => 'nsubj', obj => 'dobj', amod => 'amod', advmod => 'advmod');

sub best { my ($x) = @_; my $b = -1; for (0 .. $#$x) { $b = $_ if $x->[$_] > ($b < 0 ? 0 : $x->[$b]) } return $b }

# The matrix of words, by the unit.
sub words {
	my ($w, $word, $n) = @_;
	my @m = map { [(0) x $n] } 1 .. $n;
	for my $i (0 .. $#$word) {
		my $count = grep { $_ == $word->[$i] } @$word;
		for my $j (0 .. $#$word) {
			my @end = map { $unit eq 'first' ? $_ == 0 || $word->[$_ - 1] != $word->[$_]
				: $unit eq 'last' ? $_ == $#$word || $word->[$_ + 1] != $word->[$_] : 1 } $i, $j;
			$m[$word->[$i]][$word->[$j]] += $w->[$i][$j] / ($unit eq 'word' ? $count : 1) if $end[0] && $end[1];
		}
	}
	return \@m;
}

<STDIN>;
while (<STDIN>) {
	last if /^\["heed-end/;
	s/"/'/g; s/':/'=>/g;		# JSON is almost Perl
	my $r = eval $_ or die;
	my ($n, $t) = (scalar @{$r->{'src.pieces'}}, scalar @{$r->{'tgt.pieces'}});
	my $word = $r->{'src.word'};
	my @heads = @{$r->{'src.heads'} || []};
	my @arcs;
	for my $i (0 .. $#heads) {
		my $rel = $name{$r->{'src.rels'}[$i]};
		my @pieces = map { my $k = $_; scalar grep { $_ == $k } @$word } $i, $heads[$i] - 1;
		next if !$rel || !$heads[$i] || ($unit eq 'unsplit' && ($pieces[0] > 1 || $pieces[1] > 1));
		push @arcs, [$rel, $i, $heads[$i] - 1];
		$tree{$rel}++;
		my @first = map { my $k = $_; (grep { $word->[$_] == $k } 0 .. $#$word)[0] } $i, $heads[$i] - 1;
		$at{$rel}{$unit eq 'unsplit' ? $first[1] - $first[0] : $heads[$i] - 1 - $i}++;
	}
	my @rank = map { defined $rank{$_} ? $rank{$_} : $rank{''} } @{$r->{'src.pieces'}};
	my @rare = sort { $rank[$b] <=> $rank[$a] || $a <=> $b } 0 .. $#rank;
	for my $site (grep { /^att\./ } keys %$r) {
		my ($where, $layer) = $site =~ /^att\.(.*)\.(\d+)/;
		my ($rows, $columns) = $where eq 'enc-self' ? ($n, $n) : $where eq 'cross' ? ($t, $n) : ($t, $t);
		for my $h (0 .. $#{$r->{$site}}) {
			my $s = $s{"$where $layer " . ($h + 1)} ||= {};
			my $w = $r->{$site}[$h];
			my $sum = 0;
			for my $i (0 .. $rows - 1) {
				my @x = @{$w->[$i]}[0 .. $columns - 1];
				my $b = best(\@x);
				$sum += $x[$b];
				$s->{rows}++;
				$s->{entropy} -= $_ > 0 ? $_ * log $_ : 0 for @{$w->[$i]};
				for (0 .. $#x) { $s->{distance} += $x[$_] * abs($_ - $i); $s->{weight} += $x[$_] }
				for my $o (-5 .. 5) {
					my $in = $i + $o >= 0 && $i + $o < $columns && !($where eq 'dec-self' && $o > 0);
					$s->{chance}{$o} += $in;
					$s->{hit}{$o} += $in && $b == $i + $o;
				}
				if ($where eq 'enc-self' && $layer == 1 && $rank[$rare[0]] >= $frequent) {
					$s->{rare_rows}++;
					$s->{rare} += $b == $rare[0];
					$s->{rare2} += $b == $rare[0] || $b == $rare[1];
				}
			}
			$s->{confidence} += $average eq 'token' ? $sum : $sum / $rows;
			$s->{n} += $average eq 'token' ? $rows : 1;
			next if $where ne 'enc-self' || !@arcs;
			my $m = $unit eq 'unsplit' ? undef : words($w, $word, scalar @heads);
			for my $arc (@arcs) {
				my ($rel, @end) = @$arc;
				for my $way (0, 1) {
					my $to = $end[1 - $way];
					my @x = $m ? @{$m->[$end[$way]]}
						: @{$w->[(grep { $word->[$_] == $end[$way] } 0 .. $#$word)[0]]}[0 .. $n - 1];
					my $b = best(\@x);
					$b = $word->[$b] unless $m;
					$s->{syntax}{$rel}[$way] += $b == $to;
				}
			}
		}
	}
}
for my $head (sort keys %s) {
	my $s = $s{$head};
	my $put = sub { print join("\t", $head, @_), "\n" };
	$put->('confidence', $s->{confidence} / $s->{n});
	$put->('entropy', $s->{entropy} / $s->{rows});
	$put->('distance', $s->{distance} / $s->{weight});
	my ($offset) = sort { $s->{hit}{$b} <=> $s->{hit}{$a} || abs $a <=> abs $b || $a <=> $b } -5 .. 5;
	$put->('offset', $offset);
	$put->('positional', $s->{hit}{$offset} / $s->{chance}{$offset});
	for my $o (-5 .. 5) { $put->("offsets.$o", $s->{hit}{$o} / $s->{chance}{$o}) if $s->{chance}{$o} }
	for my $rel ($head =~ /^enc/ ? sort keys %tree : ()) {
		my ($most) = sort { $b <=> $a } values %{$at{$rel}};
		$put->("syntax.$rel.base", $most / $tree{$rel});
		$put->("syntax.$rel.dep", ($s->{syntax}{$rel}[0] || 0) / $tree{$rel});
		$put->("syntax.$rel.head", ($s->{syntax}{$rel}[1] || 0) / $tree{$rel});
	}
	if ($s->{rare_rows}) { $put->($_, $s->{$_} / $s->{rare_rows}) for 'rare', 'rare2' }
}
EOF
# long TABLE: head, measure, value; without missing values and text
long() {
	awk -F '\t' 'NR == 1 { for (i = 4; i <= NF; i++) name[i] = $i; next }
		{ for (i = 4; i <= NF; i++) if ($i != "-" && name[i] != "role")
			print $1 " " $2 " " $3 "\t" name[i] "\t" $i }' "$1" | sort
}
# alike: whether slow and found have the same measures of the same heads
alike() {
	sort slow > slow.sorted
	cut -f 1,2 slow.sorted > a; cut -f 1,2 found > b
	equals a b && paste slow.sorted found |
		computes - -F '\t' '{ d = $3 - $6; if (d > 2e-5 || d < -2e-5) bad = 1 }
		END { exit bad || NR < 200 }'
}
# check 'what' RANKS UNIT AVERAGE FREQUENT OPTION...
check() {
	what=$1 ranks=$2 unit=$3 average=$4 frequent=$5; shift 5
	perl slow.pl "$ranks" "$unit" "$average" "$frequent" < weights > slow
	head-stat -q -m model.tar --unit "$unit" --confidence "$average" --frequent "$frequent" \
		--to tsv "$@" s.heed > table.tsv
	long table.tsv > found
	alike; say $? "$what"
}

plan 110

# Tokens by rank, unknown ones under an empty name: in the order of the vocabulary, and by counts.
awk '{ print $1, NR - 1 } END { print " " (NR + 4) }' types > by-order
awk 'NR == FNR { n[$2]++; next } { k = 0; for (c in n) if (c + 0 > $2) k += n[c]; print $1, k }
	END { print " " FNR }' counts counts > by-counts
sed -i 's/^ /\t/' by-order by-counts
check 'all measures' by-order word token 20
check '... with unit first, average sentence and --counts' by-counts first sentence 12 --counts counts
check '... with unit last and no frequent entries' by-order last token 0
check '... with unit unsplit' by-counts unsplit token 30 --counts counts
grep -c 'syntax.nsubj.dep' found | { read -r n; that "$n" = 8; }; say $? 'only encoder heads have syntactic measures'
grep -c 'rare2' found | { read -r n; that "$n" = 4; }; say $? 'only those of the first layer have measures of rare words'

# --- the stream ---
head-stat -q -m model.tar --frequent 20 s.heed > heads.heed 2> err
runs heed-check heads.heed > /dev/null; say $? 'the stream is complete'
that ! -s err; say $? '... without a warning'
heed-show heads.heed | perl -MJSON::PP -e '<>; while (<>) { next if /^\[/; my $r = decode_json($_);
	for (keys %$r) { printf "%s %d %d\t%s\t%.9g\n", @$r{qw(site layer head)}, $_, $r->{$_} unless /^(site|layer|head|role)$/ } }' | sort > found
head-stat -q -m model.tar --frequent 20 --to tsv s.heed > table.tsv
long table.tsv > slow
alike; say $? '... with the values of the table'
heed-show heads.heed | grep -c '^{' | { read -r n; that "$n" = 24; }; say $? 'a record for each head'
heed-show heads.heed | matches -F '["heed-note","sentences.treeless","1"]'
say $? 'notes count sentences without a tree'
heed-show heads.heed | runs grep \
	-E '\["heed-note","syntax.dobj","[0-9]+ arcs, base 0\.[0-9]* at -[0-9]"\]' > /dev/null
say $? '... and dependencies'
head-stat -q -v -m model.tar --to md s.heed 2> err | sed '/^`heed|/d' > table.md
matches '^head-stat: sentences: 16$' err; say $? '-v prints the notes'
head -n 2 table.md | tail -n 1 | matches '^| --- | ---: |' && that "$(wc -l < table.md)" = 27
say $? '--to md: a Markdown table'
head-stat -q -m model.tar --to latex s.heed > table.tex
sed 's/ *| */ | /g; s/^ | //; s/ | $//' table.md | sed '2d; /^$/d' | tr -d ' ' > want
sed -n '/&/{s/ *\\\\$//; s/\$-\$/-/g; s/\\_/_/g; s/&/|/g; p}' table.tex | tr -d ' ' | equals - want && matches -x '.begin{tabular}{lrr[lr]*}' table.tex &&
    grep -v '^%' table.tex | tail -n 1 | matches -xF '\end{tabular}'; say $? '--to latex: the same table'
head-stat -q -m model.tar -t 2 --no-pg s.heed > two.heed
head-stat -q -m model.tar --no-pg s.heed | equals - two.heed
say $? 'two threads give the same bytes'
head-stat -q -m model.tar --no-pg - < s.heed | equals - two.heed
say $? 'the input can be a pipe'
head-stat -q -m model.tar --to tsv --batch-tokens 1 s.heed > one.tsv
long one.tsv > slow
head-stat -q -m model.tar --to tsv s.heed > table.tsv
long table.tsv > found
alike; say $? 'the results do not depend on batches'

# --- targets ---
nmt-translate -q --precision fp32 -m model.tar --beam 1 s.heed > hyp.heed
head-stat -q -m model.tar --to tsv --target ref hyp.heed | equals - table.tsv
say $? '--target ref: the target is the reference'
head-stat -q -m model.tar --to tsv --target hyp hyp.heed > hyp.tsv
heed-show hyp.heed | perl -MJSON::PP -ne 'next if /^\["heed-end/; my $r = decode_json($_);
	for my $m (ref $r eq "HASH" ? $r : $r->[3]{fields}) {
		delete $m->{$_} for "tgt.word", "hyp.score"; $m->{"tgt$_"} = delete $m->{"hyp$_"} for "", ".pieces" }
	print encode_json($r), "\n"; END { print "[\"heed-end\",16]\n" }' | heed-pack -j > as.heed
head-stat -q -m model.tar --to tsv as.heed | equals - hyp.tsv; say $? '--target hyp: the target is the translation'
runs head-stat -q -m model.tar hyp.heed -o any.heed && head-compare --table any.heed | equals - hyp.tsv
say $? '... which is the default for sentences with a translation'
heed-show any.heed | matches '"targets.hyp","16"' && head-stat -q -m model.tar s.heed | heed-show |
	matches '"targets.hyp","0"'
say $? '... and a note has the number of such sentences'
heed-pack --no-pg s.tokens | bpe-apply -c codes > source.heed
head-stat -q -m model.tar --to tsv source.heed > source.tsv
that "$(cut -f 1 source.tsv | sort -u | tr '\n' ' ')" = 'enc-self site '
say $? 'without a target only the encoder is measured'
head -n 9 table.tsv | cut -f 1-7 > a; cut -f 1-7 source.tsv | equals - a
say $? '... with the same values'
lacks syntax source.tsv; say $? 'without trees there are no syntactic measures'
printf '\n\n' | heed-pack --no-pg - | bpe-apply -c codes |
	head-stat -q -m model.tar --to tsv > none.tsv
that "$(head -n 1 none.tsv)" = 'site	layer	head' && that "$(wc -l < none.tsv)" = 9
say $? 'empty sentences give no measures and no roles'

# --- relations ---
head-stat -q -m model.tar --relations subject=nsubj,all=nsubj:pass+obj+amod --to tsv s.heed 2> err
matches 'nsubj:pass is counted twice' err; say $? 'a relation is counted under one name only'
for list in obj,light=obj:lvc light=obj:lvc,obj any=obj:lvc+obj; do
	exits 2 "... in either order: $list" "head-stat -q -m model.tar --relations $list -o x.heed s.heed"
	matches 'obj:lvc is counted twice' err; say $? '... which the message names'
done
exits 0 '... which a similar name is not' 'head-stat -q -m model.tar --relations obj,objx -o x.heed s.heed'
head-stat -q -m model.tar --relations 'noun=obj+nsubj' -v --to tsv s.heed 2> err > noun.tsv
awk -F '\t' '!NF { n++ } n != 2 && ($8 == "nsubj" || $8 == "obj") { k++ }
	END { print k }' s.conllu > n
matches "syntax.noun: $(cat n) arcs" err; say $? 'several relations are counted under one name'
head-stat -q -m model.tar --relations nsubj,nosuch,none=at+all -o x.heed s.heed 2> err
printf 'head-stat: warning: 15 trees have no arcs of nosuch, none; select others with %s\n' \
	'--relations' | equals - err; say $? 'a warning names relations that no sentence has'
sed 's/nsubj/suj/; s/amod/mod/; s/advmod/mod/' trees > some
sed 's/	[a-z:]*	_	_$/	dep	_	_/' trees > other
for labels in some other; do
	heed-pack --no-pg s.tokens t.tokens | conllu2heed --no-pg -p $labels 2> /dev/null |
		bpe-apply --no-pg -c codes | head-stat -q -m model.tar -o x.heed 2> err-$labels
done
that ! -s err-some && matches 'have no arcs of nsubj, dobj, amod, advmod;' err-other
say $? '... of the default relations only if all are missing'
sed 's/obj/obj:dir/' trees > sub
heed-pack --no-pg s.tokens t.tokens | conllu2heed --no-pg -p sub 2> /dev/null |
	bpe-apply --no-pg -c codes | head-stat -q -m model.tar --to tsv > found.tsv
equals found.tsv table.tsv; say $? 'subtypes count with their relation'

# --- losses ---
head-stat -q -m model.tar --measure ablation,gradient --batch-tokens 60 --to tsv s.heed > losses.tsv
# field NAME TABLE: that column
field() { awk -F '\t' -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) k = i;
	next } { print $k }' "$2"; }
total() { nmt-score -q "$@" s.heed | heed-show -f score,score.tokens | tr -d '[]' |
	awk -F '\t' '{ sum += $1; n += split($2, x, ",") } END { printf "%.9f\n", -sum / n }'; }
# ablated MODEL TABLE: compares some heads of the table with nmt-score --mask-heads
ablated() {
	whole=$(total -m "$1")
	for head in enc-self.1:2 enc-self.2:4 dec-self.1:1 dec-self.2:3 cross.1:3 cross.2:4; do
		echo "$(total -m "$1" --mask-heads "$head") $whole"
	done | awk '{ print $1 - $2 }' > expected
	field ablation "$2" | sed -n '2p;8p;9p;15p;19p;24p' | paste - expected |
		computes - '{ d = $1 - $2; if (d > 2e-5 || d < -2e-5) bad = 1
		if ($2 * $2 > 1e-8) seen = 1 } END { exit bad || !seen || NR != 6 }'
}
ablated model.tar losses.tsv
say $? 'ablation is the difference of the losses of nmt-score with the head masked and without'
for out in on off; do
	nmt-train -q --size tiny -c codes --updates 10 --lr 0.01 --warmup 0 -s 3 -o joined.tar \
		-a head-importance:enc=2,dec=2,cross=2,keep_out=$out s.heed
	head-stat -q -m joined.tar --measure ablation --batch-tokens 60 --to tsv s.heed > joined.tsv
	ablated joined.tar joined.tsv
	say $? "... also with head-importance and keep_out=$out"
done
field gradient losses.tsv > a; field gradient.raw losses.tsv > b
paste a b | computes - '{ n = int((NR - 1) / 4); s[n] += $1 * $1; r[n] += $2 * $2; x[NR] = $1; y[NR] = $2 }
	END { for (i = 1; i <= NR; i++) { n = int((i - 1) / 4); d = x[i] - y[i] / sqrt(r[n]);
	if (d * d > 1e-8 || y[i] <= 0) bad = 1 }
	for (i in s) if ((s[i] - 1) ^ 2 > 1e-8) bad = 1; exit bad || NR != 24 }'
say $? 'gradients are positive, and their norm is 1 in each layer'
cut -f 1-20 losses.tsv > a; cut -f 1-20 table.tsv > b
long a > slow; long b > found
alike; say $? '... and the other measures are unchanged'

# --- further measures ---
head-stat -q -m model.tar --measure fisher,norm,saliency,shapley,gradient --permutations 3 --to tsv s.heed > more.tsv
for measure in fisher norm saliency; do
	field $measure more.tsv | computes - '!($1 > 0) { bad = 1 } END { exit bad || NR != 24 }'
	say $? "$measure is positive"
done
field gradient more.tsv > a; field gradient losses.tsv | equals - a; say $? '... gradients do not depend on the other measures'
all=$(total -m model.tar --mask-heads all) whole=$(total -m model.tar)
field shapley more.tsv | computes - -v all=$all -v whole=$whole '{ sum += $1 } END { d = sum - (all - whole); exit !(d ^ 2 < 1e-10 && all != whole) }'
say $? 'Shapley values sum to the loss without heads minus the loss'
# The losses of nmt-score with heads masked, for each retained head, in each step.
head-stat -q -m model.tar --measure greedy s.heed | heed-show -f site,layer,head,greedy | sort -n -k 4 | cut -f 1-3 | tr '\t' '.' |
	sed 's/enc-self\.\([0-9]*\)/enc.\1.self/; s/dec-self\.\([0-9]*\)/dec.\1.self/; s/cross\.\([0-9]*\)/dec.\1.cross/; s/\.\([0-9]*\)$/:\1/' > order
that "$(sort -u order | wc -l)" = 24; say $? 'greedy orders all heads'
left=$(cat order) masked=
for step in 1 2; do
	for h in $left; do echo "$(total -m model.tar --mask-heads "$masked$h") $h"; done | sort -g | head -n 1 | cut -d ' ' -f 2 > best
	sed -n ${step}p order | equals - best; say $? "... step $step masks the head without which the loss is lowest"
	masked=$masked$(cat best)/ left=$(sed "1,${step}d" order)
done
for t in 1 2; do head-stat -q -m model.tar -t $t -s 7 --batch-tokens 60 --measure fisher,gating,logit,norm,saliency,shapley --gating updates=3 --permutations 2 --to tsv s.heed > t$t; done
equals t1 t2; say $? 'the same bytes for any number of threads'
head-stat -q -m model.tar -s 8 --batch-tokens 60 --measure fisher,gating,norm,saliency,shapley --gating updates=3 --permutations 2 --to tsv s.heed > other
field shapley t1 > a; field shapley other | equals - a; that $? = 1 && runs field fisher t1 > a && field fisher other | equals - a
say $? 'permutations depend on the seed, and nothing else does'
field gating t1 > a; field gating other | equals - a; that $? = 1; say $? '... but for the gates'
field shapley.error t1 | matches -v '^-$'; say $? '... and have a standard error'
head-stat -q -m model.tar -s 8 --measure shapley --permutations 2 s.heed | heed-show -H | matches '|shapley:permutations=2,seed=8|'
say $? '... and belong to the signature'
runs head-stat -q -m model.tar --measure shapley --permutations 1 --to tsv s.heed > one && head -n 1 one | lacks shapley.error
say $? 'one permutation has no standard error'
exits 3 'BLEU needs a target' head-stat -m model.tar --measure ablation-bleu source.heed
# A planted model: two heads whose output the next layer ignores are last by every measure.
width=$(nmt-info model.tar | sed -n 's/^config.width\t//p')
cp model.tar dead.tar
plant() {
	row=0; while [ $row -lt $width ]; do
		perl "$HEED_TOP/tests/spoil.pl" dead.tar next.tar element param/$1.out.weight $((row * width + ($2 - 1) * width / 4)) \
			$(printf %0$((width / 4 * 8))d 0) && mv next.tar dead.tar; row=$((row + 1))
	done
}
plant enc.1.self 3; plant dec.2.cross 2
head-stat -q -m dead.tar --measure ablation,fisher,gradient,logit,norm,saliency,shapley --permutations 2 --to tsv s.heed > dead.tsv
for measure in ablation fisher gradient norm saliency shapley; do
	field $measure dead.tsv | computes - '{ x = $1 < 0 ? -$1 : $1 } NR == 3 || NR == 22 { if (x > 1e-7) bad = 1; next }
		x <= 1e-7 { bad = 1 } END { exit bad || NR != 24 }'
	say $? "$measure: only dead heads have 0"
done
field logit dead.tsv | computes - 'NR < 9 { if ($1 != "-") bad = 1; next } ($1 == 0) != (NR == 22) { bad = 1 } END { exit bad || NR != 24 }'
say $? 'logit: of the heads of the decoder, only the dead one has 0'
runs head-stat -q -m dead.tar --measure ablation-bleu --to tsv s.heed > bleu.tsv && field ablation.bleu bleu.tsv | sed -n '3p;22p' | computes - '$1 != 0 { bad = 1 } END { exit bad || NR != 2 }'
say $? 'ablation-bleu: dead heads have 0'
head-stat -q -m dead.tar --measure gating --gating fits=2,updates=20,clip=far -o gated.heed s.heed
heed-show -f gating,gating.plus,gating.minus,gating.class,gating.error gated.heed | computes - 'function far(x, y) { return x - y > 0.02 || y - x > 0.02 }
	far($1, $2 + $3 - 1) || (NR == 3 || NR == 22) && (far($2, 1) || far($3, 0) || $4 != "irrelevant" || $5 > 0.02) { bad = 1 } END { exit bad || NR != 24 }'
say $? 'gating: dead heads are irrelevant'
heed-show -H gated.heed | matches '|gating:fits=2,updates=20,lr=1,lambda=0.1,clip=far|batch-tokens:[1-9][0-9]*|seed:1|'; say $? '... and the signature has the settings'
for rule in 'attnlrp' 'epsilon --bias absorb' 'alpha-beta --bias drop'; do
	head-lrp -q -m dead.tar --target ref --rule $rule s.heed | heed-show -f relevance > relevance
	computes '{ x = $1 < 0 ? -$1 : $1 } NR == 3 || NR == 22 { if (x > 1e-7) bad = 1; next }
		x <= 1e-7 { bad = 1 } END { exit bad || NR != 24 }' relevance
	say $? "head-lrp --rule $rule: only dead heads have 0"
done
exits 2 'a measure that is unknown' head-stat -m model.tar --measure gradient,attention s.heed
matches "'attention' is not a measure, expected ablation, ablation-bleu, fisher" err; say $? '... the message lists all'
exits 2 'a setting that is unknown' head-stat -m model.tar --measure gating --gating updates=3,rate=1 s.heed
matches -- "--gating: .*rate" err; say $? '... is named'
exits 2 'a measure that is always in the output' head-stat -m model.tar --measure confidence s.heed
matches 'hint: confidence .* always in the output' err && head-stat -q -m model.tar --target ref --to tsv s.heed | head -n 1 | tr '\t' '\n' | matches -x confidence; say $? '... the hint says so'
exits 2 'a former name' head-stat -m model.tar --gradient s.heed
matches 'measure gradient' err; say $? '... the hint has the new one'
exits 3 'losses need a target' head-stat -m model.tar --measure gradient source.heed
exits 2 '... and a choice if there are two' head-stat -m model.tar --measure gradient hyp.heed
matches -- 'hyp.heed has both hyp and tgt, expected --target hyp or --target ref' err
say $? '... the message says so'
head-stat -q -m model.tar --target ref --measure ablation,gradient --batch-tokens 60 --to tsv hyp.heed |
	equals - losses.tsv
say $? '... --target ref takes the reference'
exits 3 '--target hyp does not fall back to the reference' head-stat -q -m model.tar \
	--target hyp s.heed
matches 's.heed: record 1.*: no hyp.pieces' err; say $? '... the message names the record'
runs head-prune -q -m model.tar --heads cross:all -o deaf.tar 2> warned &&
	runs head-stat -q -m deaf.tar --measure gradient --to tsv s.heed > deaf.tsv
say $? '--measure gradient for a decoder without cross-attention heads'
that "$(field gradient.raw deaf.tsv | sed -n 1,8p | sort -u)" = 0 && field gradient.raw deaf.tsv |
	sed -n '9,$p' | computes - '$1 <= 0 { bad = 1 } END { exit bad || NR != 8 }'
say $? '... whose loss does not depend on encoder heads'

# --- measures of attention variants ---
tree2mask -q s.heed > mask.heed
nmt-train -q --precision fp32 --size tiny -c codes --updates 4 -s 3 -a dependency-mask -a redundant-heads \
	-a l0-gate:at=enc -a head-importance \
	--dev mask.heed --validate-every 4 --log log -o variants.tar mask.heed
head-stat -q -m variants.tar --to tsv mask.heed > found.tsv
# logged FIELD SITE: the last values of a site's heads in the training log
logged() { for h in 1 2 3 4; do heed-show -f "dev.$1.$2.$h" log | tail -n 1; done; }
# rows_near EXPECTED FIRST-ROW FIELD: four rows of the table
rows_near() { that "$(wc -l < "$1")" = 4 && field "$3" found.tsv | sed -n "$2,$(($2 + 3))p" | near 1e-5 - "$1"; }
logged redundant enc.1.self > expected; rows_near expected 1 redundancy
say $? 'redundancy is that of the training log'
logged importance enc.2.self > expected; rows_near expected 5 weight; say $? '... and weight'
logged gates enc.2.self > expected; rows_near expected 5 gate; say $? '... and gate'
logged open enc.2.self > expected; rows_near expected 5 open
say $? '... and open'
# A gate between 0 and 1 is 1.2 s(a) - 0.1, and not 0 with probability s(a + 0.33 ln 11).
field gate found.tsv | sed -n 5,8p |
	awk '{ s = ($1 + 0.1) / 1.2; print 1 / (1 + (1 - s) / s * 11 ^ -0.33);
	if ($1 <= 0 || $1 >= 1) exit 1 }' > expected
that $? = 0 && rows_near expected 5 open; say $? '... which agrees with the formula of the gates'
that "$(field redundancy found.tsv | grep -vc '^-')" = 4 &&
	that "$(field gate found.tsv | grep -vc '^-')" = 8
say $? 'other heads do not have these measures'

# --- fixed columns ---
# Sentences of two words have no distant offsets; without cross-attention, the encoder has no gradient.
head -n 3 s.tokens | cut -d ' ' -f 1-2 > short.s; rev short.s > short.t
heed-pack --no-pg short.s short.t | bpe-apply --no-pg -c codes > short.heed
heed-sample -n 9 s.heed | head-stat -q -m model.tar --to tsv | head -n 1 | tr '\t' '\n' | grep -n offsets > want
head-stat -q -m model.tar --to tsv short.heed | head -n 1 | tr '\t' '\n' | grep -n offsets | equals - want
say $? 'short sentences have the same columns for offsets'
head-prune -q -m model.tar --heads 'cross.1:all cross.2:all' -o apart.tar 2> /dev/null
head-stat -q -m apart.tar --target ref --measure gradient -o apart.heed s.heed
heed-show -f site,gradient apart.heed | computes - -F '\t' '$1 == "enc-self" { n++; bad += $2 != "0.0" } END { exit !n || bad }'
say $? 'a layer without gradients has gradients of 0'
runs head-prune -q -m apart.tar --keep 3 --by gradient -o three.tar apart.heed 2> /dev/null; say $? '... by which head-prune selects heads'

# --- errors ---
exits 2 'no model' head-stat s.heed
for bad in 'nsubj,' 'a b' 'x=' 'nsubj,nsubj' 'x=obj+'; do
	exits 2 "relations '$bad'" "head-stat -m model.tar --relations '$bad' s.heed"
done
exits 2 'a margin without abs: or rel:' head-stat -m model.tar --margin 10 s.heed
exits 2 'a margin that is not a number' head-stat -m model.tar --margin rel:ten s.heed
printf 'a 1\nb\n' > bad
exits 3 'counts without a count' head-stat -m model.tar --counts bad s.heed
matches 'bad: line 2:' err; say $? '... the message names the line'
printf 'a 1\nb 2\na 3\n' > bad
exits 3 'two counts of one token' head-stat -m model.tar --counts bad s.heed
exits 4 'a full disk' 'head-stat -m model.tar s.heed > /dev/full'
head -c 300 s.heed > cut.heed
exits 3 'a truncated stream' 'head-stat -q -m model.tar cut.heed'
exits 4 'an output that cannot be created is reported before the input is read' \
	'head-stat -q -m model.tar -o nowhere/x cut.heed'
