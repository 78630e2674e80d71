#!/bin/sh
# Streams of heads name the model that was measured: all programs refuse those of another model.
. "$HEED_TOP/tests/lib.sh"
. "$HEED_TOP/tests/grammar.sh"

plan 25

grammar 6
for i in 1 2; do nmt-train -q --precision fp32 --size tiny -c codes --updates 2 -s $i -o $i.tar s.heed; done
head-stat -q --measure gradient -m 1.tar -o 1.stat s.heed
head-lrp -q -m 1.tar -o 1.lrp s.heed
head-stat -q -m 2.tar -o 2.stat s.heed
head-lrp -q -m 2.tar -o 2.lrp s.heed
model() { heed-show -H "$1" | sed -n 's/.*"model":"\([0-9a-f]\{16\}\)".*/\1/p'; }
that -n "$(model 1.stat)" && that "$(model 1.stat)" = "$(model 1.lrp)"; say $? 'both programs name the model'
that "$(model 1.stat)" != "$(model 2.stat)"; say $? '... another model has another name'
nmt-average -o again.tar 1.tar 2> /dev/null && head-stat -q -m again.tar -o again.stat s.heed
that "$(model 1.stat)" = "$(model again.stat)"; say $? '... a file with the same parameters has the same'
head-prune -q -m 1.tar --heads enc-self.1:1 -o pruned.tar && head-stat -q -m pruned.tar -o pruned.stat s.heed
that "$(model 1.stat)" != "$(model pruned.stat)"; say $? '... and a pruned model another'
head-stat -q --threads 3 -m 1.tar --measure ablation s.heed | model - > three
that "$(cat three)" = "$(model 1.stat)"; say $? '... for any number of threads and any measure'

runs head-compare 1.stat 1.lrp > pairs; say $? 'head-compare takes streams of one model'
exits 3 '... and refuses two models' head-compare 1.stat 2.lrp
matches "^head-compare: 2.lrp: measures of the model $(model 2.lrp), expected $(model 1.stat) as in the streams before" err
say $? '... the message names both'
runs head-compare --to matrix 1.stat 2.stat > matrix; say $? '... unless each file is a model'

runs heed-paste --replace -o both.heed 1.stat 1.lrp; say $? 'heed-paste joins streams of one model'
that "$(model both.heed)" = "$(model 1.stat)"; say $? '... and names it'
exits 3 '... and refuses two models' heed-paste --replace -o both.heed 1.stat 2.lrp
matches '^heed-paste: 2.lrp: another model, expected streams with the same one' err; say $? '... the message names it'
heed-show 1.stat | sed 's/"model":"[0-9a-f]*",*//; s/,}/}/; s/,\]$/]/' | heed-pack -j --no-pg -o old.stat
that -z "$(model old.stat)" && runs heed-paste --replace -o named.heed old.stat 1.lrp && that "$(model named.heed)" = "$(model 1.lrp)"
say $? '... a stream without a name may be of any model'

runs head-prune -q -m 1.tar --keep 9 --by gradient -o nine.tar 1.stat; say $? 'head-prune takes measures of its model'
exits 3 '... and refuses those of another' head-prune -q -m 2.tar --keep 9 --by gradient -o nine.tar 1.stat
matches "^head-prune: 1.stat: measures of the model $(model 1.stat), expected $(model 2.stat), the given one" err && matches 'hint: --other-model accepts them' err
say $? '... the message names both, and the option'
runs head-prune -q -m 2.tar --keep 9 --by gradient --other-model -o nine.tar 1.stat; say $? '... that accepts them'
head-prune -q -m 2.tar --keep 9 --by gradient -o old.tar old.stat
that "$(nmt-info nine.tar | grep ^removed)" = "$(nmt-info old.tar | grep ^removed)"; say $? '... and does as without a name'
exits 2 '--other-model without a measure' head-prune -q -m 1.tar --heads enc-self.1:1 --other-model -o nine.tar

runs head-curve -q -m 1.tar --from 1.stat --by gradient --points 2 -o curve s.heed; say $? 'head-curve takes measures of its model'
exits 3 '... and refuses those of another' head-curve -q -m 2.tar --from 1.stat --by gradient --points 2 -o curve s.heed
runs head-curve -q -m 2.tar --from 1.stat --by gradient --points 2 --other-model -o curve s.heed; say $? '... unless --other-model'
exits 2 '--other-model without --from' head-curve -q -m 1.tar --random 1 --other-model -o curve s.heed

exits 3 'head-map refuses measures of another model' head-map -m 1.tar --head-measures 2.stat --json s.heed
