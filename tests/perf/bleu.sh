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

# rate NAME command...: the best of three runs, by the clock and by processor time (which a busy machine changes less)
rate() {
	name=$1; shift
	: > "$dir/times"
	for k in 1 2 3; do
		( from=$(date +%s.%N); "$@" > "$dir/score" < /dev/null; to=$(date +%s.%N); echo "$from $to"; times ) |
		awk 'NR == 1 { r = $2 - $1 }
		     NR == 3 { split($1 " " $2, t, /[ms ]+/); c = 60 * (t[1] + t[3]) + t[2] + t[4] }
		     END { print r, c }' >> "$dir/times"
	done
	awk -v n="$name" -v l="$lines" -v s="$(cat "$dir/score")" '
		NR == 1 || $1 < r { r = $1 }
		NR == 1 || $2 < c { c = $2 }
		END { printf "%-26s %9.0f lines/s %9.0f lines/cpu-s   %s\n", n, l / (r > 0 ? r : 0.01), l / (c > 0 ? c : 0.01), s }
	' "$dir/times"
}

echo "bleu: $lines lines of 5 to 35 words"
rate "bleu" bleu -b -w 4 -r "$dir/ref" "$dir/hyp"
rate "bleu --threads 0" bleu -b -w 4 --threads 0 -r "$dir/ref" "$dir/hyp"
rate "bleu --tokenizer intl" bleu -b -w 4 --tokenizer intl -r "$dir/ref" "$dir/hyp"
rate "bleu --metric chrf" bleu -b -w 4 --metric chrf -r "$dir/ref" "$dir/hyp"
head -2000 "$dir/ref" > "$dir/ref.2k"; head -2000 "$dir/hyp" > "$dir/hyp.2k"
lines=2000
rate "bleu --paired, 2000 lines" bleu -b -r "$dir/ref.2k" --paired --to tsv -o "$dir/table" "$dir/hyp.2k" "$dir/ref.2k"

lines=${LINES_SCORED:-50000}
[ -z "$SACREBLEU" ] || { PYTHONPATH=$SACREBLEU${PYTHONPATH:+:$PYTHONPATH}; export PYTHONPATH; }
if python3 -c 'import sacrebleu' 2> /dev/null; then
	rate "sacrebleu" python3 -m sacrebleu "$dir/ref" -i "$dir/hyp" -b -w 4
	rate "sacrebleu -m chrf" python3 -m sacrebleu "$dir/ref" -i "$dir/hyp" -b -w 4 -m chrf
else
	echo "sacrebleu                    not there"
fi
