#!/bin/sh
# nmt-train: training, settings, stopping, output files; resuming is in resume.t.
. "$HEED_TOP/tests/lib.sh"
. "$HEED_TOP/tests/train.sh"
plan 241

pairs 200 1 train && pairs 40 2 dev
head -n 24 train.en > few.en && head -n 24 train.xx > few.xx
heed-pack --no-pg few.en few.xx > text.heed
bpe-apply --no-pg -c codes < text.heed > few.heed

# --- learning
runs toy --dropout 0 --label-smoothing 0 --updates 150 --log log -o few.tar few.heed
say $? 'trains on a small corpus'
rows step,nll log | tail -n 1 | computes - '{ exit !($1 == 150 && $2 < 0.05) }'
say $? '... and memorizes it'
rows loss,nll log | computes - '{ d = $1 - $2; if (d * d > 1e-9) bad = 1 } END { exit bad || !NR }'
say $? '... loss and nll are equal without smoothing'
tar tf few.tar | sed -n '1p;$p' | tr '\n' ' ' | matches -x 'heed-model end '
say $? 'the model is a tar file from heed-model to end'
tar tf few.tar | matches '^adam'; that $? = 1; say $? '... without optimizer state'
heed-show log | sed -n 1p | matches '"step"'; say $? 'the log is a stream of kind step'

# --- the profile: rows add up, all ops are listed, products and the rest are the total
runs toy --updates 8 --dev dev.heed --validate-every 6 --profile -o profiled.tar few.heed 2> table
say $? 'a training prints a profile'
for op in linear linear-relu attend residual-norm cross-entropy embed; do
	for pass in forward backward; do grep -q "^$op  *$pass " table || echo "$op $pass"; done
done > missing
that ! -s missing && that "$(sort -k 1,2 -u table | wc -l)" = "$(wc -l < table)"
say $? '... with a row for each op and pass'
computes - '$1 == "total" { total = $3; share = $4; out = $5 } $1 ~ /^\(/ { ms += $3; s += $4; o += $5 }
     $2 ~ /^(forward|backward)$/ { ms += $4; s += $5; o += $6 }
     function near(a, b, by) { return a - b < by && b - a < by }
     END { exit !(total > 0 && near(ms, total, 0.2) && near(s, 100, 1) && near(share, 100, 0.1) && near(o, out, 0.2)) }' < table
say $? '... whose times and shares add up'
computes - '$1 == "total" { total = $3; out = $5 } /^in matrix products/ { product = $4; rest = $9 }
     END { d = product + rest - total; exit !(d * d < 1e-3 && rest == out && product > 0) }' < table
say $? '... and are inside or outside products'
toy --updates 3 --profile -o profiled.tar few.heed 2>&1 | matches 'no step was measured'
say $? '... or a message if nothing was measured'

# --- the first line about the progress, with a clock that runs faster
if [ "${HEED_MODE:-release}" = release ]; then
	fast() { clock=$1; shift; HEED_CLOCK=$clock LD_PRELOAD=$HEED_BUILD/tests/inject/clock.so nmt-train -t 1 --no-pg --precision fp32 \
	    --arch enc_layers=1,dec_layers=1,width=32,ff=64,heads=2 --warmup 0 --batch-tokens 400 --updates 12 "$@" few.heed 2> err; }
	fast 100000 -o fast.tar; that "$(grep -c '^[0-9]*/12 updates, .* elapsed, [0-9:]* left$' err)" = 1; say $? 'after ten seconds a line says how long the training takes'
	fast 1 -o slow.tar; lacks left err && equals fast.tar slow.tar; say $? '... not before, and without other results'
	fast 100000 --log-every 1 -o fast.tar; lacks left err; say $? '... nor after the first row of the log'
else
	for i in 1 2 3; do say 0 '# SKIP only one library can be preloaded'; done
fi

# --- excluded pairs
{ echo; cat few.en; } > odd.en && { echo x; cat few.xx; } > odd.xx && heed-pack --no-pg odd.en odd.xx | bpe-apply --no-pg -c codes > odd.heed
runs toy --updates 1 --max-length 12 --dev odd.heed -o y.tar few.heed 2> err; say $? 'pairs are excluded'
matches '^nmt-train: warning: few.heed: [0-9]* of 24 pairs excluded: longer than 12 tokens' err; say $? '... with a warning, even with -q'
matches '^nmt-train: warning: odd.heed: [0-9]* of 25 pairs excluded: longer' err && matches '^nmt-train: warning: odd.heed: 1 of 25 pairs excluded: a side is empty' err
say $? '... also those of the development set'
perl -e 'print "x " x 65533, "x\n"' > 65534.en && tail -n 1 few.xx > 65534.xx
heed-pack --no-pg 65534.en 65534.xx | bpe-apply --no-pg -c codes | cat few.heed - > 65534.heed
runs toy --updates 1 --arch max_length=100000,width=8,ff=8 -o y.tar 65534.heed 2> err && matches '1 of 25 pairs excluded: longer than 65534 tokens$' err
say $? 'no model is trained on more than 65534 tokens, and the warning says so'
exits 2 '... nor with --max-length' toy --updates 1 --arch max_length=100000 --max-length 65535 -o x.tar few.heed

# --- settings that are hardly meant
heed-show few.heed | heed-pack -j --no-pg | gzip > copy.heed
toy --updates 1 --dev copy.heed -o y.tar few.heed 2> err; matches -x 'nmt-train: warning: copy.heed: the development set is the training data, expected other sentence pairs' err
say $? 'a development set with the same records gives a warning'
toy --updates 4 --warmup 5 -o y.tar few.heed 2> err; matches '^nmt-train: warning: the warm-up has 5 updates, expected fewer than --updates, 4: ' err
say $? '... and a warm-up that is longer than the training'
toy --preset fairseq --schedule inverse_sqrt --warmup 4 --updates 4 --dev dev.heed -o y.tar few.heed 2> err; that ! -s err; say $? '... but not other data or a shorter warm-up'
toy --epochs 1 --warmup 5000 -o y.tar few.heed 2> err; that ! -s err; say $? '... nor a training without --updates'
nmt-train -q -t 1 --size tiny --updates 1 -o y.tar few.heed 2> err; matches 'the warm-up has 4000 updates' err; say $? 'the warm-up of the preset counts'

