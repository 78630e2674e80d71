#!/bin/sh
# pruned.sh: what a model gains by losing half of its heads; part of make bench.
#   HEED_BENCH_MODELS    folder with base.tar (other sizes: HEED_BENCH_SIZE); without it a model of
#                        one update
#   HEED_BENCH_SENTENCES 100 to translate, 8 times as many to score
#   HEED_BENCH_ROUNDS    3, all models in turns         HEED_BENCH_THREADS 1
# The heads with odd numbers go, of the encoder or everywhere.  All translations have 24 tokens,
# whatever the model would say, so that the work is the same.  Medians of seconds by the clock
# without the start, and of their share of what the whole model took in the same round, by the clock
# and in processor time.
set -eu
top=${HEED_TOP:-$(pwd)}
size=${HEED_BENCH_SIZE:-base} threads=${HEED_BENCH_THREADS:-1}
rounds=${HEED_BENCH_ROUNDS:-3} sentences=${HEED_BENCH_SENTENCES:-100}
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
cd "$work"

awk -v n=$((8 * sentences)) -v seed=1 -f "$top/tests/data/pairs.awk" > all
cut -f 1 all > text.en; cut -f 2 all > text.de
if [ -n "${HEED_BENCH_MODELS:-}" ]; then
	cp "$HEED_BENCH_MODELS/$size.tar" whole.tar
	nmt-info --codes whole.tar > codes
else
	cat text.en text.de | bpe-learn --text -q --merges 500 > codes
fi
heed-pack text.en text.de | bpe-apply -c codes > score.heed
heed-sample -n "$sentences" score.heed > translate.heed
[ -e whole.tar ] || nmt-train -q --size "$size" --preset fairseq --arch tie=all -c codes \
    --batch-tokens 500 --updates 1 -o whole.tar score.heed

heads=$(nmt-info whole.tar | sed -n 's/^config.heads.//p')
odd=$(seq 1 2 "$heads" | paste -s -d , -)
head-prune -q -m whole.tar --heads "enc-self:$odd" -o encoder.tar
head-prune -q -m whole.tar --heads "enc-self:$odd dec-self:$odd cross:$odd" -o all.tar

# cost COMMAND...: seconds by the clock and of processors
cost() {
	begin=$(date +%s%N)
	( "$@" > /dev/null; times ) | awk 'NR == 2 {
		for (i = 1; i <= 2; i++) { split($i, t, "m"); s += 60 * t[1] + t[2] }
		printf "%s ", s }'
	echo "$begin $(date +%s%N)" | awk '{ print ($2 - $1) / 1e9 }'
}
length='--min-length 24 --max-extra 24 --max-ratio 0'
translate() { cost nmt-translate -q --precision fp32 -t "$threads" -m "$1.tar" $length "$2"; }
score() { cost nmt-score -q -t "$threads" -m "$1.tar" "$2"; }
less() { echo "$@" | awk '{ print $1 - $3, $2 - $4 }'; }	# what the start takes
median() {
	cut -d ' ' -f "$1" "$2" | sort -n | awk '{ a[NR] = $1 } END { print a[int((NR + 1) / 2)] }'
}

heed-sample -n 0 score.heed > none.heed
models='whole encoder all'
for round in $(seq "$rounds"); do
	for m in $models; do
		for what in translate score; do
			less $($what $m $what.heed) $($what $m none.heed) >> $what.$m
		done
	done
done
echo "models without half of their heads: $size, $sentences sentences, $threads threads," \
	"$rounds rounds"
printf '%-8s %8s %10s %8s %10s %8s %8s %10s\n' \
	model MiB translate clock processor score clock processor
for m in $models; do
	for what in translate score; do
		paste -d ' ' $what.$m $what.whole | awk '{ print $2, $2 / $4, $1 / $3 }' > shares.$what
	done
	printf '%-8s %8.1f %9.2fs %8.3f %10.3f %7.2fs %8.3f %10.3f\n' $m \
		"$(wc -c < $m.tar | awk '{ print $1 / 1048576 }')" \
		$(for what in translate score; do for i in 1 2 3; do median $i shares.$what; done; done)
done
