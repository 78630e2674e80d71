#!/bin/sh
# transformer.sh: training, translation and scaling in one table; part of make bench.
#   HEED_BENCH_DATA, HEED_BENCH_TORCH  see lib/peer.sh; without data a corpus of two invented languages
#   HEED_BENCH_MODELS folder with small.tar and base.tar to translate with (preset fairseq,
#                     tie=all); without it models of HEED_BENCH_PRETRAIN (40) updates
#   HEED_BENCH_PARTS  "train translate scaling"       HEED_BENCH_SIZES     "small base"
#   HEED_BENCH_ROUNDS 3, ours and theirs in turns     HEED_BENCH_PRECISION "fp32", or "fp32 bf16"
#   HEED_BENCH_UPDATES 12 timed ones; three before them are not
# Tokens are source plus target, with end symbols and without padding.  MFU: the products' share
# of what the threads' fp32 units could do.  A median of the rounds, and its ratio to the peer's
# best in the same rounds; memory is the largest seen, of all processes of a run together.
set -eu
top=${HEED_TOP:-$(pwd)}
here=$top/tests/perf
parts=${HEED_BENCH_PARTS:-train translate scaling} sizes=${HEED_BENCH_SIZES:-small base}
rounds=${HEED_BENCH_ROUNDS:-3} updates=${HEED_BENCH_UPDATES:-12} precisions=${HEED_BENCH_PRECISION:-fp32}
warm=3
. "$here/lib/peer.sh"
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
cd "$work"

invented() {
	awk -v n=22000 -v seed=1 -f "$top/tests/data/pairs.awk" > all
	sed -n 1,20000p all > train; sed -n 20001,21000p all > val; sed -n 21001,22000p all > test_2016_flickr
	for s in train val test_2016_flickr; do cut -f 1 $s > $s.en; cut -f 2 $s > $s.de; done
}
if [ -n "${HEED_BENCH_DATA:-}" ]; then
	texts
	segment 8000
else
	invented
	segment 500
fi

row() { printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$@"; }
median() { sort -n "$1" | awk '{ a[NR] = $1 } END { if (NR) print a[int((NR + 1) / 2)] }'; }
largest() { sort -n "$1" | tail -n 1; }
ratio() { awk -v a="${1:-0}" -v b="${2:-0}" 'BEGIN { if (b > 0) printf "%.2f", a / b }'; }

in_precision() { [ "$1" = fp32 ] || echo "--precision $1"; }

# What both sides train with.
ours() {	# SIZE THREADS PRECISION more: "tokens/s MiB peak" to standard output
	size=$1 threads=$2 precision=$3; shift 3
	nmt-train --size "$size" --preset fairseq --arch tie=all --dropout 0.1 --beta2 0.98 --eps 1e-9 \
	    --label-smoothing 0.1 --schedule inverse_sqrt --warmup 4000 --batch-tokens 4096 --pool 0 \
	    -t "$threads" $(in_precision "$precision") --profile --updates $((warm + updates)) -o model.tar "$@" \
	    train.heed 2>&1 |
	    sed -n 's|.* \([0-9]*\) tokens/s (.*peak memory \([0-9]*\) MiB.*|\1 \2|p
	        s|.*peak \([0-9]*\) GFLOP/s;.*|\1|p' | paste -s -d ' ' -
}
theirs() {	# SIZE PRECISION
	bf16=; [ "$2" = fp32 ] || bf16=--bf16
	torch --size "$1" --procs 2 --threads 1 --steps $((warm + updates)) --warm $warm $bf16 |
	    sed -n 's|^SPEED \([0-9]*\) .*peak RSS \([0-9]*\) MiB.*|\1 \2|p' | awk '{ print $1, 2 * $2 }'
}

# Multiplications and additions of the products a token, trained: source and target averaged.
flops() {	# SIZE
	types=$(($(bpe-apply --text -c codes < train.en | cat - train.de.bpe | tr ' ' '\n' | sort -u | wc -l) + 4))
	awk -v size="$1" -v V=$types 'BEGIN {
		L = size == "base" ? 6 : 3; D = size == "base" ? 512 : 256; F = 4 * D
		encoder = L * (4 * D * D + 2 * D * F) + L * 2 * D * D
		decoder = L * (6 * D * D + 2 * D * F) + V * D
		print 3 * (encoder + decoder)
	}'
}