# --- data that is not like the model's
heed-pack --no-pg dev.xx dev.en | bpe-apply --no-pg -c codes > swapped.heed
all=$(heed-show -f src.pieces swapped.heed | wc -w | tr -d ' ')
unlike="nmt-train: warning: swapped.heed: [0-9]* of $all source tokens are not in the model's vocabulary; segment the text like the training data"
toy --updates 1 --dev swapped.heed -o y.tar few.heed 2> err; matches -x "$unlike" err && matches 'swapped.heed: .* target tokens are not in' err
say $? 'a development set of other languages gives a warning'
toy --updates 1 --init y.tar -o y.tar swapped.heed 2> err; matches -x "$unlike" err; say $? '... and so does other training data than that of --init'
toy --updates 1 --init y.tar --dev dev.heed -o y.tar few.heed 2> err; that ! -s err; say $? '... but not data like it'

# --- BPE codes that did not segment the data
bpe-learn --text -q --merges 5 few.en few.xx > other
segments="nmt-train: warning: the training data was not segmented with the model's BPE codes, with which nmt-translate --text segments: 24 of the first 24 source sentences have other subwords"
toy --updates 1 -c other -o y.tar few.heed 2> err; echo "$segments" | equals - err; say $? 'BPE codes that did not segment the data give a warning'
toy --updates 1 --init y.tar -o y.tar few.heed 2> err; echo "$segments" | equals - err; say $? '... also those of the model of --init'
toy --updates 1 -c codes -o y.tar train.heed 2> err; that ! -s err; say $? '... but not the BPE codes of the data'
heed-pack few.en few.xx | bpe-apply -c codes --dropout 0.9 > random.heed
toy --updates 1 -c codes -o y.tar random.heed 2> err; that ! -s err; say $? '... also with dropout'
bpe-apply --no-pg -c other < text.heed | cat few.heed - > half.heed
toy --updates 1 -c codes -o y.tar half.heed 2> err; that ! -s err; say $? '... or if half of the sentences differ'

# --- unsuitable data
exits 3 'a stream without subwords is refused' toy --updates 1 -o x.tar text.heed
matches 'bpe-apply' err; say $? '... with a hint'
exits 3 'an empty input is refused' toy --updates 1 -o x.tar
exits 4 'a missing file is an error' toy --updates 1 -o x.tar nowhere.heed
head -c 2000 train.heed > cut.heed
exits 3 'a truncated stream is refused' toy --updates 1 -o x.tar cut.heed
exits 3 'a stream without short enough pairs is refused' \
	toy --updates 1 --max-length 2 -o x.tar few.heed
that ! -e x.tar; say $? 'no model appears after an error'

# --- the command line
exits 0 '--check-options needs neither output nor development set' "nmt-train --check-options --patience 5 --keep-best"
exits 2 'no output file' toy --updates 1 few.heed
exits 2 'no stopping criterion' toy -o x.tar few.heed
exits 2 '--patience without --dev' toy --patience 2 -o x.tar few.heed
exits 2 'schedule linear without --updates' toy --epochs 1 --schedule linear -o x.tar few.heed
toy --updates 2 --schedule linear -o linear.tar few.heed
exits 2 '... or of the model of --init' nmt-train -t 1 --init linear.tar --epochs 1 -o x.tar few.heed
exits 2 'schedule plateau without --dev' toy --updates 1 --schedule plateau -o x.tar few.heed
toy --updates 2 --schedule plateau --dev few.heed -o plateau.tar few.heed
exits 2 '... or of the model of --init' nmt-train -t 1 --init plateau.tar --updates 1 -o x.tar few.heed
exits 2 '--dev-beam without BLEU' toy --updates 1 --dev dev.heed --dev-beam 2 -o x.tar few.heed
exits 0 '... but not with --stop-on bleu' nmt-train --check-options --updates 1 --dev-beam 2 --stop-on bleu
for o in '--min-count 2' '--max-types 9' --joint-vocab; do
	exits 2 "$o with --init" nmt-train -q -t 1 --init few.tar --updates 1 $o -o x.tar few.heed
done
exits 2 '--lr-factor with another schedule than noam' nmt-train --check-options --updates 1 --preset fairseq --lr-factor 2
exits 2 '--average without --save-every' toy --updates 1 --average 2 -o x.tar few.heed
exits 2 '--keep-best and --average' \
	toy --updates 2 --save-every 1 --average 2 --dev dev.heed --keep-best -o x.tar few.heed
exits 2 'an unknown setting of the architecture' toy --updates 1 --arch depth=3 -o x.tar few.heed
exits 2 'a number of heads that does not divide the width' \
	toy --updates 1 --arch heads=5 -o x.tar few.heed
toy --updates 1 --max-types 10 -o x.tar train.heed; nmt-info --vocabulary src x.tar | sort > got
heed-show -f src.pieces train.heed | tr ' ' '\n' | sort | uniq -c | sort -rn | head -n 10 | awk '{ print $2 }' |
	sort | equals - got; say $? '--max-types retains the most frequent tokens'
exits 2 'a number of vocabulary entries above 2^31' toy --updates 1 --max-types 4294967300 -o x.tar few.heed
exits 2 'a beam size above 2^32' toy --updates 1 --dev dev.heed --dev-bleu --dev-beam 4294967297 -o x.tar few.heed
exits 2 'an epsilon of 0' toy --updates 1 --eps 0 -o x.tar few.heed
runs toy --updates 1 -a plain -o plain.tar few.heed && runs toy --updates 1 -o x.tar few.heed &&
	equals plain.tar x.tar
say $? '-a plain is the same as no variant'; rm -f x.tar
exits 2 'an unknown attention variant' toy --updates 1 -a nonesuch -o x.tar few.heed
matches -x 'nmt-train: hint: -a help lists the variants' err; say $? '... with a hint'
for v in dependency_mask dea; do
	exits 2 "... that is called $v" toy --updates 1 -a $v -o x.tar few.heed
	matches -x 'nmt-train: hint: did you mean dependency-mask?' err; say $? '... with its name as a hint'
done
for f in 'first=2:first=2 is above last=1' 'first=2,last=9:layers 2 to 9, expected them from 1 to 2'; do
	exits 2 "layers ${f%%:*}" toy --arch enc_layers=2 --updates 1 -a dependency-mask:${f%%:*} -o x.tar few.heed
	matches "${f#*:}" err; say $? '... with this message'
