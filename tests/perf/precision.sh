#!/bin/sh
# precision.sh: what each precision gains on this processor, and whether `auto` chooses the fastest.
#   HEED_BENCH_DATA    see lib/peer.sh; without data a corpus of two invented languages
#   HEED_BENCH_PARTS   "train translate"       HEED_BENCH_SIZES   "small base"
#   HEED_BENCH_TRAIN, HEED_BENCH_TRANSLATE   what is compared, PRECISION or PRECISION+BACKEND; one is fp32
#   HEED_BENCH_ROUNDS  3, all of these in turns in each
#   HEED_BENCH_UPDATES "8 4" timed ones, of small and of base; the three before them are not
#   HEED_BENCH_TOKENS  2048 in a batch         HEED_BENCH_SENTENCES 200 to translate
#   HEED_BENCH_MODEL   a model to translate with; without it one of 30 updates
# One thread, on one processor (HEED_BENCH_CPU, 0).  Training: nmt-train's default against --precision
# fp32 and the others, tokens a second of the clock, and of processor time, user and system, with start
# and end.  Medians, and the ratio of each to fp32's.
set -eu
top=${HEED_TOP:-$(pwd)}
here=$top/tests/perf
parts=${HEED_BENCH_PARTS:-train translate} sizes=${HEED_BENCH_SIZES:-small base}
rounds=${HEED_BENCH_ROUNDS:-3} updates=${HEED_BENCH_UPDATES:-8 4}
tokens=${HEED_BENCH_TOKENS:-2048} sentences=${HEED_BENCH_SENTENCES:-200}
pin="taskset -c ${HEED_BENCH_CPU:-0}"
. "$here/lib/peer.sh"
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
cd "$work"

if [ -n "${HEED_BENCH_DATA:-}" ]; then
	texts
	segment 8000
else
	awk -v n=6000 -v seed=1 -f "$top/tests/data/pairs.awk" > all
	for s in train val test_2016_flickr; do cut -f 1 all > $s.en; cut -f 2 all > $s.de; done
	segment 500
fi
heed-sample -n "$sentences" test_2016_flickr.heed > some.heed

median() { sort -n "$1" | awk '{ a[NR] = $1 } END { if (NR) print a[int((NR + 1) / 2)] }'; }
row() { printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$@"; }
options() {	# NAME: of the program
	case $1 in
	default) ;;
	*+*) echo "--precision ${1%+*} --backend ${1#*+}" ;;
	*) echo "--precision $1" ;;
	esac
}
# Processor seconds of the command, user and system, to cpu; what it prints of itself to said.
measured() {
	( "$@" > /dev/null 2> said; times ) | tail -n 1 | tr 'ms' '  ' |
	    awk '{ print 60 * $1 + $2 + 60 * $3 + $4 }' > cpu
}
table() {	# WHAT NAMES
	for p in $2; do
		row "$1" "$p" "$(median "clock.$p")" "$(median "cpu.$p")" \
		    "$(echo "$(median "clock.$p") $(median clock.fp32)" | awk '{ printf "%.2f", $1 / $2 }')" \
		    "$(echo "$(median "cpu.$p") $(median cpu.fp32)" | awk '{ printf "%.2f", $1 / $2 }')"
	done
}
train() {	# SIZE UPDATES
	names=${HEED_BENCH_TRAIN:-default fp32 bf16}
	rm -f clock.* cpu.*
	for i in $(seq "$rounds"); do
		for p in $names; do
			measured $pin nmt-train --size "$1" --preset fairseq --joint-vocab --arch tie=all \
			    -t 1 --batch-tokens "$tokens" --updates $((3 + $2)) $(options "$p") \
			    -o model.tar train.heed
			[ "$p" != default ] || [ "$i" != 1 ] || sed 1q said >&2
			sed -n 's|.* \([0-9]*\) tokens/s (.*|\1|p' said >> "clock.$p"
			echo "$2 $tokens $(cat cpu)" | awk '{ print int((3 + $1) * $2 / $3) }' >> "cpu.$p"
		done
	done
	table "train $1" "$names"
}
translate() {	# SIZE BEAM
	names=${HEED_BENCH_TRANSLATE:-fp32 bf16 int16 int8 auto}
	rm -f clock.* cpu.*
	for i in $(seq "$rounds"); do
		for p in $names; do
			begin=$(date +%s%N)
			measured $pin nmt-translate -t 1 --beam "$2" $(options "$p") --max-ratio 1.5 \
			    --max-extra 10 -m "$1.tar" -o out.heed some.heed
			[ "$p" != auto ] || [ "$i" != 1 ] || cat said >&2
			echo "$sentences $begin $(date +%s%N)" |
			    awk '{ printf "%.1f\n", $1 / ($3 - $2) * 1e9 }' >> "clock.$p"
			echo "$sentences $(cat cpu)" | awk '{ printf "%.1f\n", $1 / $2 }' >> "cpu.$p"
		done
	done
	table "translate $1 $([ "$2" = 1 ] && echo greedy || echo "beam $2")" "$names"
}

row what precision 'a second, clock' 'a second, processor' 'times fp32' 'times fp32'
for size in $sizes; do
	n=${updates% *}; [ $size = small ] || n=${updates#* }
	case $parts in *train*) train $size "$n" ;; esac
	case $parts in *translate*) ;; *) continue ;; esac
	if [ -n "${HEED_BENCH_MODEL:-}" ]; then cp "$HEED_BENCH_MODEL" $size.tar; else
		nmt-train -q --size $size --preset fairseq --joint-vocab --arch tie=all --lr 0.001 --warmup 40 \
		    --batch-tokens 1024 --updates 30 -o $size.tar train.heed
	fi
	for beam in 1 5; do translate $size $beam; done
done
