#!/bin/sh
# A training that is killed and goes on ends with the same bytes as one that was not.
# With HEED_LONG fifty times for one thread and for two, otherwise a few times.
. "$HEED_TOP/tests/lib.sh"
. "$HEED_TOP/tests/train.sh"
plan 9

kills=3 updates=60
[ -z "${HEED_LONG:-}" ] || { kills=50; updates=1500; }
pairs 300 1 train && pairs 40 2 dev

# Everything that is random is on, and everything that is kept.
run() {
	toy -t "$1" --updates $updates --dropout 0.2 --word-dropout 0.1 --dev dev.heed --validate-every 7 --keep-best \
	    --accumulate 2 --batch-tokens 300 --checkpoint "$2.cp" --checkpoint-every 3 --save-every 10 --keep-last 2 \
	    --log "$2.log" -o "$2.tar" train.heed
}
# killed THREADS NAME: kills a run at random moments, so that each gets a share of the way; lets the last one end
killed() {
	k=0 hits=0
	while [ $k -lt $kills ]; do
		run "$1" "$2" 2> /dev/null & pid=$!
		sleep "$(awk -v s="$k$1" -v n=$kills -v t="$took" 'BEGIN { srand(s); print t / 1e9 * (0.1 + 2 * rand() / n) }')"
		kill -9 $pid 2> /dev/null; wait $pid 2> /dev/null
		[ $? = 137 ] && hits=$((hits + 1))
		k=$((k + 1))
	done
	run "$1" "$2"
}

took=$(date +%s%N)
run 1 calm; say $? 'an undisturbed run'
took=$(($(date +%s%N) - took))
for t in 1 2; do
	killed $t killed$t; say $? "killed $kills times with $t thread$([ $t = 1 ] || echo s), and ended"
	[ $hits -gt 0 ]; say $? "... $hits times before it was done"
	cmp calm.tar killed$t.tar; say $? '... with the same bytes'
done
heed-show -f step,loss,nll,lr,norm,tokens,dev.nll calm.log > want
heed-show -f step,loss,nll,lr,norm,tokens,dev.nll killed1.log > got
cmp want got && [ -s want ]; say $? 'the log tells the whole story'
cmp calm.cp killed1.cp; say $? 'so does the checkpoint, to the byte'