done
exits 2 'a pattern that matches no parameter' toy --updates 1 --freeze nothing -o x.tar few.heed
exits 2 'a learning rate that a model file cannot hold' toy --updates 1 --lr 1e5 -o x.tar few.heed
matches -x "nmt-train: --lr: '1e5', expected a number from 0 to 1000" err && that ! -e x.tar
say $? '... with the limits'
exits 2 '... nor Adam'\''s beta 2' toy --updates 1 --beta2 0.99999999 -o x.tar few.heed
matches -x "nmt-train: --beta2: '0.99999999', expected a number from 0 to 0.999999" err; say $? '... with digits that tell them apart'
exits 2 '... or whose noam factor it cannot hold' \
	toy --updates 1 --schedule noam --warmup 10000 --lr 100 -o x.tar few.heed
matches 'lr_factor is [0-9.]*, expected 0 to 1000' err; say $? '... with the factor'
exits 2 'two input files' toy --updates 1 -o x.tar few.heed few.heed
exits 4 'an output in a missing folder' toy --updates 1 -o nowhere/x.tar few.heed


# --- files: none is written that is another file of the training
cp few.heed model.heed; ln -s model.heed link.heed; cp few.heed model.3.heed
exits 2 'a log with the name of the output' toy --updates 1 --log ./x.tar -o x.tar few.heed
matches -x 'nmt-train: ./x.tar: both -o and --log, expected different files' err; say $? '... both named'
exits 2 'a checkpoint with the name of the output' toy --updates 1 --checkpoint x.tar -o x.tar few.heed
exits 2 'the output is the input' toy --updates 1 -o model.heed link.heed
exits 2 'the log is the development set' toy --updates 1 --dev link.heed --log model.heed -o x.tar few.heed
exits 2 'a model of --save-every is the input' toy --updates 6 --save-every 3 -o ./model.heed model.3.heed
exits 2 '... or the checkpoint' toy --updates 6 --save-every 3 -o x.tar --checkpoint x.6.tar few.heed
equals few.heed model.heed && equals few.heed model.3.heed && that ! -e x.tar; say $? '... all are unchanged'
toy --updates 1 -o begun.tar few.heed; cp begun.tar more.3.tar
exits 2 'the log is the model of --init' nmt-train -q -t 1 --init begun.tar --updates 1 --log begun.tar -o x.tar few.heed
exits 2 '... a model of --save-every is' nmt-train -q -t 1 --init more.3.tar --updates 6 --save-every 3 -o more.tar few.heed
runs nmt-train -q -t 1 --init begun.tar --updates 1 -o begun.tar few.heed && differ begun.tar more.3.tar; say $? '... the trained model may replace it'
runs toy --updates 1 --save-every 3 -o /dev/null --log /dev/null model.3.heed
say $? 'the same device and other updates are accepted'

# --- --check-options
exits 0 '--check-options needs no stopping criterion' nmt-train --check-options
exits 2 '... but checks the settings of variants' nmt-train --check-options -a dependency-mask:frist=1
exits 2 'a training needs one' 'nmt-train -o x.tar few.heed'
matches -x 'nmt-train: no stopping criterion, expected --updates, --epochs or --patience' err; say $? '... and the message names the options'
for wrong in '-a dependency_mask' '--arch widht=128' '--freeze nothing'; do
	exits 2 "... after $wrong is right" "nmt-train -o x.tar $wrong few.heed"; lacks stopping err; say $? '... which is reported first'
done
exits 2 '--check-options checks the name of the back end' nmt-train --check-options --updates 1 --backend nosuch
six='--updates 1 -a relative:last=6'
exits 2 '... and the layers of the model of --init' nmt-train --check-options --init few.tar $six
exits 0 '... or of a new model, if that does not exist' nmt-train --check-options --init nowhere.tar $six
exits 0 '... whose schedule is not known yet' nmt-train --check-options --init nowhere.tar --updates 3 --lr-factor 2
toy --updates 1 -a l0-gate -o gate.tar few.heed
exits 0 '... and its parameters' "nmt-train --check-options --updates 1 --init gate.tar --freeze '*log_alpha*'"

# --- parameters
unpack() { rm -rf "$2"; mkdir "$2"; tar xf "$1" -C "$2"; }
toy --updates 1 --freeze 'enc.*' -o a.tar few.heed &&
	toy --updates 5 --freeze 'enc.*' -o b.tar few.heed
unpack a.tar a && unpack b.tar b
for f in a/param/enc.*; do cmp -s "$f" "b/${f#a/}" || echo "$f"; done > moved
that ! -s moved && that -n "$(ls a/param/enc.*)"; say $? 'frozen parameters do not change'
ls a/param | grep -v '^enc' | while read -r f; do cmp -s "a/param/$f" "b/param/$f" &&
	echo "$f"; done > still
that ! -s still; say $? '... all others do'
runs toy --updates 1 --lr 0 --init few.tar -o c.tar few.heed
say $? '--init initializes from another model'
unpack c.tar c; unpack few.tar d; equals c/param d/param
say $? '... with its parameters'
equals c/vocab d/vocab; say $? '... and its vocabularies'
gates='-a l0-gate:at=enc,init=9'
toy --updates 2 -a relative:k=2 -o rel.tar few.heed
toy --updates 3 --init rel.tar $gates --freeze 'dec.*' --dev few.heed --validate-every 3 --log log \
	-o g.tar few.heed
nmt-info g.tar | grep '^attention' | tr -d '\n' | matches 'relative:k=2.*l0-gate:at=enc'
say $? '-a adds a variant to those of the model of --init'
unpack rel.tar r; unpack g.tar g; equals r/param/dec.1.self.qkv.weight g/param/dec.1.self.qkv.weight
say $? '... whose frozen parameters do not change'
that "$(ls g/param | grep -c log_alpha)" = 1 && heed-show log |
	matches '"dev.gates.enc.1.self.2":' &&
	heed-show -f dev.gates.open,dev.gates.closed,dev.gates.fractional log |
	matches '^2.0	0.0	0.0'
say $? '... gates are initially open, and the log has them'
runs toy --updates 1 --init g.tar -a relative:k=1 -o h.tar few.heed && nmt-info h.tar |
	matches 'relative:k=1' &&
	nmt-info h.tar | matches 'l0-gate:at=enc'
say $? '... -a changes the settings of one variant and keeps the other'
toy --updates 1 --init g.tar -a plain -o h.tar few.heed; nmt-info h.tar | grep -q 'gate\|relative'
that $? = 1; say $? '... -a plain drops all'
exits 2 '... plain with settings is an unknown variant' toy --updates 1 --init g.tar -a plain:foo=1 -o h.tar few.heed
nmt-train -t 1 --updates 1 --init g.tar -a relative:k=1 -o h.tar few.heed 2>&1 |
	matches -x "g.tar: $(($(ls g/param | wc -l) - 2)) of $(ls g/param | wc -l) parameters copied, the others initialized at random"
