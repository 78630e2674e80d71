#!/bin/sh
# heads.sh: processor time of each measure of heads and tokens; part of make bench.
#   HEED_BENCH_SENTENCES 50             HEED_BENCH_THREADS 1
# A model of size base with 32,000 vocabulary entries, of one update; random sentences of 7 to 20
# tokens.  Seconds for these sentences without the start, and extrapolated to 1,000 sentences.
set -eu
threads=${HEED_BENCH_THREADS:-1} sentences=${HEED_BENCH_SENTENCES:-50}
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
cd "$work"

# words SEED: random sentences
words() {
	awk -v n="$sentences" -v seed="$1" 'BEGIN { srand(seed); while (n--) {
		m = 7 + int(14 * rand())
		while (m--) printf "w%d%s", int(31996 * rand()), (m ? " " : "\n") } }'
}
# with FILE FILE FILE: a stream of source, target and corrupted source
with() { heed-pack "$1" "$2" | heed-paste --text src.pieces="$1" --text tgt.pieces="$2" --text corrupted.pieces="$3"; }

seq 0 31995 | sed 's/^/w/' | paste -s -d '                   \n' > types
words 1 > src; words 2 > tgt; awk '{ for (i = NF; i; i--) printf "%s%s", $i, (i > 1 ? " " : "\n") }' src > corrupted
with types types types | nmt-train -q --size base --updates 1 --warmup 1000000 --batch-tokens 500 -o model.tar
with src tgt corrupted > some.heed; heed-sample -n 0 some.heed > none.heed

# seconds COMMAND...: processor time
seconds() { ( "$@" > /dev/null; times ) | awk 'NR == 2 { for (i = 1; i <= 2; i++) { split($i, t, "m"); s += 60 * t[1] + t[2] } print s }'; }
row() { awk -v name="$1" -v s="$2" -v n="$sentences" 'BEGIN { printf "%-22s %8.2f %8.0f\n", name, s, s * 1000 / n }'; }
# cost NAME COMMAND...: prints a row
cost() {
	name=$1; shift
	row "$name" "$(echo "$(seconds "$@" some.heed) $(seconds "$@" none.heed)" | awk '{ print $1 - $2 }')"
}
echo "heads.sh: $sentences sentences, $threads threads: seconds, and of 1,000 sentences"
stat="head-stat -q -t $threads -m model.tar" lrp="head-lrp -q -t $threads -m model.tar --target ref"
cost 'roles' $stat
cost 'gradient and others' $stat --measure gradient,fisher,saliency,norm
cost 'ablation' $stat --measure ablation
cost 'patch' $stat --patch noise
# Translations of this model have the maximum length, 32 tokens on average.
cost 'ablation-bleu' $stat --measure ablation-bleu
for rule in alpha-beta epsilon attnlrp; do
	cost "lrp $rule" $lrp --rule $rule
done
for rule in alti value-zeroing; do
	cost "$rule" $lrp --tokens --rule $rule
done
