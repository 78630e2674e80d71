#!/bin/sh
# A training that is killed and resumed ends with the same bytes as an uninterrupted one and leaves no
# other files: killed at random moments, and at each step of saving a checkpoint.
# HEED_KILLS is the number of kills of each series; HEED_LONG makes it fifty and the trainings longer.
. "$HEED_TOP/tests/lib.sh"
. "$HEED_TOP/tests/train.sh"
plan 42

kills=${HEED_KILLS:-3} updates=60
[ -z "${HEED_LONG:-}" ] || { kills=${HEED_KILLS:-50}; updates=200; }
pairs 300 1 train && pairs 40 2 dev
for what in conllu ptb; do
	awk -v n=200 -v seed=1 -v what=$what -f "$HEED_TOP/tests/data/trees.awk" > train.$what
done

# nmt THREADS NAME, parser THREADS NAME: trainings with all kinds of randomness and of state.  They are
# programs that exec nmt-train and parse-train, so that a signal reaches these and not a shell.
cat > programs/nmt <<END
#!/bin/sh
exec nmt-train -q -t "\$1" --no-pg --precision fp32 --arch enc_layers=1,dec_layers=1,width=32,ff=64,heads=2 \\
    --schedule constant --warmup 0 --lr 0.003 --updates $updates --dropout 0.2 --word-dropout 0.1 --dev dev.heed --validate-every 7 --keep-best \\
    --accumulate 2 --batch-tokens 300 --curriculum 30 --checkpoint "\$2.cp" --checkpoint-every 3 --save-every 10 --keep-last 2 \\
    -a l0-gate:at=all,init=0.2,rate=20,target=5,warmup=30 -a subset:heads=1,anneal=40,rate=20 --log "\$2.log" -o "\$2.tar" train.heed
END
cat > programs/parser <<END
#!/bin/sh
exec parse-train -q --no-pg -t "\$1" --updates $updates --batch-words 100 --lr 0.01 --warmup 10 \\
    --arch width=16,heads=2,layers=1,ff=16,word_width=8,feature_width=8,feature_rows=64,arc=8,span=8,hidden=8,dropout=0.2 \\
    --dev train.conllu,train.ptb --keep-best --validate-every 5 --checkpoint "\$2.cp" -o "\$2.tar" train.conllu,train.ptb
END
chmod +x programs/nmt programs/parser

# calm PROGRAM: an uninterrupted training; sets $took to its nanoseconds
calm() {
	took=$(date +%s%N)
	runs $1 1 calm.$1; say $? "$1: an uninterrupted training"
	took=$(($(date +%s%N) - took))
}

# killed PROGRAM THREADS: kills a training at random moments and resumes it; if it ends in between,
# compares the result and starts again; at last lets it end.
killed() {
	tries=0 hits=0 wrong=0 name=$1.killed$2
	while [ $hits -lt "$kills" ] && [ $tries -lt $((10 * kills)) ]; do
		$1 "$2" "$name" 2> /dev/null & pid=$!
		sleep "$(awk -v s="$tries$2" -v t="$took" 'BEGIN { srand(s); printf "%.3f", t / 2e9 * rand() }')"
		kill -9 $pid 2> /dev/null; wait $pid 2> /dev/null
		if [ $? = 137 ]; then
			hits=$((hits + 1))
		else
			cmp "calm.$1.tar" "$name.tar" || wrong=$((wrong + 1))
			rm -f "$name".*
		fi
		tries=$((tries + 1))
	done
	runs $1 "$2" "$name" && that $wrong = 0
	say $? "$1: killed $hits times with $2 thread$([ "$2" = 1 ] || echo s), and ended"
	that $hits = "$kills"; say $? '... always before its end'
	same_bytes "$1" "$name"
}

# content CHECKPOINT: all of it but the digest of the output's path, and checksums with it
content() { tar xOf "$1" --exclude end | LC_ALL=C sed "s/,path=[0-9]*//; s/\(train${tab}bytes.*$tab\)[0-9a-f]\{8\}/\1/"; }
tab=$(printf '\t')
# same_bytes PROGRAM NAME: output and checkpoint equal those of calm, and there are no other files
same_bytes() {
	equals "calm.$1.tar" "$2.tar"; say $? '... with the same bytes'
	content "calm.$1.cp" > calm.content; content "$2.cp" | equals calm.content -; say $? '... also in the checkpoint'
	that -z "$(ls "$2".*.tmp "$2".*.lock 2> /dev/null)"; say $? '... and no other files'
}

