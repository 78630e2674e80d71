#!/bin/sh
# benchmark-heads of pipeline.mk on planted models: one head attends to the syntactic head, one copies, that
# is, attends to the aligned source word, and three are dead: uniform attention, and zeros as output.  All
# measures but positional put the dead heads last, with the exceptions under "Comparison of heads" in
# head-stat(1); and the page names what a model does not support.
. "$HEED_TOP/tests/lib.sh"
plan 68

# Pairs of words a3 b3 in random order: a3 depends on b3, and each b on the first b.  The translation has
# the same words in capitals.
cat > toy.pl <<'END'
my ($n, $seed, $name) = @ARGV; srand $seed;
open my $s, '>', "$name.en"; open my $t, '>', "$name.de"; open my $c, '>', "$name.en.conllu"; open my $a, '>', "$name.align";
for (1 .. $n) {
	my %k; $k{1 + int rand 8} = 1 while keys %k < 2 + int rand 3;
	my @w = map { ("a$_", "b$_") } sort keys %k;
	for (reverse 1 .. $#w) { my $j = int rand $_ + 1; @w[$_, $j] = @w[$j, $_] }
	my ($root) = grep { $w[$_] =~ /b/ } 0 .. $#w;
	my %at = map { $w[$_] => $_ + 1 } 0 .. $#w;
	print $s "@w\n"; print $t uc("@w"), "\n"; print $a join(' ', map { "$_-$_" } 0 .. $#w), "\n";
	for (0 .. $#w) {
		my $h = $w[$_] =~ /a(.)/ ? $at{"b$1"} : $_ == $root ? 0 : $root + 1;
		print $c join("\t", $_ + 1, $w[$_], qw(_ X _ _), $h, $w[$_] =~ /a/ ? 'amod' : $h ? 'conj' : 'root', qw(_ _)), "\n";
	}
	print $c "\n";
}
END
mkdir toy
perl toy.pl 3000 1 train
perl toy.pl 60 2 toy/dev && perl toy.pl 60 3 toy/test && head -n 300 train.en > toy/train.en && head -n 300 train.de > toy/train.de
cat train.en train.de | bpe-learn --text -q --merges 60 > codes
heed-pack train.en train.de | conllu2heed -p train.en.conllu | heed-paste --text alignment=train.align | bpe-apply -c codes > train.heed
train() { nmt-train -q --preset fairseq --size tiny --batch-tokens 600 --lr 0.005 --schedule constant -c codes --dropout 0 \
	--arch width=32,ff=64,heads=4,enc_layers=2,dec_layers=2,pre_norm=on,final_norm=on,dropout_attention=0,dropout_relu=0 "$@" train.heed; }

# --- the planted model ---
# Supervision plants two heads: enc-self 1.1 (dbsa) and cross 2.2 (guided-alignment).
train -a dbsa:enc=1,dec=0,src_weight=1 -a guided-alignment:layer=2,head=2,weight=0.5 --updates 700 -o planted.tar
# zeros FROM N PARAMETER: N elements from FROM on become 0
zeros() { perl "$HEED_TOP/tests/spoil.pl" planted.tar next.tar element "param/$3" "$1" "$(printf "%0$(($2 * 8))d" 0)" && mv next.tar planted.tar; }
# dead SITE QUERIES HEAD: zeros in queries and output of a head of 8 of 32 dimensions
dead() {
	zeros $((($3 - 1) * 256)) 256 "$1.$2.weight" && zeros $((($3 - 1) * 8)) 8 "$1.$2.bias" || return 1
	row=0; while [ $row -lt 32 ]; do zeros $((row * 32 + ($3 - 1) * 8)) 8 "$1.out.weight" || return 1; row=$((row + 1)); done
}
runs dead enc.2.self qkv 3 && runs dead dec.2.self qkv 4 && runs dead dec.1.cross q 1; say $? 'a model with three dead heads'
# Gates scale head outputs, so that there is no ALTI.
runs train -a l0-gate:coef=0.01 --updates 60 -o gated.tar; say $? 'a model with gates'

# --- the benchmark ---
bench() {	# the rules are written before files are made
	goals='' left=$#
	while [ $left -gt 0 ]; do
		case $1 in *=*) set -- "$@" "$1" ;; *) goals="$goals $1" ;; esac
		shift; left=$((left - 1))
	done
	case $goals in */*) bench_make "$@" planned || return ;; esac
	bench_make "$@" $goals
}
bench_make() {
	make --no-print-directory -C "$HEED_TOP" -f pipeline.mk _goals= DATA="$scratch/toy" W="$scratch/work" THREADS=1 \
	    SENTENCES=20 BLEU_SENTENCES=6 SHAPLEY=2 GREEDY=1 GATING=updates=30,clip=far ALIGN="$scratch/toy/dev.align" "$@" < /dev/null > log 2>&1
}
at=work/benchmark/toy.en-de
bench MODEL="$scratch/planted.tar $scratch/gated.tar" "$scratch/$at/benchmark.html"; r=$?
say $r 'the benchmark of two models'; that $r = 0 || tail -n 20 log | sed 's/^/# /'
one=$(cd $at && ls -d ./*planted) two=$(cd $at && ls -d ./*gated) one=$at/$one two=$at/$two
bench MODEL="$scratch/planted.tar $scratch/gated.tar" "$scratch/$at/benchmark.html"; that ! -s log || matches 'up to date' log
say $? '... is made once'; sed -n '1,5s/^/# /p' log | cut -c 1-200

heed-show -f greedy "$one/heads.heed" | sort -n > found; heed-show -f head "$one/heads.heed" | awk '{ printf "%.1f\n", NR }' | equals - found
say $? 'greedy search orders all heads'

# --- dead and planted heads ---
# check NAME SIGN WITHIN: no live head is strictly below a dead one.  size: by magnitude, for measures that are
# negative for heads that do harm; kind: among the heads of the same kind of attention, for measures that depend
# on the number of keys.  The table has the number of heads that are strictly below each planted head.
heed-show -f site,layer,head,"$(printf %s confidence,entropy,positional,norm,gradient,gradient.raw,fisher,saliency,logit,ablation,ablation.bleu,shapley,patch,patch.gradient,patch.integrated,relevance,relevance.raw,attnlrp,attnlrp.raw,aer,translation,syntax.amod.dep)" "$one/heads.heed" > heads
number=3
check() {	# NAME SIGN WITHIN
	number=$((number + 1))
	awk -F '\t' -v c=$number -v sign="$2" -v within="$3" '
		function dead(h) { return h == "enc-self 2 3" || h == "dec-self 2 4" || h == "cross 1 1" }
		$c != "" { h = $1 " " $2 " " $3; x[h] = sign * $c; site[h] = $1; if (within == "size" && x[h] < 0) x[h] = -x[h] }
		function below(h, o, n) { for (o in x) n += o != h && x[o] < x[h] - 1e-7 && !dead(o) && (within != "kind" || site[o] == site[h]); return n + 0 }
		function among(h, o, n) { for (o in x) n += within != "kind" || site[o] == site[h]; return n }
		END {
			for (h in x) if (dead(h) && below(h)) { bad = 1; printf "# %s: %g is above %d other heads\n", h, x[h], below(h) > "bad" }
			printf "%d of %d\t%d of %d\n", below("enc-self 1 1"), among("enc-self 1 1"), below("cross 2 2"), among("cross 2 2")
			exit bad
		}' heads > row; r=$?
	say $r "$1: dead heads are last"
	[ $r = 0 ] || cat bad
	printf '%s\t%s\n' "$1" "$(cat row)" >> seen
}
printf 'heads below\tsyntactic head\tcopying head\n' > seen
check confidence 1 kind; check entropy -1 kind
number=$((number + 1))		# positional: uniform attention has its maximum at any offset, and is not recognized
for m in norm gradient gradient.raw fisher saliency; do check $m 1 all; done
for m in logit ablation ablation.bleu shapley patch patch.gradient patch.integrated; do check $m 1 size; done
for m in relevance relevance.raw attnlrp attnlrp.raw; do check $m 1 size; done
sed 's/^/# /' seen
heed-show -f site,layer,head,gating.class "$one/heads.heed" | tr '\t' ' ' > classes
for h in 'enc-self 2 3' 'dec-self 2 4' 'cross 1 1'; do matches -x "$h irrelevant" classes; say $? "gating: $h is irrelevant"; done
matches -x 'cross 2 2 facilitating' classes; say $? '... and the head that copies is facilitating'
computes - -F '\t' '$1 " " $2 " " $3 == "enc-self 1 1" { found = $NF > 0.8 } END { exit !found }' < heads
say $? 'syntax.amod.dep sees the head that attends to the syntactic head'
computes - -F '\t' '$1 == "cross" { if ($(NF - 2) < least || least == "") { least = $(NF - 2); h = $2 " " $3 } } END { exit h != "2 2" }' < heads
say $? 'the alignment error rate sees the head that copies'
computes - -F '\t' '$1 == "cross" { if ($(NF - 1) > most) { most = $(NF - 1); h = $2 " " $3 } } END { exit h != "2 2" }' < heads
say $? '... and the translation score'

# --- the page ---
has() { matches -F -- "$2" $at/benchmark.html; say $? "$1"; }
for f in all bleu enc-self dec-self cross deletion; do that -s $at/$f.tsv && that -s $at/$f.svg; say $? "$f: a table and a figure"; done
computes - -F '\t' '$1 == "nll" && $2 == "ablation" { found = $3 == 2 && $6 != "-" && $NF ~ /better|worse|undecided/ } END { exit !found }' < $at/all.tsv
say $? 'curves are means over both models, with an interval'
matches '^random' $at/all.tsv || awk -F '\t' '$2 == "random"' $at/all.tsv | matches .; say $? '... and random orders'
for f in curve/all deletion; do for d in "$one" "$two"; do heed-show -f order "$d/$f.heed" | grep '^random' | sort -u; done > orders
	that "$(wc -l < orders)" = 20 && that -z "$(sort orders | uniq -d)"; say $? "... which each model has of its own: $f"
done
computes - -F '\t' '$2 == "aer.reverse" || $2 == "translation" { n++ } END { exit n != 2 }' < $at/cross.tsv; say $? 'curves of cross-attention by alignment'
matches 'mean of 2 models' $at/matrix.tsv && that "$(wc -l < $at/clusters.tsv)" -gt 2; say $? 'correlations are means over the models, with clusters'
has 'a measure that a model does not support is named' 'not available: '
computes - -F '\t' '$1 == "tokens/alti" && $2 ~ /gated/ { found = $5 ~ /not available: head-lrp: .*an attention variant/ } END { exit !found }' < $at/steps.tsv
say $? "... with the reason"
computes - -F '\t' 'NR > 1 && $3 != 20 && $3 != 6 && $3 != "-" && $1 != "curve/bleu" { bad = 1 } $1 == "measure/bleu" { n += $3 == 6 } $1 == "measure/ablation" { n += $3 == 20 } END { exit bad || n != 4 }' < $at/steps.tsv
say $? 'each step has its number of sentences'
# says TABLE SCORE: the sentence of a table
says() { awk -F '\t' -v score="$2" -f "$HEED_TOP/src/papers/benchmark-verdict.awk" "$1"; }
printf '%s\n' 'score order verdict' 'nll a better' 'nll b undecided' 'bleu a worse' 'nll c better' 'nll d worse' 'nll random -' | tr ' ' '\t' > verdicts
that "$(says verdicts nll)" = 'Better than random orders: a, c. Undecided: b. Worse than random orders: d. '; say $? 'a sentence for each verdict'
for t in all:nll bleu:bleu deletion:drop; do
	said=$(says $at/${t%:*}.tsv ${t#*:}); [ "${said#*: }" != "$said" ] && has "which measures are better than random orders: ${t%:*}" "${said% }"
done
[ -s "$one/walk.html" ] && has 'each head is a link to its attention weights' "$(basename "$one")/walk.html#enc-self-1-1\""
has 'a map of the heads of each model' "$(basename "$two"): Encoder self-attention, 8 heads"

# --- published curves ---
for i in "$one" "$two"; do for c in all bleu enc-self dec-self cross; do
	gzip -dc "$at/curves/$(basename "$i")/$c.heed.gz" | cmp - "$i/curve/$c.heed" || echo $c; done; done > differ
that ! -s differ; say $? 'the curves of each model are kept'
heed-show -f order,retained,masked "$two/curve/all.heed" | computes - -F '\t' '$1 ~ /^random/ { n["enc"] = n["dec"] = n["cross"] = 0
	k = split($3, part, "/"); for (i = 1; i <= k; i++) { split(part[i], h, /[-.:]/); n[h[1]] += split(part[i], x, /[+]/) }
	low = high = n["enc"]; for (s in n) { if (n[s] < low) low = n[s]; if (n[s] > high) high = n[s] }
	bad += high - low > 1; rows++ } END { exit bad || !rows }'
say $? '... random orders mask all kinds of attention in parallel'
mkdir -p published/benchmark/toy.en-de; cp -r $at/curves published/benchmark/toy.en-de
make --no-print-directory -C "$HEED_TOP" -f pipeline.mk MODE="$HEED_MODE" benchmark-tables R="$scratch/published" W="$scratch/tables" > log 2>&1; r=$?
for c in all bleu enc-self dec-self cross; do cmp $at/$c.tsv published/benchmark/toy.en-de/$c.tsv || r=1; done
say $r 'benchmark-tables makes the same tables from them'; that $r = 0 || tail -n 5 log | sed 's/^/# /'
ends 2 make --no-print-directory -C "$HEED_TOP" -f pipeline.mk MODE="$HEED_MODE" benchmark-tables R="$scratch/none" W="$scratch/tables" > log 2>&1 &&
	matches 'none/benchmark/CORPUS.PAIR/curves: no such folder' log
say $? '... without curves it fails'

# --- after further training ---
# A learning rate that changes nothing.
bench MODEL="$scratch/gated.tar" TUNE='--updates 1 --schedule constant --warmup 0 --lr 1e-30 --batch-tokens 300' "$scratch/$at/tuned.tsv"; r=$?
say $r 'curves after further training'; that $r = 0 || tail -n 5 log | sed 's/^/# /'
heed-show -f order,heads,retained,masked,nll "$two/curve/all.heed" | awk -F '\t' '$3 == $2 || $3 == 12' > want
heed-show -f order,heads,retained,masked,nll "$two/curve/tuned.heed" > got; cut -f 1-4 got > points; cut -f 1-4 want | equals - points
say $? '... have all heads and half of them, in the same orders'
# (nmt-train --init drops the gates of a whole model; head-prune folds those of a pruned one into its weights.)
paste want got | computes - -F '\t' '$3 < $2 { n++; d = $5 - $10; if ($10 == "" || d > 1e-5 || d < -1e-5) bad = 1 } END { exit bad || n < 20 }'
say $? '... training that changes nothing gives the losses of the pruned models'
runs sh "$HEED_TOP/src/papers/benchmark-tune.sh" losses "$scratch/gated.tar" "$two/curve/all.heed" train.heed "$two/test.heed" 1 \
	--updates 30 --schedule constant --warmup 1 --lr 0.003 --batch-tokens 600 > tuned.heed
heed-show -f order,heads,retained,nll tuned.heed | paste want - |
	computes - -F '\t' '$3 < $2 && $1 ~ /random/ { n++; better += $9 > 0 && $9 < $5 } END { exit n != 10 || better < 9 }'
say $? '... other training lets models recover that lost half of their heads at random'

# --- segmentation ---
printf 'a ▁b\n' > src; printf 'c ▁d\n' > tgt
data() { nmt-import -q -o "$1.tar" "$HEED_TOP/tests/data/import/$1" && sh "$HEED_TOP/src/papers/benchmark-data.sh" "$1.tar" /dev/null src tgt; }
runs data ct2-v2 > plain.heed && heed-show -f src,tgt plain.heed | matches -x "$(printf 'a ▁b\tc ▁d')" && heed-show plain.heed | lacks src.pieces
say $? 'a model without subwords gets the text as it is'
runs head-stat -q -m ct2-v2.tar --measure ablation --target ref plain.heed > stat && heed-show -f head stat | matches -x 8; say $? '... for its measures'

# --- token attributions as alignments ---
for rule in alti chefer attnlrp; do
	heed-show -f x.gold "$one/dev.heed" > gold; printf '%s\t%s\n' $rule "$(align-score -r gold -b aer "$one/aligned/$rule.heed")"
done > want
awk -F '\t' '$1 ~ /planted/ && $2 ~ /^(alti|chefer|attnlrp)$/ && $3 == 20 { print $2 "\t" $9 }' $at/aligned.tsv > got
sort want > a; sort got | equals - a && that "$(wc -l < a)" = 3; say $? 'alignment error rates of token attributions'
sed 's/^/# /' a; computes - -F '\t' '$1 != "attnlrp" && $2 > 0.5 { bad = 1 } END { exit bad }' < a; say $? '... ALTI and Chefer et al. see the head that copies'
computes - -F '\t' '$1 == "aligned/alti" && $2 ~ /gated/ { why = $5 ~ /^not available: / } $1 == "aligned/scores" { n += $3 == 20 && $5 == "available" }
	END { exit !why || n != 2 }' < $at/steps.tsv; say $? '... which a model may not support'
has '... are on the page' 'Token attributions as word alignments'

# --- errors ---
bench MODEL="$scratch/none.tar" "$scratch/$at/benchmark.html"; that $? != 0 && matches none.tar log; say $? 'a missing model is an error'
make --no-print-directory -C "$HEED_TOP" -f pipeline.mk benchmark-heads MODEL='a;b' > log 2>&1; that $? != 0 && matches 'MODEL: character ;' log
say $? 'a name that a shell interprets is an error'
make --no-print-directory -C "$HEED_TOP" -f pipeline.mk benchmark-heads SENTENCES=many > log 2>&1; that $? != 0 && matches 'SENTENCES=many: expected a number' log
say $? '... and a number that is none'
