#!/bin/sh
# bleu.sh: lines scored a second, ours and, if it is there, sacreBLEU's.
# SACREBLEU may name a checkout of it; otherwise python3 must be able to import it.
set -e
dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT
lines=${LINES_SCORED:-50000}

# Sentences of 5 to 35 words of a vocabulary in which the k-th word has 1/k of the first one's share.
text() {
	awk -v seed="$1" -v n="$lines" 'BEGIN {
		srand(seed)
		for (i = 0; i < n; i++) {
			line = ""
			for (k = 5 + int(31 * rand()); k > 0; k--)
				line = line "w" int(exp(9.9 * rand())) (rand() < 0.08 ? ", " : " ")
			print line "x" int(10 * rand()) "."
		}
	}'
}
text 1 > "$dir/ref"
awk 'BEGIN { srand(2) } { for (i = 1; i <= NF; i++) if (rand() < 0.2) $i = "w" int(exp(9.9 * rand())); print }' \
	"$dir/ref" > "$dir/hyp"

# rate NAME command...: the best of three runs
rate() {
	name=$1; shift
	best=
	for k in 1 2 3; do
		t=$( { command time -p "$@" > "$dir/score" < /dev/null; } 2>&1 | awk '$1 == "real" { print $2 }')
		best=$(awk -v a="$best" -v b="$t" 'BEGIN { print a == "" || b < a ? b : a }')
	done
	awk -v n="$name" -v l="$lines" -v t="$best" -v s="$(cat "$dir/score")" \
		'BEGIN { printf "%-28s %10.0f lines/s   %s\n", n, l / (t > 0 ? t : 0.01), s }'
}

echo "bleu: $lines lines of 5 to 35 words"
rate "bleu" bleu -b -w 4 -r "$dir/ref" "$dir/hyp"
rate "bleu --threads 0" bleu -b -w 4 --threads 0 -r "$dir/ref" "$dir/hyp"
rate "bleu -t intl" bleu -b -w 4 -t intl -r "$dir/ref" "$dir/hyp"
rate "bleu --metric chrf" bleu -b -w 4 --metric chrf -r "$dir/ref" "$dir/hyp"
head -2000 "$dir/ref" > "$dir/ref.2k"; head -2000 "$dir/hyp" > "$dir/hyp.2k"
lines=2000
rate "bleu --paired, 2000 lines" bleu -b -r "$dir/ref.2k" --paired --format tsv -o "$dir/table" "$dir/hyp.2k" "$dir/ref.2k"

lines=${LINES_SCORED:-50000}
[ -z "$SACREBLEU" ] || { PYTHONPATH=$SACREBLEU${PYTHONPATH:+:$PYTHONPATH}; export PYTHONPATH; }
if python3 -c 'import sacrebleu' 2> /dev/null; then
	rate "sacrebleu" python3 -m sacrebleu "$dir/ref" -i "$dir/hyp" -b -w 4
	rate "sacrebleu -m chrf" python3 -m sacrebleu "$dir/ref" -i "$dir/hyp" -b -w 4 -m chrf
else
	echo "sacrebleu                    not there"
fi