say $? '... and the number of copied parameters is printed if it is not all'
toy --updates 1 --init few.tar --preset fairseq --arch width=16,ff=48 -o h.tar few.heed 2> err
that "$(cat err)" = 'nmt-train: warning: few.tar: no matching parameters, all are initialized at random'
say $? 'a model without matching parameters is warned of'
toy --updates 1 --seed 2 -o e.tar few.heed; equals a.tar e.tar; that $? = 1
say $? 'another seed gives another model'
# Without dropout, nothing depends on its seed: neither the initial parameters nor the batches.
for k in '' 1 2; do
	toy --updates 4 --dropout 0.3 ${k:+--dropout-seed $k} -o drop.tar few.heed && tar -xOf drop.tar --wildcards '*param/*' > drop$k
	toy --updates 4 --dropout 0 ${k:+--dropout-seed $k} -o drop.tar few.heed && tar -xOf drop.tar --wildcards '*param/*' > none$k
done
that -s drop && equals drop drop1 && differ drop drop2; say $? 'another seed of dropout gives another model'
that -s none && equals none none1 && equals none none2; say $? '... with the same initial parameters and batches'
toy -t 2 --updates 5 -o f1.tar train.heed; toy -t 1 --updates 5 -o f2.tar train.heed
toy -t 3 --updates 5 -o f3.tar - < train.heed
equals f1.tar f2.tar && equals f1.tar f3.tar
say $? 'one, two or three threads, file or pipe: the same bytes'

# --- parts of batches
toy --updates 9 --dropout 0.2 --log-every 1 --log whole.log -o whole.tar few.heed
toy --updates 9 --dropout 0.2 --part-tokens 50 --log-every 1 --log parts.log --checkpoint parts.cp -o parts.tar few.heed
loss() { heed-show -f step,loss "$1" | awk -F "\t" '$2 > 0'; }
loss whole.log > whole.tsv; loss parts.log > parts.tsv
differ whole.tar parts.tar && that "$(wc -l < parts.tsv)" = 9 && paste whole.tsv parts.tsv |
	computes - '$1 != $3 || ($2 - $4) ^ 2 > (1e-4 * $2) ^ 2 { exit 1 }'
say $? 'smaller parts of batches: the same losses but for rounding'
for t in 3 16; do
	toy --updates 9 --dropout 0.2 --part-tokens 50 -t $t -o three.tar few.heed; equals parts.tar three.tar
	say $? "... the same bytes with $t threads"
done
toy --updates 9 --dropout 0.2 --part-tokens 2048 -o x.tar few.heed; equals whole.tar x.tar; say $? '... the default is 2048'
exits 2 'resuming with other parts is refused' \
	toy --updates 20 --dropout 0.2 --part-tokens 2048 --checkpoint parts.cp -o x.tar few.heed
matches -- '--part-tokens was 50, is 2048' err; say $? '... by name'
for w in 256 264; do
	toy --updates 1 --arch width=$w --checkpoint wide.$w.cp -o x.tar few.heed
	! toy --updates 2 --arch width=$w --part-tokens 50 --checkpoint wide.$w.cp -o x.tar few.heed 2> wide.$w
done
toy --updates 2 --arch width=264 --part-tokens 2048 --checkpoint old.cp -o old.tar few.heed
runs toy --updates 3 --arch width=264 --checkpoint old.cp -o old.tar few.heed &&
	runs toy --updates 3 --arch width=264 --part-tokens 2048 -o x.tar few.heed && equals old.tar x.tar
say $? '... a resumed training keeps its parts'
matches -- '--part-tokens was 2048, is 50' wide.256 && matches -- '--part-tokens was 1024, is 50' wide.264
say $? '... the default is 1024 for wide models'
runs toy --updates 20 --dropout 0.2 --part-tokens 50 --checkpoint parts.cp -o x.tar few.heed &&
	runs toy --updates 20 --dropout 0.2 --part-tokens 50 -o parts.tar few.heed && equals parts.tar x.tar
say $? '... with the same it gives the same bytes'; rm -f x.tar

# --- resuming a training with --init
tuned() { toy --updates "$1" --init "$2" --checkpoint "$3" -o "$4" few.heed 2> err; }
toy --updates 1 --seed 2 --dropout 0 --label-smoothing 0 -o other.tar few.heed; cp few.tar moved.tar
runs tuned 3 few.tar init.cp y.tar && runs tuned 6 moved.tar init.cp y.tar; say $? 'a training with --init is resumed with the same model'
exits 2 '... but not with another one' toy --updates 9 --init other.tar --checkpoint init.cp -o y.tar few.heed
matches -- '--init was digest [0-9a-f]*, is digest [0-9a-f]*' err; say $? '... by name'
exits 2 '... and not without' toy --updates 9 --checkpoint init.cp -o y.tar few.heed
tar xOf init.cp train > state && at=$(($(grep -abo -- '--init' state | cut -d : -f 1) / 4))
perl "$HEED_TOP/tests/spoil.pl" init.cp old.cp element train $at \
	"$(sed 's/--init/--past/' state | tail -c +$((4 * at + 1)) | head -c 8 | od -An -tx1 | tr -d ' \n')"
runs tuned 9 other.tar old.cp y.tar; say $? '... unless the checkpoint is of an older version'
runs tuned 3 moved.tar moved.cp moved.tar && differ few.tar moved.tar && runs tuned 6 moved.tar moved.cp moved.tar; say $? '... or the output has replaced the model'

# --- precision
toy --updates 20 --dropout 0.2 --precision bf16 -o half.tar few.heed &&
	toy --updates 20 --dropout 0.2 -o full.tar few.heed
nmt-info half.tar | matches -x "recipe.precision$(printf '\t')bf16"
say $? 'a model records that it was trained in bf16'
nmt-info full.tar | matches -x "recipe.precision$(printf '\t')fp32"; say $? '... or in fp32'
unpack half.tar half; unpack full.tar full
w=param/enc.1.self.qkv.weight; that -s half/$w && differ half/$w full/$w
say $? '... and the models differ'
toy --updates 20 --dropout 0.2 --precision bf16 -t 3 -o three.tar few.heed; equals half.tar three.tar
say $? '... the same with three threads'
toy --updates 9 --dropout 0.2 --precision bf16 --checkpoint half.cp -o x.tar few.heed
exits 2 'resuming with another precision is refused' \
	toy --updates 20 --dropout 0.2 --checkpoint half.cp -o x.tar few.heed
