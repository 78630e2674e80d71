#!/bin/sh
# quality.sh: how soon two small models translate equally well; part of make bench.
#   HEED_BENCH_DATA, HEED_BENCH_TORCH  see lib/peer.sh; without either there is nothing to compare
#   HEED_BENCH_SECONDS  600: of the peer's training, without those in which it is evaluated
#   HEED_BENCH_SEED     1
# The peer trains with the schedule of Vaswani et al. 2017, warm-up 800, in the faster of fp32 and bf16, and
# translates the validation set, greedily, twelve times.  For each BLEU that it passes, and for its
# best, nmt-train is started once more, since its rate goes down to 0 at an end that it must know
# before.  That is BLEU / 50 of the tokens in batches that the peer took: 0.4 for BLEU 20, 0.6 for 30.
# BLEU is that of `bleu --tokenizer none' on restored text.  Our seconds are the clock's for all of nmt-train;
# the peer's begin with its first batch.  A row has a ratio if ours is as good as the peer there.
set -eu
top=${HEED_TOP:-$(pwd)}
here=$top/tests/perf
limit=${HEED_BENCH_SECONDS:-600} seed=${HEED_BENCH_SEED:-1}
peer_batch=2048 our_batch=512
. "$here/lib/peer.sh"
[ -n "${HEED_BENCH_DATA:-}" ] || { echo "quality: left out without HEED_BENCH_DATA"; exit; }
[ "$peer" != no ] || { echo "quality: left out without a peer, HEED_BENCH_TORCH"; exit; }
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
cd "$work"
texts
segment 8000

theirs() {
	torch --size small --procs 2 --threads 1 --tokens $peer_batch --warmup 800 --seed "$seed" "$@"
}
peer_speed() { theirs --steps 15 --warm 5 "$@" | sed -n 's|^SPEED \([0-9]*\) .*|\1|p'; }
faster_precision() {
	[ "$(peer_speed)" -ge "$(peer_speed --bf16)" ] || echo --bf16
}
# "seconds updates BLEU" of each evaluation, from nothing on.
curve() {
	echo 0 0 0
	sed -n 's|^eval \([0-9]*\) step \([0-9]*\) .*train-wall \([0-9]*\) s.*|\1 \2 \3|p' |
	    while read -r k step wall; do
		echo "$wall $step $(bleu -b -w 4 --tokenizer none -r val.de "hyp.$k")"
	    done
}
# When the peer's BLEU first passed this one, on straight lines between evaluations.
passed() {	# BLEU: "seconds updates"
	awk -v level="$1" '$3 >= level {
		part = (level - was) / ($3 - was)
		printf "%.1f %.0f\n", wall + part * ($1 - wall), step + part * ($2 - step)
		exit
	} { wall = $1; step = $2; was = $3 }' curve
}
levels() {
	sort -k 3 -n curve | awk 'END { for (b = 20; b < $3; b += 5) print b; if ($3 > 0) print $3 }'
}

our_training() {	# UPDATES
	nmt-train -q --size small --arch tie=all,pre_norm=on,final_norm=on --dropout 0 \
	    --beta2 0.98 --eps 1e-9 --lr 0.0016 --schedule linear --warmup $(($1 / 10)) --updates "$1" \
	    --batch-tokens $our_batch --pool 1 --curriculum $(($1 / 2)) -s "$seed" -o ours.tar train.heed
}
our_bleu() {
	nmt-translate -q --precision fp32 --beam 1 --max-ratio 1.5 --max-extra 10 -m ours.tar val.heed |
	    bleu -b -w 4 --tokenizer none
}
row() { printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$@"; }
level_row() {	# BLEU
	passed "$1" > at
	read -r their_seconds steps < at
	updates=$(awk -v n="$steps" -v b="$1" -v p=$peer_batch -v o=$our_batch \
	    'BEGIN { printf "%d", n * b / 50 * p / o }')
	our_seconds=$(seconds our_training "$updates")
	reached=$(our_bleu)
	row "$1" "$steps" "$their_seconds" "$updates" "$our_seconds" "$reached" \
	    "$(awk -v a="$their_seconds" -v b="$our_seconds" -v r="$reached" -v l="$1" \
	        'BEGIN { if (r >= l) printf "%.2f", a / b; else print "below" }')"
}

theirs $(faster_precision) --seconds $((limit + 5)) --eval-every $((limit / 12)) --out hyp |
    curve > curve
[ "$(wc -l < curve)" -gt 1 ] || { echo "quality: $peer was not evaluated"; exit 1; }
row BLEU 'peer, updates' 'peer, s' 'ours, updates' 'ours, s' 'our BLEU' 'times as fast'
for b in $(levels); do level_row "$b"; done
