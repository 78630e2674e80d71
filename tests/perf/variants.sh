#!/bin/sh
# variants.sh: what variants of attention cost in training; part of make bench.
#   HEED_BENCH_VARIANTS  a file like `list' below: specs that go together, a tab, and the stream
#                        they train on: a path, or one made here: `trees', with parses of both
#                        sides, or `nodes', whose sources are the nodes of trees
#   HEED_BENCH_DATA      see lib/peer.sh; without it a corpus of two invented languages
#   HEED_BENCH_SIZE      small        HEED_BENCH_ROUNDS  3, in turns with the plain Transformer
#   HEED_BENCH_UPDATES   15           HEED_BENCH_THREADS 2
# Medians of tokens a second, and of what a round of the variant took compared with the plain round
# before it: by the clock, and in processor time, which a busy machine changes less.  The start is
# not counted in either.
set -eu
top=${HEED_TOP:-$(pwd)}
here=$top/tests/perf
size=${HEED_BENCH_SIZE:-small} threads=${HEED_BENCH_THREADS:-2}
rounds=${HEED_BENCH_ROUNDS:-3} updates=${HEED_BENCH_UPDATES:-15}
. "$here/lib/peer.sh"
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
cd "$work"

list=${HEED_BENCH_VARIANTS:-list}
tab=$(printf '\t')
cat > list <<END
relative${tab}trees
localness${tab}trees
dependency-mask redundant-heads${tab}trees
phrase-position redundant-heads${tab}trees
dbsa${tab}trees
dbsa sync${tab}trees
head-importance${tab}trees
relation-mask${tab}nodes
END

invented() {
	awk -v n=20000 -v seed=1 -f "$top/tests/data/pairs.awk" > all
	cut -f 1 all > train.en; cut -f 2 all > train.de
	cat train.en train.de | bpe-learn --text --merges 500 > codes
	heed-pack train.en train.de | bpe-apply -c codes > train.heed
}
# Trees that join neighboring words two by two: what they are like costs nothing, only their size does.
made() {
	[ -e train.heed ] || if [ -n "${HEED_BENCH_DATA:-}" ]; then
		texts
		segment 8000
	else
		invented
	fi
	[ -e trees.heed ] || parse -q --control adjacent < train.heed |
		parse -q --control adjacent --side tgt | tree2mask | phrase-rp > trees.heed
	[ -e nodes.heed ] || tree-linearize < trees.heed | tree2mask --relations > nodes.heed
	echo "$1.heed"
}

# cost UPDATES STREAM OPTIONS...: "processor seconds, tokens/s"
cost() {
	n=$1 stream=$2; shift 2
	( nmt-train --precision fp32 --size "$size" -t "$threads" --updates "$n" -o model.tar "$@" "$stream" 2> said
	  times ) | awk 'NR == 2 {
		for (i = 1; i <= 2; i++) { split($i, t, "m"); s += 60 * t[1] + t[2] }
		print s }' > cpu
	echo "$(cat cpu) $(sed -n 's|^nmt-train: .* \([0-9]*\) tokens/s.*|\1|p' said)"
}
median() { sort -n | awk '{ a[NR] = $1 } END { print a[int((NR + 1) / 2)] }'; }

# compare SPECS STREAM: a row of the table
compare() {
	options=
	for spec in $1; do options="$options -a $spec"; done
	start=$(cost 1 "$2"); : > rows
	for round in $(seq "$rounds"); do
		echo "${start% *} $(cost "$updates" "$2") $(cost "$updates" "$2" $options)" >> rows
	done
	awk '{ print $5 }' rows | median > speed
	awk '{ print $3 / $5 }' rows | median > clock
	awk '{ print ($4 - $1) / ($2 - $1) }' rows | median > processor
	awk -v n="$1" '{ printf "%-60s %8.0f %8.3f %8.3f\n", n, $1, $2, $3 }' << END
$(cat speed) $(cat clock) $(cat processor)
END
}

[ "$list" = list ] || [ -e "$list" ] || { echo "variants: no file $list" >&2; exit 2; }
echo "variants of attention: $size, $threads threads, $updates updates, $rounds rounds;" \
	'times are shares of the plain Transformer'"'s"
printf '%-60s %8s %8s %8s\n' variant tokens/s clock processor
while IFS=$tab read -r specs stream; do
	case $stream in trees|nodes) stream=$(made "$stream") ;; esac
	compare "$specs" "$stream" < /dev/null
done < "$list"
