#!/bin/sh
# train.sh: how fast nmt-train is and how much memory it takes; part of make bench.
#   HEED_BENCH_DATA   folder with tokenized {train,val,test_2016_flickr}.{en,de}, or .gz of them;
#                     without it a corpus of two invented languages
#   HEED_BENCH_TORCH  a PyTorch script with nmt_torch.py's options, run in turns with nmt-train
#   HEED_BENCH_SIZES  "small base"; HEED_BENCH_UPDATES  12; HEED_BENCH_ROUNDS  3
# Tokens are source plus target, with end symbols and without padding; the first three updates
# are not timed.  Two threads against two processes of one thread; their memory is counted twice.
set -eu
top=${HEED_TOP:-$(pwd)}
sizes=${HEED_BENCH_SIZES:-small base} updates=${HEED_BENCH_UPDATES:-12} rounds=${HEED_BENCH_ROUNDS:-3}
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
cd "$work"

if [ -n "${HEED_BENCH_DATA:-}" ]; then
	for s in train val test_2016_flickr; do
		for l in en de; do
			f=$HEED_BENCH_DATA/$s.$l
			if [ -e "$f.gz" ]; then zcat "$f.gz" > $s.$l; else cp "$f" $s.$l; fi
		done
	done
	merges=8000
else
	awk -v n=22000 -v seed=1 -f "$top/tests/data/pairs.awk" > all
	for s in train val test_2016_flickr; do
		case $s in train) r=1,20000p ;; val) r=20001,21000p ;; *) r=21001,22000p ;; esac
		sed -n $r all | cut -f 1 > $s.en
		sed -n $r all | cut -f 2 > $s.de
	done
	merges=500
fi
cat train.en train.de | bpe-learn --text -n $merges > codes
heed-pack train.en train.de | bpe-apply -c codes > train.heed
for f in train val test_2016_flickr; do
	for l in en de; do bpe-apply --text -c codes < $f.$l > $f.$l.bpe; done
done

ours() {
	nmt-train --size "$1" --preset fairseq --arch tie=all --dropout 0.1 --beta2 0.98 --eps 1e-9 \
	    --label-smoothing 0.1 --schedule inverse_sqrt --warmup 4000 --batch-tokens 4096 --pool 0 \
	    -t 2 --updates "$updates" -o model.tar train.heed 2>&1 |
	    sed -n 's|.* \([0-9]*\) tokens/s (.*peak memory \([0-9]*\) MiB.*|\1 \2|p'
}
theirs() {
	blas=/usr/lib/x86_64-linux-gnu/openblas-openmp tc=$(ls /usr/lib/x86_64-linux-gnu/libtcmalloc*.so.4 2> /dev/null | head -n 1)
	LD_LIBRARY_PATH=$blas LD_PRELOAD=$tc /usr/bin/python3 "$HEED_BENCH_TORCH" --data . --size "$1" \
	    --procs 2 --threads 1 --steps "$updates" --warm 3 2> /dev/null |
	    sed -n 's|^SPEED \([0-9]*\) .*peak RSS \([0-9]*\) MiB.*|\1 \2|p' | awk '{ print $1, 2 * $2 }'
}
median() { sort -n -k 1,1 "$1" | awk '{ a[NR] = $1; if ($2 > m) m = $2 } END { printf "%d\t%d", a[int((NR + 1) / 2)], m }'; }

printf 'training, %s updates, median of %s\nsize\twho\ttokens/s\tMiB\n' "$updates" "$rounds"
for size in $sizes; do
	: > ours; : > theirs
	i=0
	while [ $i -lt "$rounds" ]; do
		ours "$size" >> ours
		[ -z "${HEED_BENCH_TORCH:-}" ] || theirs "$size" >> theirs
		i=$((i + 1))
	done
	printf '%s\tnmt-train\t%s\n' "$size" "$(median ours)"
	[ -z "${HEED_BENCH_TORCH:-}" ] || printf '%s\tPyTorch\t%s\n' "$size" "$(median theirs)"
done