train_rows() {	# SIZE
	for p in $precisions; do for t in 1 2; do : > ours.$p.$t; done; : > theirs.$p; done
	: > slow
	i=0
	while [ $i -lt "$rounds" ]; do
		for p in $precisions; do
			for t in 2 1; do ours "$1" $t $p >> ours.$p.$t; done
			[ "$peer" = no ] || theirs "$1" $p >> theirs.$p
		done
		i=$((i + 1))
	done
	cost=$(flops "$1")
	peak=$(cut -d ' ' -f 3 ours.*.1 | sort -n | tail -n 1)
	for p in $precisions; do
		cut -d ' ' -f 1 theirs.$p > speed; peers=$(median speed); cut -d ' ' -f 2 theirs.$p > mib
		[ "$peer" = no ] || row "train $1 $p" "PyTorch, 2 processes" "$peers" tokens/s "" \
		    "$(mfu "$peers" 2)" "$(largest mib)"
		for t in 1 2; do
			cut -d ' ' -f 1 ours.$p.$t > speed; cut -d ' ' -f 2 ours.$p.$t > mib
			speed=$(median speed)
			row "train $1 $p" "nmt-train, $t threads" "$speed" tokens/s \
			    "$([ $t = 1 ] || ratio "$speed" "$peers")" "$(mfu "$speed" $t)" "$(largest mib)"
		done
	done
}
mfu() { awk -v s="${1:-0}" -v t="$2" -v c="$cost" -v p="$peak" 'BEGIN { printf "%.1f", 100 * s * c / (t * p * 1e9) }'; }

# The back end of three loops on small batches, to see what the others bring.
reference_row() {
	speed=$(updates=1; ours small 2 fp32 --backend reference --batch-tokens 128 | cut -d ' ' -f 1)
	row "train small fp32" "nmt-train, reference back end" "$speed" tokens/s "" "" ""
}

our_translation() {	# SIZE BEAM PRECISION THREADS
	seconds nmt-translate -q -t "$4" --beam "$2" $(in_precision "$3") --max-ratio 1.5 --max-extra 10 \
	    -m "$1.tar" test_2016_flickr.heed | awk -v n="$(wc -l < test_2016_flickr.en)" '{ print n / $1 }'
}
their_translation() {	# SIZE BEAM BATCH more
	size=$1 beam=$2 batch=$3; shift 3
	torch --size "$size" --threads 2 --load "$size.ck" --translate "$beam" --batch "$batch" "$@" |
	    sed -n 's|.*: \([0-9.]*\) sentences/s.*|\1|p'
}
translate_rows() {	# SIZE
	if [ -e "${HEED_BENCH_MODELS:-}/$1.tar" ]; then cp "$HEED_BENCH_MODELS/$1.tar" .; else
		nmt-train -q --size "$1" --preset fairseq --arch tie=all --dropout 0.1 --lr 0.001 --warmup 40 \
		    --batch-tokens 2048 --updates "${HEED_BENCH_PRETRAIN:-40}" -o "$1.tar" train.heed
	fi
	[ "$peer" = no ] || /usr/bin/python3 "$here/torch-weights.py" "$1.tar" . "$1.ck"
	for beam in 1 5; do
		rm -f best.*; : > ours.1; : > ours.2
		i=0
		while [ $i -lt "$rounds" ]; do
			our_translation "$1" $beam fp32 2 >> ours.2
			our_translation "$1" $beam fp32 1 >> ours.1
			for b in 64 128 256; do
				[ "$peer" = no ] && continue
				their_translation "$1" $beam $b >> best.fp32.$b
				case " $precisions " in *' bf16 '*) their_translation "$1" $beam $b --bf16 >> best.bf16.$b ;; esac
			done
			i=$((i + 1))
		done
		best=0 which=
		for f in best.*; do
			[ -e "$f" ] || continue
			v=$(median "$f")
			[ "$(awk -v a="$v" -v b="$best" 'BEGIN { print a > b }')" = 0 ] || { best=$v; which=$f; }
		done
		name=$([ $beam = 1 ] && echo greedy || echo "beam $beam")
		[ "$peer" = no ] || row "translate $1 $name" "PyTorch, ${which#best.}" "$best" sentences/s "" "" ""
		for t in 1 2; do
			v=$(median ours.$t)
			row "translate $1 $name" "nmt-translate, $t threads" "$v" sentences/s \
			    "$([ $t = 1 ] || ratio "$v" "$best")" "" ""
		done
	done
}

# What a step costs as one thing grows: sentences, types, width; made-up sentences.
scaling_rows() {
	for what in length=10 length=20 length=40 length=80 types=4000 types=16000 types=64000 \
	    width=128 width=256 width=512 width=1024; do
		"$HEED_BUILD"/tests/perf/engine small 2 native 3 $what |
		    sed -n 's|.*median \([0-9]*\) tokens/s.*peak \([0-9]*\) MiB.*|\1 \2|p' > one
		row "step, $what" "small, 2 threads" "$(cut -d ' ' -f 1 one)" tokens/s "" "" "$(cut -d ' ' -f 2 one)"
	done
}

row work who median unit 'times peer' 'MFU %' MiB
for part in $parts; do
	case $part in
	train) for s in $sizes; do train_rows "$s"; done; reference_row ;;
	translate) for s in $sizes; do translate_rows "$s"; done ;;
	scaling) scaling_rows ;;
	esac
done
