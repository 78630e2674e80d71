#!/bin/sh
# The precision that nmt-translate chooses, one for all models of an ensemble: int8 where it is faster,
# else fp32; and what it reports.  The processor is what Linux says; MODE=portable does not use it.
. "$HEED_TOP/tests/lib.sh"
. "$HEED_TOP/tests/toy-model.sh"
plan 20

has() { grep -E -m 1 '^(flags|Features)' /proc/cpuinfo | grep -qw "$1"; }
if [ "${HEED_MODE:-release}" = portable ]; then unit=
elif has avx512_vnni; then unit='AVX-512 VNNI'
elif has avx_vnni; then unit=AVX-VNNI
elif has asimddp; then unit='NEON with dot products'
else unit=
fi
line='nmt-translate: precision'
fp32='; for fp32: --precision fp32'
if [ "$unit" ]; then
	fast=int8; echo "$line int8, back end native: $unit multiplies 8-bit integers faster$fp32" > line
else
	fast=fp32; : > line
fi

for s in 1 2; do
	nmt-train -q --precision fp32 --size tiny --arch width=128,ff=128 --updates 30 --lr 0.005 --warmup 10 --seed $s \
	    -c codes -o wide.$s.tar t.heed
done
nmt-average --i8 -o narrow.i8.tar model.tar

# by OPTIONS: the translations to out, the messages to err; as PRECISION OPTIONS: out has this precision, also in its header
by() { ends 0 nmt-translate --no-pg "$@" t.heed > out 2> all && { grep precision all > err || :; }; }
as() { p=$1; shift; runs nmt-translate -q --no-pg --precision $p "$@" t.heed > want && equals out want &&
	heed-show -H out | matches "\"translate.precision\":\"$p\""; }

nmt-translate -q --no-pg --precision fp32 -m wide.1.tar t.heed > fp32
by -m wide.1.tar --precision int8 && differ out fp32; say $? 'scores in int8 and in fp32 differ'
lacks . err; say $? 'a precision that is given is not reported'

by -m wide.1.tar && as $fast -m wide.1.tar; say $? "the default on this processor is $fast"
equals err line; say $? '... and one line reports int8, and how to get fp32'
by -m wide.1.tar --beam 2 -t 2 --batch-tokens 1 && as $fast -m wide.1.tar --beam 2; say $? '... with a beam and threads, too'
runs nmt-translate -q --no-pg -m wide.1.tar t.heed > out 2> err && that ! -s err && as $fast -m wide.1.tar
say $? '... and with -q, without a line'
nmt-translate -q --text -m wide.1.tar --precision $fast t.en > want
runs nmt-translate --text -m wide.1.tar t.en > out 2> all && equals out want && { grep precision all || :; } | equals - line; say $? '... and with --text'
by -m wide.1.tar --precision fp32 && equals out fp32 && lacks . err; say $? '--precision fp32 is obeyed'
nmt-translate -q --no-pg --precision fp32 --length-penalty 0 -m wide.1.tar t.heed | heed-show |
	sed 's/"tgt.pieces"/"x.tgt.pieces"/; s/"hyp.pieces"/"tgt.pieces"/' | heed-pack -q -j > hyp.heed
nmt-score -q -m wide.1.tar hyp.heed | heed-show -f hyp.score,score |
	computes - '{ if (($1 - $2) ^ 2 > 1e-8) bad = 1; n++ } END { exit bad || n != 6 }'; say $? '... with the scores of nmt-score'

# a width of 64, as in tiny, and other back ends
by -m model.tar && as fp32 -m model.tar && lacks . err; say $? 'a narrow model translates in fp32, which is not reported'
by -v -m model.tar && as fp32 -m model.tar
matches -x "$line fp32, back end native: .*\(width of 64\|no fast int8\)" err; say $? '... except with -v, which has the reason'
by -v --backend reference -m wide.1.tar && as fp32 --backend reference -m wide.1.tar &&
	echo "$line fp32, back end reference: back end reference is no faster in int8" | equals - err
say $? 'so does another back end'
by -v --precision bf16 -m wide.1.tar && matches "^$line bf16, back end native" err; say $? '-v reports a given precision, too'
exits 2 '-v with -q is refused' 'nmt-translate -q -v -m model.tar t.heed'

# ensembles
by -m wide.1.tar -m wide.2.tar && as $fast -m wide.1.tar -m wide.2.tar && equals err line
say $? 'all models of an ensemble have the precision, which is reported once'
for pair in 'wide.1.tar -m model.tar' 'model.tar -m wide.1.tar'; do
	by -v -m $pair && as fp32 -m $pair && matches "^$line fp32" err; say $? "fp32 with a narrow model ($pair)"
done

# models that are stored as 8-bit integers, on every processor
by -m narrow.i8.tar && as int8 -m narrow.i8.tar &&
	echo "$line int8, back end native: the model is stored as 8-bit integers$fp32" | equals - err
say $? 'a model that is stored as 8-bit integers translates in int8, also if it is narrow'
for pair in 'narrow.i8.tar -m model.tar' 'wide.1.tar -m narrow.i8.tar'; do
	by -m $pair && as int8 -m $pair && matches "a model is stored as 8-bit integers$fp32" err
	say $? "... and so do all models of an ensemble ($pair)"
done