# aimed PROGRAM: each run saves one checkpoint and is killed while it saves the second: during a write,
# before the file is synced or renamed, or before its folder is synced.  No run may find a truncated
# checkpoint.
aimed() {
	if [ "${HEED_MODE:-release}" != release ]; then
		for i in 1 2 3 4; do say 0 "# SKIP a preloaded library does not work with a sanitizer"; done
		return
	fi
	[ -e "$HEED_BUILD/tests/inject/io.so" ] || { echo "Bail out! no $HEED_BUILD/tests/inject/io.so"; exit 1; }
	hits=0 strays=0 name=$1.aimed
	while [ $hits -lt $((kills + 1)) ]; do
		for call in write:$((2 + hits % 5)) fsync:3 rename:2 fsync:4; do
			HEED_INJECT=kill:$call LD_PRELOAD=$HEED_BUILD/tests/inject/io.so "$1" 1 "$name" 2> /dev/null
			[ $? = 137 ] || { cmp "calm.$1.tar" "$name.tar" || break 2; rm -f "$name".*; continue; }
			hits=$((hits + 1))
			! ls "$name".cp.*.tmp > /dev/null 2>&1 || strays=$((strays + 1))
		done
	done
	runs $1 1 "$name" && that $strays -gt 0
	say $? "$1: killed $hits times while saving, $strays times with a temporary file, and ended"
	same_bytes "$1" "$name"
}

# alone PROGRAM COMMAND...: while a training waits for its data, a second one cannot use its checkpoint,
# which does not exist yet; after the first is killed, it can
mkfifo never
alone() {
	program=$1; shift
	"$@" -q --updates 9 --checkpoint "alone.$program.cp" -o x never & pid=$!
	set -- "$program"
	i=0; while ! [ -s "alone.$1.cp.lock" ] && [ $i -lt 500 ]; do sleep 0.02; i=$((i + 1)); done
	exits 4 "$1: a second training on the checkpoint is refused" "$1 1 alone.$1"
	matches "alone.$1.cp is in use by process $pid on .*, expected no other process" err
	say $? '... with the process that holds the lock'
	kill -9 $pid; wait $pid 2> /dev/null
	runs $1 1 alone.$1; say $? '... and trains after that process was killed'
	same_bytes $1 alone.$1
}

calm nmt
for t in 1 2; do killed nmt $t; done
aimed nmt
# records LOG: all fields but the speed, which is of one process
records() { heed-show "$1" | sed '1d; s/,"speed":[^,}]*//'; }
records calm.nmt.log > want; records nmt.killed1.log | equals - want && matches dev.subset.temperature want
say $? 'the log of a resumed training is complete'
cp calm.nmt.cp ended.cp; nmt 1 ended; records ended.log | equals - want
say $? '... and that of one that is resumed after its last update'
last() { heed-show "$1" | grep "^{\"step\":$updates,"; }
last calm.nmt.log | matches '"speed"' && last ended.log | matches -v '"speed"'
say $? '... whose last row has no speed, because it made no update'
alone nmt nmt-train
calm parser
alone parser parse-train
killed parser 2
aimed parser

# The model is the target of make: it is the last file, and never there without its log.
if [ "${HEED_MODE:-release}" != release ]; then
	for i in 1 2; do say 0 "# SKIP a preloaded library does not work with a sanitizer"; done
else
	k=0 orphans=0
	while k=$((k + 1)) && rm -f last.log last.tar && HEED_INJECT=kill:rename:$k LD_PRELOAD=$HEED_BUILD/tests/inject/io.so \
	    toy --updates 2 --log last.log -o last.tar train.heed 2> /dev/null; [ $? = 137 ]; do
		[ ! -e last.tar ] || [ -e last.log ] || orphans=$((orphans + 1))
	done
	that $k = 3 && that -e last.tar && that -e last.log; say $? 'a training killed before either of its two files is in place'
	that $orphans = 0; say $? '... leaves no model without a log'
fi
