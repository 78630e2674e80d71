#!/bin/sh
# head-stat --patch: activation patching of heads.  tests/variant/head-patch.c compares the effects
# with an independent program.
. "$HEED_TOP/tests/lib.sh"
. "$HEED_TOP/tests/train.sh"
plan 31

pairs 12 5 dev; pairs 120 1 train
runs toy --updates 10 -o model.tar train.heed; say $? 'a model'
# A corrupted source has the tokens of the source in reverse.
heed-show -f src.pieces dev.heed | perl -pe 'chomp; $_ = join(" ", reverse split) . "\n"' > reversed
runs heed-paste --text corrupted.pieces=reversed dev.heed > pairs.heed; say $? 'pairs'
for way in noise denoise; do
	runs head-stat -q -m model.tar --patch $way --patch-sentences $way.heed --to tsv pairs.heed > $way.tsv
	say $? "--patch $way"
done

# column NAME FILE: a column of a table, without its name
column() { awk -F '\t' -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i; next } { print $c }' "$2"; }

# The total effect is the difference of two scores of nmt-score.
heed-paste --replace --text src.pieces=reversed dev.heed | nmt-score -q -m model.tar | heed-show -f score > corrupted
nmt-score -q -m model.tar dev.heed | heed-show -f score | paste - corrupted | awk '{ print $1 - $2 }' > expected
runs heed-show -f patch.total noise.heed > found && near 1e-4 found expected; say $? 'total effects are differences of scores'
heed-show -f patch.total denoise.heed | equals - found; say $? '... in both directions'
awk '{ sum += $1 } END { print sum / NR }' expected > mean
head-stat -q -m model.tar --patch noise pairs.heed | heed-show | sed -n 's/.*"patch.total","\([^"]*\)".*/\1/p' > note
near 1e-4 note mean; say $? 'a note has their mean'

head-stat -q -m model.tar --patch denoise --patch-method integrated --patch-steps 2 pairs.heed | heed-show -H | matches '|patch:denoise|patch-steps:2|'
say $? 'the signature has direction and steps'

# The effects of the sentences, by head and sentence, give the columns.
heed-show noise.heed | perl -MJSON::PP -ne 'next if /^\[/; my $r = decode_json($_); my $h = $r->{"patch.heads"};
	$n++; $total += $r->{"patch.total"}; push @{$x[$_]}, $h->[$_] for 0 .. $#$h;
	END { for my $v (@x) { my ($s, $q) = (0, 0); $s += $_ for @$v; my $m = $s / $n; $q += ($_ - $m) ** 2 for @$v;
	printf "%.9g %.9g %.9g\n", $m, sqrt($q / ($n - 1) / $n), $s / $total } }' > expected
for c in patch patch.error patch.share; do column $c noise.tsv > $c; done
awk '{ print $1 }' expected | near 1e-4 patch - && awk '{ print $2 }' expected | near 1e-4 patch.error -
say $? 'means and standard errors are those of the sentences'
awk '{ print $3 }' expected | near 1e-4 patch.share -; say $? '... and the shares'
heed-show -f id noise.heed > ids; heed-show -f id dev.heed | equals - ids; say $? 'the sentences have their numbers'

# Self-attention of the first decoder layer does not depend on the source; all other heads do.
awk -F '\t' 'NR > 1 { print $1, $2 }' noise.tsv | paste - patch | computes - '
	$1 == "dec-self" && $2 == 1 { if ($3 != 0) bad = 1; zero++; next } $3 == 0 { bad = 1 } END { exit bad || !zero }'
say $? 'only the first layer of decoder self-attention has no effect'
heed-show -f src.pieces dev.heed > same
heed-paste --text corrupted.pieces=same dev.heed | head-stat -q -m model.tar --patch noise --to tsv > zero.tsv
column patch zero.tsv | computes - '$1 != 0 { bad = 1 } END { exit bad || !NR }'; say $? 'a source that is not corrupted has no effect'
head-stat -q -m model.tar --patch noise -t 2 --to tsv pairs.heed | equals - noise.tsv; say $? 'the same bytes for two threads'
head-stat -q -m model.tar --patch noise --batch-tokens 1 --to tsv pairs.heed > one.tsv
column patch one.tsv | near 1e-4 patch -; say $? 'the size of batches matters only by rounding'

