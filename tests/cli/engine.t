#!/bin/sh
# engine: results belong to the engine number; this test fails if they change without it.
. "$HEED_TOP/tests/lib.sh"
. "$HEED_TOP/tests/train.sh"
plan 11

# The engine of the results below; see common/model/engine.h before you change either.
engine=1
that "$(sed -n 's/^#define HEED_ENGINE //p' "$HEED_TOP/common/model/engine.h")" = $engine
say $? 'the engine number is that of the results in this test'

pairs 300 1 train; pairs 40 2 dev
for f in train dev; do
	parse -q --no-pg --control adjacent $f.heed | tree2mask --no-pg |
		phrase-rp --no-pg > $f.trees.heed
done

# close WANT FOUND: the same numbers, except for the last digit, which depends on the processor
close() {
	echo "$1 / $2" | awk '{ n = (NF - 1) / 2; bad = NF < 3 || n != int(n)
		for (i = 1; i <= n; i++) { d = $i - $(i + n + 1); bad = bad || d > 0.0015 || d < -0.0015 }
		exit bad }'
}
# results NAME NUMBERS OPTION...: NLL of training and development set at updates 20 and 40
results() {
	name=$1 want=$2; shift 2
	toy --dev dev.trees.heed --validate-every 20 --log-every 20 --updates 40 --dropout 0.1 \
	    --label-smoothing 0.1 --word-dropout 0.05 --backend native --precision ${precision:-fp32} \
	    --log $name.log -o $name.tar "$@" train.trees.heed 2> err
	found=$(rows nll,dev.nll $name.log | xargs)
	close "$want" "$found"; r=$?; say $r "$name: results of engine $engine"
	[ $r = 0 ] || { echo "# found $found, expected $want"; sed 's/^/# /' err; }
}
# tested NAME MODEL NUMBERS: sums of the scores of its translations, and of references
tested() {
	nmt-translate -q --no-pg --precision fp32 --beam 4 -m $2 dev.trees.heed |
		nmt-score -q --no-pg --precision fp32 -m $2 |
		heed-show -f hyp.score,score - |
			awk '{ s += $1; t += $2 } END { print s / 100, t / 100 }' > score
	close "$3" "$(cat score)"; r=$?; say $r "$1 of engine $engine"
	[ $r = 0 ] || sed "s:^:# expected $3, found :" score
}
results plain '3.7448 3.3379 2.9989 2.4284'
results recipe '4.1879 3.7142 3.4979 3.1137' --preset onmt --arch enc_layers=1,dec_layers=1,width=32,ff=64,heads=2,tie=all \
    --save-every 10 --keep-last 2 --average 2 --schedule inverse_sqrt --warmup 10 --accumulate 2 --curriculum 20
results trees '3.7416 3.3351 3.0168 2.4361' -a dependency-mask -a phrase-position -a redundant-heads
results weights '3.7262 3.2589 2.9440 2.3872' -a relative:k=4 -a localness
results gates '3.7796 3.3713 3.1026 2.5274' -a l0-gate:at=all,coef=0.1
precision=bf16 results bf16 '3.7450 3.3393 3.0003 2.4300'
tested 'translations' plain.tar '-0.6822 -13.2105'
tested 'translations with an average' recipe.tar '-6.0443 -17.8054'

nmt-info plain.tar | matches -x "engine	$engine"; say $? 'nmt-info prints the engine of a model'
heed-show -H plain.log | matches "\"engine\":\"$engine\".*\"ended\":\"updates\""
say $? 'the header of the log has it, and the criterion that ended the training'
