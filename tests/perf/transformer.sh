#!/bin/sh
# transformer.sh: training, translation and scaling in one table; part of make bench.
#   HEED_BENCH_DATA, HEED_BENCH_TORCH  see lib/peer.sh; without data a corpus of two invented languages
#   HEED_BENCH_MODELS folder with small.tar and base.tar to translate with (preset fairseq,
#                     tie=all); without it models of HEED_BENCH_PRETRAIN (40) updates
#   HEED_BENCH_PARTS  "train ranks translate scaling"       HEED_BENCH_SIZES     "small base"
#   HEED_BENCH_ROUNDS 3, ours and theirs in turns     HEED_BENCH_PRECISION "fp32 bf16"
#   HEED_BENCH_UPDATES 12 timed ones; three before them are not
# Tokens are source plus target, with end-of-sentence tokens and without padding.  MFU: the products' share
# of what the threads' fp32 units could do.  A median of the rounds, and its ratio to the peer's
# best in the same rounds; memory is the largest seen, of all processes of a run together.
set -eu
top=${HEED_TOP:-$(pwd)}
here=$top/tests/perf
launch=			# precedes nmt-train
parts=${HEED_BENCH_PARTS:-train ranks translate scaling} sizes=${HEED_BENCH_SIZES:-small base}
rounds=${HEED_BENCH_ROUNDS:-3} updates=${HEED_BENCH_UPDATES:-12} precisions=${HEED_BENCH_PRECISION:-fp32 bf16}
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
sed 1q test_2016_flickr.en > one
heed-pack one | bpe-apply -c codes > one.heed

row() { printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$@"; }
translations='fp32 int16'
median() { sort -n "$1" | awk '{ a[NR] = $1 } END { if (NR) print a[int((NR + 1) / 2)] }'; }
largest() { sort -n "$1" | tail -n 1; }
ratio() { awk -v a="${1:-0}" -v b="${2:-0}" 'BEGIN { if (b > 0) printf "%.2f", a / b }'; }

in_precision() { echo "--precision $1"; }

# What both sides train with.
our_training() {	# SIZE THREADS PRECISION more: the last lines of nmt-train
	size=$1 threads=$2 precision=$3; shift 3
	${launch}nmt-train --size "$size" --preset fairseq --arch tie=all --dropout 0.1 --beta2 0.98 --eps 1e-9 \
	    --label-smoothing 0.1 --schedule inverse_sqrt --warmup 4000 --batch-tokens 4096 --pool 0 \
	    -t "$threads" $(in_precision "$precision") -o model.tar "$@" train.heed 2>&1
}
ours() {	# SIZE THREADS PRECISION more: "tokens/s MiB" to standard output
	our_training "$@" --updates $((warm + updates)) |
	    sed -n 's|.* \([0-9]*\) tokens/s (.*peak memory \([0-9]*\) MiB.*|\1 \2|p'
}
profiled() {	# SIZE THREADS PRECISION: "outside peak": percent of the time, GFLOP/s of a thread
	our_training "$@" --profile --updates $((warm + 2)) |
	    sed -n 's|.* outside .*(\([0-9.]*\) %).*|\1|p
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
	for p in $precisions; do for t in 1 2; do profiled "$1" $t $p > profile.$p.$t; done; done
	i=0
	while [ $i -lt "$rounds" ]; do
		for p in $precisions; do
			for t in 2 1; do ours "$1" $t $p >> ours.$p.$t; done
			[ "$peer" = no ] || theirs "$1" $p >> theirs.$p
		done
		i=$((i + 1))
	done
	cost=$(flops "$1")
	peak=$(cut -d ' ' -f 2 profile.*.1 | sort -n | tail -n 1)
	for p in $precisions; do
		cut -d ' ' -f 1 theirs.$p > speed; peers=$(median speed); cut -d ' ' -f 2 theirs.$p > mib
		[ "$peer" = no ] || row "train $1 $p" "PyTorch, 2 processes" "$peers" tokens/s "" \
		    "$(mfu "$peers" 2)" "$(largest mib)" ""
		for t in 1 2; do
			cut -d ' ' -f 1 ours.$p.$t > speed; cut -d ' ' -f 2 ours.$p.$t > mib
			speed=$(median speed)
			row "train $1 $p" "nmt-train, $t threads" "$speed" tokens/s \
			    "$([ $t = 1 ] || ratio "$speed" "$peers")" "$(mfu "$speed" $t)" "$(largest mib)" \
			    "$(cut -d ' ' -f 1 profile.$p.$t)"
		done
	done
}
mfu() { awk -v s="${1:-0}" -v t="$2" -v c="$cost" -v p="$peak" 'BEGIN { printf "%.1f", 100 * s * c / (t * p * 1e9) }'; }

# The back end of three loops on small batches, to see what the others bring.
reference_row() {
	speed=$(updates=1; ours small 2 fp32 --backend reference --batch-tokens 128 | cut -d ' ' -f 1)
	row "train small fp32" "nmt-train, reference back end" "$speed" tokens/s "" "" "" ""
}

# Two threads, two ranks of one, in turns; times peer: ranks to threads.
ranks_rows() {
	mpi=$HEED_BUILD/mpi
	[ -x "$mpi/nmt-train" ] || { echo "no $mpi/nmt-train: ranks left out (make WITH_MPI=1)" >&2; return; }
	: > threads; : > ranks
	i=0
	while [ $i -lt "$rounds" ]; do
		ours "$1" 2 fp32 >> threads
		launch="mpirun --allow-run-as-root --oversubscribe --bind-to none -n 2 $mpi/"
		ours "$1" 1 fp32 >> ranks
		launch=
		i=$((i + 1))
	done
	v=$(median threads)
	row "ranks $1" "nmt-train, 2 threads" "$v" tokens/s "" "" "" ""
	row "ranks $1" "nmt-train, 2 ranks of a thread" "$(median ranks)" tokens/s "$(ratio "$(median ranks)" "$v")" "" "" ""
}

# Sentences a second, without what it takes to begin with one: the peer's clock does not count its own start.
our_translation() {	# SIZE BEAM PRECISION THREADS
	start=$(our_seconds "$@" one.heed)
	our_seconds "$@" test_2016_flickr.heed |
	    awk -v n="$(wc -l < test_2016_flickr.en)" -v start="$start" '{ print (n - 1) / ($1 - start) }'
}
our_seconds() {	# SIZE BEAM PRECISION THREADS FILE
	seconds nmt-translate -q -t "$4" --beam "$2" $(in_precision "$3") --max-ratio 1.5 --max-extra 10 \
	    -m "$1.tar" "$5"
}
their_translation() {	# SIZE BEAM more
	size=$1 beam=$2; shift 2
	torch --size "$size" --threads 2 --load "$size.ck" --translate "$beam" "$@" |
	    sed -n 's|.*: \([0-9.]*\) sentences/s.*|\1|p'
}
translate_rows() {	# SIZE
	if [ -e "${HEED_BENCH_MODELS:-}/$1.tar" ]; then cp "$HEED_BENCH_MODELS/$1.tar" .; else
		nmt-train -q --size "$1" --preset fairseq --arch tie=all --dropout 0.1 --lr 0.001 --warmup 40 \
		    --batch-tokens 2048 --updates "${HEED_BENCH_PRETRAIN:-40}" -o "$1.tar" train.heed
	fi
	[ "$peer" = no ] || /usr/bin/python3 "$here/torch-weights.py" "$1.tar" . "$1.ck"
	for beam in 1 5; do
		rm -f peer.* ours.*
		[ "$peer" = no ] || try_batches "$1" $beam
		i=0
		while [ $i -lt "$rounds" ]; do
			for p in $translations; do
				for t in 2 1; do our_translation "$1" $beam $p $t >> ours.$p.$t; done
			done
			[ "$peer" = no ] || their_translation "$1" $beam $best >> peer.best
			i=$((i + 1))
		done
		translation_table "translate $1 $([ $beam = 1 ] && echo greedy || echo "beam $beam")"
	done
}
# Every precision and size of batch once; $best becomes the options of the fastest.
try_batches() {	# SIZE BEAM
	for p in $precisions; do
		for b in 64 128 256; do
			options="--batch $b"; [ "$p" = fp32 ] || options="$options --bf16"
			echo "$(their_translation "$1" "$2" $options) $options" >> peer.tried
		done
	done
	best=$(sort -rn peer.tried | sed -n '1s/^[^ ]* //p')
}
translation_table() {	# NAME
	peers=
	[ "$peer" = no ] || { peers=$(median peer.best); row "$1" "PyTorch, $best" "$peers" sentences/s "" "" "" ""; }
	for p in $translations; do
		for t in 1 2; do
			v=$(median ours.$p.$t)
			row "$1" "nmt-translate, $p, $t threads" "$v" sentences/s \
			    "$([ $t = 1 ] || ratio "$v" "$peers")" "" "" ""
		done
	done
}

# What a step costs as one thing grows: sentences, types, width; made-up sentences.
scaling_rows() {
	for what in length=10 length=20 length=40 length=80 types=4000 types=16000 types=64000 \
	    width=128 width=256 width=512 width=1024; do
		"$HEED_BUILD"/tests/perf/engine small 2 native 3 $what |
		    sed -n 's|.*median \([0-9]*\) tokens/s.*peak \([0-9]*\) MiB.*|\1 \2|p' > one
		row "step, $what" "small, 2 threads" "$(cut -d ' ' -f 1 one)" tokens/s "" "" "$(cut -d ' ' -f 2 one)" ""
	done
}

row work who median unit 'times peer' 'MFU %' MiB 'outside products %'
for part in $parts; do
	case $part in
	train) for s in $sizes; do train_rows "$s"; done; reference_row ;;
	ranks) for s in $sizes; do ranks_rows "$s"; done ;;
	translate) for s in $sizes; do translate_rows "$s"; done ;;
	scaling) scaling_rows ;;
	esac
done