# --- gradients ---
runs head-stat -q -m model.tar --patch noise --patch-method exact,gradient,integrated --patch-sentences three.heed \
	--to tsv pairs.heed > three.tsv; say $? '--patch-method'
column patch three.tsv | equals - patch; say $? '... does not change the exact effects'
heed-show three.heed | perl -MJSON::PP -ne 'next if /^\[/; my $r = decode_json($_); my $h = $r->{"patch.integrated.heads"};
	$n++; $s[$_] += $h->[$_] for 0 .. $#$h; END { printf "%.9g\n", $_ / $n for @s }' > expected
column patch.integrated three.tsv | near 1e-4 expected -; say $? '... and writes the effects on sentences'
for c in patch patch.gradient patch.integrated; do column $c three.tsv > $c; done
paste patch patch.gradient patch.integrated | computes - '{ n++; a += $1; b += $2; aa += $1 * $1; bb += $2 * $2; ab += $1 * $2; c += $3; cc += $3 * $3; ac += $1 * $3 }
	END { exit !((ab - a * b / n) / sqrt((aa - a * a / n) * (bb - b * b / n)) > 0.8 && (ac - a * c / n) / sqrt((aa - a * a / n) * (cc - c * c / n)) > 0.8) }'
say $? 'approximations correlate with exact effects'
for way in noise denoise; do
	head-stat -q -m model.tar --patch $way --patch-method gradient,integrated --patch-steps 1 --to tsv pairs.heed > one.tsv
	column patch.integrated one.tsv > a
	head -n 1 one.tsv | lacks 'patch	' && column patch.gradient one.tsv | equals - a
	say $? "$way: with one step, integrated is gradient"
done
head-stat -q -m model.tar --patch noise --patch-method integrated -t 2 --to tsv pairs.heed > t2.tsv
column patch.integrated t2.tsv | equals - patch.integrated; say $? 'the same bytes for two threads'
exits 2 'an unknown method' head-stat -q -m model.tar --patch noise --patch-method exact,slope pairs.heed
exits 2 'steps without integrated' head-stat -q -m model.tar --patch noise --patch-steps 3 pairs.heed

# --- errors ---
exits 3 'no corrupted source' head-stat -q -m model.tar --patch noise dev.heed
sed 's/$/ x/' reversed > longer; heed-paste --text corrupted.pieces=longer dev.heed > longer.heed
exits 3 'another number of tokens' head-stat -q -m model.tar --patch noise longer.heed
matches 'record 1: the corrupted source has .* tokens, expected .* as the source has' err; say $? '... the message has both'
exits 2 'effects of sentences without patching' head-stat -q -m model.tar --patch-sentences x.heed pairs.heed
exits 2 'two outputs in one file' head-stat -q -m model.tar --patch noise -o x.heed --patch-sentences x.heed pairs.heed
exits 2 '... of two names' head-stat -q -m model.tar --patch noise -o x.heed --patch-sentences ./x.heed pairs.heed

# A model whose sources begin with a token of its own, trained on alignments, which read the words of subwords.
nmt-import -q -o import.tar --first-src __en__ --first-tgt __de__ "$HEED_TOP/tests/data/import/m2m"
printf '%s\n' '["heed",1,"sentence",{"fields":{"src.pieces":"[str]","tgt.pieces":"[str]","alignment":"str","corrupted.pieces":"[str]"}}]' \
	'{"src.pieces":["a","▁b","c"],"tgt.pieces":["d","e"],"alignment":"0-0 1-1","corrupted.pieces":["c","a","e"]}' \
	'["heed-end",1]' | heed-pack -j -o first.heed
nmt-train -q -t 1 --init import.tar -a guided-alignment --updates 1 --lr 0.001 --schedule constant --warmup 0 -o guided.tar first.heed 2> err
runs head-stat -q -m guided.tar --patch noise --to tsv first.heed > first.tsv 2> err
say $? 'a corrupted source keeps the words, which have the first token of the model'
