#!/bin/sh
# A training that is killed and goes on ends with the same bytes as one that was not.
# With HEED_LONG fifty times for one thread and for two, otherwise a few times.
. "$HEED_TOP/tests/lib.sh"
. "$HEED_TOP/tests/train.sh"
plan 9

kills=3 updates=60
[ -z "${HEED_LONG:-}" ] || { kills=50; updates=200; }
pairs 300 1 train && pairs 40 2 dev

# run THREADS NAME: everything that is random is on, and everything that is kept.  A program that becomes
# nmt-train, so that killing it kills nmt-train and not a shell that waits for it.
cat > programs/run <<END
#!/bin/sh
exec toy -t "\$1" --updates $updates --dropout 0.2 --word-dropout 0.1 --dev dev.heed --validate-every 7 --keep-best \\
    --accumulate 2 --batch-tokens 300 --curriculum 30 --checkpoint "\$2.cp" --checkpoint-every 3 --save-every 10 --keep-last 2 \\
    -a l0-gate:at=all,init=0.2,rate=20 --log "\$2.log" -o "\$2.tar" train.heed
END
chmod +x programs/run

# killed THREADS NAME: kills runs at random moments, each going on where the one before was; when one
# comes to its end, compares and begins anew; lets the last one end.
killed() {
	tries=0 hits=0 wrong=0
	while [ $hits -lt $kills ] && [ $tries -lt $((10 * kills)) ]; do
		run "$1" "$2" 2> /dev/null & pid=$!
		sleep "$(awk -v s="$tries$1" -v t="$took" 'BEGIN { srand(s); printf "%.3f", t / 2e9 * rand() }')"
		kill -9 $pid 2> /dev/null; wait $pid 2> /dev/null
		if [ $? = 137 ]; then
			hits=$((hits + 1))
		else
			cmp calm.tar "$2.tar" || wrong=$((wrong + 1))
			rm -f "$2".*
		fi
		tries=$((tries + 1))
	done
	run "$1" "$2" && [ $wrong = 0 ]
}

took=$(date +%s%N)
run 1 calm; say $? 'an undisturbed run'
took=$(($(date +%s%N) - took))
for t in 1 2; do
	killed $t killed$t; say $? "killed $kills times with $t thread$([ $t = 1 ] || echo s), and ended"
	[ $hits = $kills ]; say $? '... always before it was done'
	cmp calm.tar killed$t.tar; say $? '... with the same bytes'
done
heed-show -f step,loss,nll,lr,norm,tokens,dev.nll calm.log > want
heed-show -f step,loss,nll,lr,norm,tokens,dev.nll killed1.log > got
cmp want got && [ -s want ]; say $? 'the log tells the whole story'
cmp calm.cp killed1.cp; say $? 'so does the checkpoint, to the byte'