matches -- '--precision was bf16, is fp32' err; say $? '... by name'
toy --updates 20 --dropout 0.2 --precision bf16 --checkpoint half.cp -o x.tar few.heed; equals half.tar x.tar
say $? '... resuming with the same one gives the same bytes'; rm -f x.tar
# the default is auto: the first line on standard error and the log have the choice
nmt-train --size tiny -c codes --updates 1 --warmup 0 --log log -o auto.tar few.heed 2> said
sed -n '1s/^nmt-train: precision \([a-z0-9]*\), back end \([a-z]*\): .*/\1 \2/p' said > chosen
runs read -r precision backend < chosen; say $? 'the first line has the precision and the reason'
nmt-info auto.tar | matches -x "recipe.precision$(printf '\t')$precision"
say $? '... the model has the precision'
heed-show log | head -n 1 | matches "\"precision\":\"$precision\",\"backend\":\"$backend\""
say $? '... and the log'
runs nmt-train -q --no-pg --size tiny -c codes --updates 1 --warmup 0 --precision auto -o 1.tar few.heed &&
	runs nmt-train -q --no-pg --size tiny -c codes --updates 1 --warmup 0 --precision "$precision" -o 2.tar few.heed &&
	equals 1.tar 2.tar; say $? '... auto and that precision give the same model'
