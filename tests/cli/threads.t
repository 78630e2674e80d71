#!/bin/sh
# threads: by default, programs have as many threads as the container and taskset allow processors.
. "$HEED_TOP/tests/lib.sh"

counter=$HEED_BUILD/tests/inject/threads.so
skip() { echo "1..0 # SKIP $*"; exit; }
[ "${HEED_MODE:-release}" = release ] || skip 'a preloaded library does not work with a sanitizer'
command -v taskset > /dev/null || skip 'no taskset'
all=$(sh "$HEED_TOP/src/papers/processors.sh")
first=$(taskset -pc $$ | sed 's/.*: //; s/[-,].*//')
. "$HEED_TOP/tests/toy-model.sh"

# count COMMAND...: the number of threads of the program
count() {
	rm -f number
	HEED_THREADS=number LD_PRELOAD=$counter "$@" > /dev/null 2> err || sed 's/^/# /' err
	tail -n 1 number
}
# usual COMMAND...: all processors, and one if there is one
usual() {
	that "$(count "$@")" = "$all" && that "$(count taskset -c "$first" "$@")" = 1
	say $? "$1: by default, as many threads as there are processors"
}
usual nmt-translate -m model.tar t.heed
usual nmt-score -m model.tar t.heed
usual nmt-train -q --size tiny --updates 1 -c codes -o next.tar t.heed
usual head-stat -q -m model.tar t.heed
usual head-lrp -q -m model.tar t.heed
usual head-curve -q -m model.tar --random 1 t.heed
head-lrp -q --tokens -m model.tar t.heed > lrp.heed
usual token-curve -q -m model.tar lrp.heed
usual word-align t.heed
usual parse -q --text --to conllu t.en
usual bleu -r t.de t.de
that "$(count nmt-score -t 3 -m model.tar t.heed)" = 3; say $? '-t: the number that is given'
# Eight parts of one sentence: a lane for each, of one thread; fewer lanes would have threads of their own.
for i in 1 2 3 4 5 6 7 8; do echo a b c; done > eight.en; cp eight.en eight.de
heed-pack eight.en eight.de | bpe-apply --no-pg -c codes > eight.heed
k=$(heed-show -f src.pieces eight.heed | head -n 1 | wc -w); train="nmt-train -q --size tiny --updates 1 -c codes --part-tokens $((k + 1))"
that "$(count $train -t 8 -o eight.tar eight.heed)" = 8 && that "$(count $train -t 16 -o eight.tar eight.heed)" = 24
say $? 'nmt-train: as many parts of a batch at once as there are threads'
plan $n