# a training continues from its checkpoint: another state there gives another model
toy --updates 9 --dropout 0.2 --checkpoint nine.cp -o x.tar few.heed
for member in $w adam/m${w#param} adam/v${w#param}; do
	rm -f other.tar
	runs perl "$HEED_TOP/tests/spoil.pl" nine.cp other.cp element $member 5 0000003f &&
		runs toy --updates 20 --dropout 0.2 --checkpoint other.cp -o other.tar few.heed &&
		that -s other.tar && differ full.tar other.tar
	say $? "a training continues from $member of its checkpoint"
done
# a training resumes with the precision of its checkpoint, even if another is faster here
toy --updates 9 --dropout 0.2 --precision bf16 --backend native --checkpoint native.cp -o x.tar few.heed
toy --updates 20 --dropout 0.2 --precision bf16 --backend native -o native.tar few.heed
cp native.cp early.cp; toy --updates 20 --dropout 0.2 --precision auto --checkpoint native.cp -o x.tar few.heed; equals native.tar x.tar
say $? 'auto resumes with the precision and the back end of the checkpoint, bf16'
toy --updates 9 --dropout 0.2 --checkpoint full.cp -o x.tar few.heed
toy --updates 20 --dropout 0.2 --precision auto --checkpoint full.cp -o x.tar few.heed; equals full.tar x.tar
say $? '... and fp32'
# of an earlier version: the products were those of a back end onednn
tar xOf early.cp train > state && at=$((($(grep -abo -- '--backend' state | cut -d : -f 1) + 10) / 4))
perl "$HEED_TOP/tests/spoil.pl" early.cp old.cp element train $at \
	"$(sed 's/--backend native/--backend onednn/' state | tail -c +$((4 * at + 1)) | head -c 12 | od -An -tx1 | tr -d ' \n')"
rm -f x.tar; tar xOf old.cp train | matches -ax 'set --backend onednn' &&
	runs toy --updates 20 --dropout 0.2 --precision auto --checkpoint old.cp -o x.tar few.heed && equals native.tar x.tar
say $? '... also if it has the back end onednn of earlier versions, as native'
exits 2 'that name is an error' toy --updates 9 --precision bf16 --backend onednn -o x.tar few.heed
matches "unknown back end 'onednn', expected one of native, " err && matches 'onednn is replaced by native' err
say $? '... that names what replaced it'
rm -f x.tar
exits 2 'an unknown precision' toy --updates 1 --precision fp16 -o x.tar few.heed
exits 2 'int16 is not available for training' toy --updates 1 --precision int16 -o x.tar few.heed
exits 2 'a precision in --backend is refused' \
	toy --updates 1 --backend native:bf16 -o x.tar few.heed

# --- one update from one batch, or from several
toy --updates 1 --batch-tokens 100000 --log whole -o x.tar few.heed
toy --updates 1 --batch-tokens 150 --accumulate 9 --log parts -o x.tar few.heed
{ rows loss,nll,norm,tokens whole; rows loss,nll,norm,tokens parts; } |
    computes - 'NR == 1 { for (i = 1; i <= 4; i++) a[i] = $i; next }
	{ for (i = 1; i <= 4; i++) { d = a[i] / $i - 1; if (d * d > 1e-9) bad = 1 } } END { exit bad || NR != 2 }'
say $? 'accumulated batches give the gradient of one batch'

# --- batches larger than a part
toy --updates 1 --dropout 0.2 --word-dropout 0.1 --batch-tokens 100000 --log whole -o x.tar train.heed
toy --updates 1 --dropout 0.2 --word-dropout 0.1 --batch-tokens 500 --accumulate 99 --log parts -o x.tar train.heed
{ rows loss,nll,norm,tokens whole; rows loss,nll,norm,tokens parts; } |
    computes - 'NR == 1 { for (i = 1; i <= 4; i++) a[i] = $i; next }
	{ for (i = 1; i <= 4; i++) { d = a[i] / $i - 1; if (d * d > 1e-9) bad = 1 } }
	END { exit bad || NR != 2 || a[4] <= 2 * 2048 }'
say $? '... and so does a batch of several parts'
big='--updates 3 --dropout 0.2 --batch-tokens 100000 --clip 1'
toy $big -o one.tar train.heed
for t in 2 3 9; do
	toy $big -t $t -o x.tar train.heed; equals one.tar x.tar
	say $? "... with $t threads to the same bytes"
done
toy $big -t 2 --profile -o x.tar train.heed 2> table; equals one.tar x.tar
say $? '... and with --profile'

# --- curriculum: 30 updates of one pair each; the first is the shortest of all 24
runs toy --epochs 1 --batch-tokens 1 --curriculum 30 --dev dev.heed --log log --log-every 1 -o x.tar few.heed
say $? 'trains with a curriculum'
if command -v script > /dev/null; then
	script -qc 'nmt-train --size tiny -t 1 --precision fp32 --epochs 1 --batch-tokens 1 --curriculum 30 -o y.tar few.heed' /dev/null |
		tr '\r' '\n' | matches '1/54 updates'; say $? '... whose updates are in the total of the progress line'
else
	say 0 '# SKIP no script(1), which makes a terminal'
fi
heed-show -f tgt.pieces,src.pieces few.heed |
	awk -F '\t' '{ t = split($1, a, " ") + 1; print t, split($2, a, " ") + 1 + t }' |
    sort -n -k 1,1 -k 2,2 | head -n 1 | cut -d ' ' -f 2 > shortest
rows tokens log | head -n 1 | equals - shortest; say $? '... that begins with the shortest pair'
rows step log | tail -n 1 | matches -x 54; say $? '... the first epoch follows it'
rows step,dev.nll log | awk 'NF == 2 { print $1 }' | paste -s -d ' ' - | matches -x '30 54'
say $? '... and both end with a validation'
runs toy --updates 1 --lr 0 --schedule linear --warmup 1 -o x.tar few.heed && runs nmt-info x.tar > /dev/null
say $? 'a model trained with learning rate 0 is readable'

# --- validation and stopping
toy --lr 0 --updates 100 --dev dev.heed --validate-every 2 --patience 3 --log log -o x.tar few.heed
rows step,dev.nll log | awk 'NF == 2' | tail -n 1 | cut -f 1 | matches -x 8
say $? '--patience 3 stops after three validations without a new best'
rows dev.nll log | sort -u | awk 'NF' | wc -l | matches -x 1; say $? '... with equal scores'
toy --updates 60 --dev dev.heed --validate-every 10 --keep-best --log log -o best.tar few.heed
rows step,dev.nll log | sort -t "$(printf '\t')" -k 2,2g | head -n 1 > first
toy --lr 0 --updates 1 --init best.tar --dev dev.heed --validate-every 1 --log log2 -o x.tar few.heed
rows dev.nll log2 | paste first - | computes - '{ d = $2 - $3; exit !(d * d < 1e-10) }'
say $? '--keep-best writes the best parameters'
toy --updates 6 --dev few.heed --stop-on bleu --validate-every 3 --log log -o x.tar few.heed
rows dev.bleu log | awk '$1 != "" && $1 >= 0 && $1 <= 100' | wc -l | matches -x 2
say $? 'BLEU of the development set is in the log'
toy --updates 1 --init few.tar --lr 0 --dev few.heed --dev-bleu --validate-every 1 --log log -o x.tar few.heed
rows dev.bleu log | computes - '{ exit !($1 > 95) }'; say $? '... and is high for a memorized corpus'
toy --lr 0 --schedule plateau --lr-shrink 0.5 --updates 4 --dev dev.heed --validate-every 1 --lr 1e-30 --log log \
    -o x.tar few.heed
rows lr log | tr '\n' ' ' | matches -x '1e-30 1e-30 5e-31 2.5e-31 '
say $? 'schedule plateau halves the learning rate'
toy --schedule plateau --lr-shrink 0.5 --lr-patience 2 --updates 6 --dev dev.heed --validate-every 1 --lr 1e-30 --log log \
    -o x.tar few.heed
rows lr log | tr '\n' ' ' | matches -x '1e-30 1e-30 1e-30 5e-31 5e-31 2.5e-31 '
say $? '... with --lr-patience 2 after two validations without a new best'
toy --updates 1 --init best.tar --lr 0 --dev dev.heed --dev-bleu --dev-beam 4 --validate-every 1 --log log -o x.tar few.heed
heed-show -f tgt dev.heed > dev.tgt
for beam in 1 4; do
	nmt-translate -q --precision fp32 -m best.tar --beam $beam --max-ratio 1.5 --max-extra 10 dev.heed | heed-show -f hyp |
		bleu -q -b --tokenizer none -r dev.tgt
done > scores
{ tail -n 1 scores; rows dev.bleu log; } | computes - '{ a[NR] = sprintf("%.1f", $1) } END { exit NR != 2 || a[1] != a[2] }'
say $? '--dev-beam 4: BLEU is that of nmt-translate --beam 4'
uniq scores | wc -l | matches -x 2; say $? '... which is not that of greedy search'
exits 5 'a mean loss above the limit of --explode ends the training' toy --updates 110 --lr 5 --explode 1 -o x.tar few.heed
exits 0 '... and 0 sets no limit' toy --updates 110 --lr 5 --explode 0 -o x.tar few.heed

# --- the output mask: the old pairs have a b c on the source side and x y on the target side; the new
# pair has a target token that the old pairs do not have, and lacks y
one() { printf '%s\n' "$1" > one.src; printf '%s\n' "$2" > one.tgt; heed-pack --no-pg one.src one.tgt | bpe-apply -c none; }
echo '#version: 0.2' > none
one 'a b c
b c' 'x y
y' > old.heed
one a 'x c' > new.heed
one 'a
b' 'y x
y' > unseen.heed
# allowed MODEL: the target vocabulary entries that are not masked, and the bytes of the special ones
allowed() {
	tar xOf "$1" mask/tgt | od -An -v -t u1 -w1 > bytes
	tar xOf "$1" vocab/tgt > entries
	{ printf '<pad>\n<bos>\n<eos>\n<unk>\n'; cat entries; } | paste -d ' ' - bytes |
		awk '$2 { print $1 }' | sort | paste -s -d ' ' -
}
tree() { toy --preset witwicky --updates 2 "$@"; }
tree -o old.tar old.heed; that "$(allowed old.tar)" = '<eos> <unk> x y'
say $? 'the output mask allows the tokens of the target side'
toy --updates 2 --init old.tar --log log -o new.tar new.heed; that "$(allowed new.tar)" = '<eos> <unk> c x y'
say $? '... after --init those of the old or the new target side'
heed-show log | matches -xF '["heed-note","mask.tgt","2"]' && nmt-info new.tar |
	matches -x "mask.tgt$(printf '\t')2"
say $? '... the log and nmt-info count the masked entries'
nmt-train -t 1 --updates 1 --init old.tar -o x.tar new.heed 2>&1 |
	matches -x 'output mask: 2 of 5 target vocabulary entries are masked'
say $? '... and so does nmt-train'
nmt-score -q -m new.tar unseen.heed 2> err > scored.heed
that "$(heed-show -f score scored.heed | grep -c '^-[0-9]')" = 2 && that ! -s err
say $? '... and old target tokens keep their probability'
tree --init old.tar --arch enc_layers=2 -o x.tar new.heed; that "$(allowed x.tar)" = '<eos> <unk> c x y'
say $? '... also with another preset'
runs toy --updates 1 --arch tie=all -o open.tar old.heed && runs tree --init open.tar -o x.tar new.heed &&
	that "$(allowed x.tar)" = '<eos> <unk> a b c x y'
say $? 'a model without a mask allows all tokens'
tree --init old.tar --arch output_mask=off -o x.tar new.heed; tar tf x.tar | lacks mask
say $? '... and the mask can be turned off'
one c 'a x' > dev.masked
tree --dev dev.masked -o x.tar old.heed 2> err
matches "dev.masked: the model's output mask excludes 1 of 3 target tokens: they do not count" err
say $? 'masked tokens of the development set are reported'

# --- models of --save-every
toy --updates 9 --save-every 2 --keep-last 3 -o k.tar few.heed
echo k.*.tar | matches -x 'k.4.tar k.6.tar k.8.tar'; say $? '--keep-last keeps the last three models'
toy --updates 13 --save-every 2 --keep-last 2 --keep-every 4 -o e.tar few.heed
echo $(ls e.*.tar | sort -V) | matches -x 'e.4.tar e.8.tar e.10.tar e.12.tar'
say $? '... and --keep-every some more'
heed-sample -n 1 few.heed > one.heed
runs toy --updates 2048 --save-every 2048 --keep-last 9007199254740992 --arch width=8,ff=8 -o o.tar one.heed && that -e o.2048.tar
say $? '... --keep-last 2^53 keeps all'
toy --updates 12 --save-every 2 --checkpoint f.cp -o f.tar few.heed
toy --updates 14 --save-every 2 --keep-last 3 --keep-every 6 --checkpoint f.cp -o f.tar few.heed
echo $(ls f.*.tar | sort -V) | matches -x 'f.6.tar f.10.tar f.12.tar f.14.tar'; say $? '... a resumed training removes the others'
toy --updates 14 --save-every 2 --keep-last 1 --keep-every 6 --checkpoint f.cp -o f.tar few.heed
echo $(ls f.*.tar | sort -V) | matches -x 'f.6.tar f.12.tar f.14.tar'; say $? '... also one that is finished'
cp f.6.tar g.12.tar; toy --updates 14 --save-every 2 --keep-last 1 --checkpoint f.cp -o g.tar few.heed; that -e g.12.tar
say $? '... but no files with the names of another output'
for k in 2 4 6 8 10 12 14; do cp f.6.tar i.$k.tar; done; mkdir elsewhere; cp f.6.tar elsewhere/f.12.tar; cp f.cp g.cp; cp f.cp n.cp
toy --updates 16 --save-every 2 --keep-last 1 --checkpoint g.cp -o i.tar few.heed; that $(ls i.*.tar | wc -l) = 8
say $? '... not even if they could all be of this training'
toy --updates 16 --save-every 2 --keep-last 1 --checkpoint n.cp -o elsewhere/f.tar few.heed; that -e elsewhere/f.12.tar
say $? '... or are in another folder'
exits 2 '--updates below those of the checkpoint' toy --updates 13 --checkpoint f.cp -o below.tar few.heed
matches 'f.cp has 14 updates, expected at most --updates, 13' err && that ! -e below.tar; say $? '... and no model'
toy --epochs 3 --checkpoint h.cp -o h.tar few.heed; rm h.tar
exits 2 '--epochs below those of the checkpoint' toy --epochs 2 --checkpoint h.cp -o h.tar few.heed
toy --batch-tokens 100 --epochs 2 --log h.log -o h.tar few.heed; whole=$(rows step h.log | tail -n 1)
toy --batch-tokens 100 --updates $((whole + 1)) --checkpoint i.cp -o h.tar few.heed
exits 2 '... by a part of an epoch' toy --batch-tokens 100 --epochs 2 --checkpoint i.cp -o h.tar few.heed
exits 0 '... but the same number writes the model' "toy --epochs 3 --checkpoint h.cp -o h.tar few.heed && [ -e h.tar ]"
exits 2 '--keep-every that is not a multiple of --save-every' \
	toy --updates 9 --save-every 2 --keep-last 2 --keep-every 3 -o e.tar few.heed
toy --updates 9 --save-every 2 --average 1 -o l.tar few.heed
unpack l.tar l; unpack k.8.tar k; equals l/param k/param
say $? 'the average of one model is that model'
toy --updates 5 --save-every 4 --average 2 -o m.tar few.heed 2> err; runs unpack m.4.tar m4 && runs unpack m.tar m && equals m4/$w m/$w
say $? '... also if more are asked for'
echo 'nmt-train: warning: 1 of 2 models to average at the end, update 5' | equals - err; say $? '... with a warning'
runs toy --epochs 1 --save-every 100 --average 2 -o m.tar few.heed 2> err && runs toy --epochs 1 -o l.tar few.heed && equals m.tar l.tar &&
	matches '0 of 2 models to average .*, whose parameters are written' err
say $? '... or the last parameters if no model was saved'
toy --updates 4 --save-every 2 --checkpoint a.cp -o a.tar few.heed; cp few.tar a.3.tar
toy --updates 6 --save-every 3 --average 2 --checkpoint a.cp -o a.tar few.heed 2> err; runs unpack a.tar a && runs unpack a.6.tar a6 && equals a/$w a6/$w
say $? 'models of another --save-every, before the training was resumed, are not averaged'
matches '1 of 2 models to average at the end, update 6' err; say $? '... with a warning'
toy --updates 5 --save-every 2 --average 2 --checkpoint b.cp -o b.tar few.heed && toy --updates 6 --save-every 2 --average 2 --checkpoint b.cp -o b.tar few.heed 2> err
toy --updates 6 --save-every 2 --average 2 -o c.tar few.heed; that ! -s err && equals b.tar c.tar; say $? '... but those of the same one'
cp a.6.tar d.4.tar; runs toy --updates 6 --average 2 --save-every 2 --checkpoint b.cp -o d.tar few.heed 2> err && matches '0 of 2 models' err; say $? 'another output has no models to average'
runs toy --seed 2 --updates 3 --save-every 1 -o e.tar few.heed && runs toy --updates 3 --save-every 1 --checkpoint e.cp -o f.tar few.heed &&
	runs toy --updates 4 --save-every 1 --average 3 --checkpoint e.cp -o e.tar few.heed 2> err && matches '1 of 3 models' err
say $? '... also if it had no --average before'
exits 2 'too few updates for a model to average' toy --updates 3 --save-every 100 --average 2 -o x.tar few.heed
matches -- '--average needs --updates of at least --save-every' err; say $? '... before training'

# --- divergence
exits 5 'an exploding loss ends the training' \
	toy --updates 400 --lr 300 --checkpoint-every 1 --checkpoint bad.tar --log bad.log -o bad.out few.heed
matches 'update [0-9]' err && matches 'bad.tar has update' err
say $? '... the message has the update of the checkpoint'
tar tf bad.tar | matches -x end && that ! -e bad.out
say $? '... which is complete, and there is no model'
heed-show bad.log | head -n 1 | matches '"ended":"diverged"'; say $? '... and the log says that the training diverged'
# Only the word 9, which does not occur in training, has an embedding that overflows.
echo 9 > nine.en; cp nine.en nine.xx
for s in en xx; do cat few.$s nine.$s > both.$s; done
for f in nine both; do heed-pack --no-pg $f.en $f.xx | bpe-apply --no-pg -c codes > $f.heed; done
toy --arch tie=none --updates 1 -o small.tar both.heed
id=$(($(nmt-info --vocabulary src small.tar | grep -nx 9 | cut -d : -f 1) + 3))	# the first line has id 4
perl "$HEED_TOP/tests/spoil.pl" small.tar huge.tar element param/src.embed.weight $((id * 32)) e6b1617f
exits 5 'a loss of the development set that is no number ends the training before its BLEU' \
	toy --init huge.tar --updates 1 --dev nine.heed --dev-bleu --log huge.log -o huge.out few.heed
heed-show huge.log | head -n 1 | matches '"ended":"diverged"'; say $? '... and the log says so, too'

# --- signals
toy --updates 100000 --save-every 1 --keep-last 1 --checkpoint-every 100000 --checkpoint t.cp --log t.log -o t.tar train.heed 2> err &
pid=$!
i=0; while [ $i -lt 300 ] && ! ls t.*.tar > /dev/null 2>&1; do sleep 0.1; i=$((i + 1)); done
kill -TERM $pid; wait $pid; that $? = 143; say $? 'SIGTERM ends with 143'
tar tf t.cp | matches -x train; say $? '... after saving the checkpoint'
heed-show t.log | head -n 1 | matches '"ended":"interrupted"'; say $? '... and the log'
exits 2 'resuming with other settings is refused' \
	toy --updates 100000 --dropout 0.2 --checkpoint t.cp -o t.tar train.heed
matches 'dropout' err; say $? '... with the name of the setting'
exits 2 'resuming with another corpus is refused' \
	toy --updates 100000 --checkpoint t.cp -o t.tar few.heed
head -c 30000 t.cp > cut.cp
exits 3 'a truncated checkpoint is refused' \
	toy --updates 100000 --checkpoint cut.cp -o t.tar train.heed
cp few.tar model.cp
exits 3 'a model is refused as a checkpoint' \
	toy --updates 100000 --checkpoint model.cp -o t.tar few.heed
equals few.tar model.cp; say $? '... and is not changed'

# --- the page: its tables of presets and sizes are those of the program
# table KEY: the lines of a table of nmt-train(1) whose first heading is KEY, with tabs
table() {
	awk -v key="$1" '/^\.It/ { on = on || $2 "." $3 == key } /^\.El/ { on = 0 } on' \
		"$HEED_TOP/man/nmt-train.1" | sed 's/^\.It //; s/ *Ta */\t/g; s/Em //g'
}
# facts MODEL: the settings of a model by the names of the page
facts() {
	nmt-info "$1" | awk -F '\t' '{ sub(/.*\./, "", $1); v[$1] = $2 } END { OFS = "\t"
		print "layer norm", v["pre_norm"] == "on" ? "pre" : "post"
		print "tied embeddings", v["tie"]; print "positions", v["positions"]; print "dropout", v["dropout_residual"]
		print "word dropout", v["word_dropout"]; print "label smoothing", v["label_smoothing"]
		print "smoothing", v["smoothing_variant"]; print "eps", v["adam_eps"]
		print "beta1, beta2", v["adam_beta1"] ", " v["adam_beta2"]
		print "schedule", v["schedule"]; print "warmup", v["warmup"]; print "clip", v["clip"]
		print "lr", v["lr"]; print "lr-init", v["lr_init"]; print "lr-factor", v["lr_factor"]
		print "weight decay", v["weight_decay"]
		print "search", v["search"]; print "beam", v["beam"]; print "length penalty", v["length_penalty"] }'
}
# same_facts COLUMN FACTS: a column of the table and the facts are the same, numbers by value
same_facts() {
	table Em.setting | tail -n +2 | awk -F '\t' -v c="$1" '$c != "" { print $1 "\t" $c }' > page
	computes -F '\t' 'function n(x) { return x ~ /^[0-9.e-]+$/ ? x + 0 : x }
		NR == FNR { want[$1] = n($2); k++; next }
		{ k--; if (n($2) != want[$1]) { bad = 1; print "# " $0 ", page: " want[$1] } }
		END { exit bad || k }' page "$2"
}
column=1
for preset in fairseq onmt witwicky story; do
	column=$((column + 1))
	runs nmt-train -q -t 1 --precision fp32 --preset $preset --size tiny --updates 1 -o x.tar few.heed &&
		runs facts x.tar > x.facts && same_facts $column x.facts
	say $? "nmt-train(1) has the settings of preset $preset"
done
runs nmt-train -q -t 1 --precision fp32 --preset t5 --joint-vocab --size tiny --updates 1 -o x.tar few.heed && runs facts x.tar |
    runs sed 's/pre$/post/; s/\tall$/\tdecoder/; s/\tnone$/\thalves/' > x.facts && same_facts 2 x.facts; say $? '... and t5 those of fairseq, apart from norm, ties and positions'
spec() { nmt-train -q -t 1 --preset t5 --joint-vocab --size tiny --updates 1 "$@" -o x.tar few.heed 2> err && nmt-info x.tar | awk -F '\t' '$1 == "attention" { print $2 }' | xargs; }
that "$(spec)" = 'bucket-bias:buckets=32,max=128,per_layer=off' && that "$(spec -a relative -a bucket-bias:buckets=8 | cut -c 1-21)" = bucket-bias:buckets=8 &&
    that "$(spec -a plain)" = plain; say $? '... with its variant, unless another or plain is given'
sed -n 's/^\t{ "\([a-z]*\)", \([0-9]*\), \2, \([0-9]*\), \([0-9]*\), \([0-9]*\), [0-9.]* },$/\1\t\2\t\3\t\4\t\5/p' \
	"$HEED_TOP/common/model/config.c" > sizes
table Em.size | tail -n +2 | equals - sizes && that "$(wc -l < sizes)" = 5
say $? '... and the sizes'
