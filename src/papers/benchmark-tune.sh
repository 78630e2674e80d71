#!/bin/sh
# benchmark-tune.sh FOLDER MODEL CURVES TRAIN TEST THREADS OPTION...: writes pruning curves of two points, all
# heads and half of them, in which each loss is that of the pruned model after further training with the options
# of nmt-train.  CURVES has the orders in which heads are removed.  FOLDER keeps the losses, for an interrupted run.
set -eu
folder=$1 model=$2 curves=$3 train=$4 test=$5 threads=$6
shift 6
mkdir -p "$folder"

# The middle point of the curves, and the heads that each order has removed there, each list once.
heed-show -f heads,retained,masked "$curves" > "$folder/points"
half=$(awk -F '\t' '{ d = 2 * $2 - $1; d = d < 0 ? -d : d }
    NR == 1 || d < least { least = d; half = $2 } END { print half }' "$folder/points")
awk -F '\t' -v half="$half" '($2 == $1 || $2 == half) && !seen[$3]++ { print $3 }' "$folder/points" > "$folder/lists"

# NLL per target token, end of sentence included, as in head-curve.
loss() {
	nmt-score -q --threads "$threads" --too-long skip -m "$1" "$test" | heed-show -f score,score.tokens |
	    awk -F '\t' '{ sum -= $1; tokens += gsub(/,/, "", $2) + 1 } END { printf "%.17g\n", sum / tokens }'
}
while IFS= read -r masked; do
	file=$folder/$(printf %s "$masked" | cksum | tr ' ' -).loss
	if [ ! -s "$file" ]; then
		start=$model
		if [ -n "$masked" ]; then
			start=$folder/pruned.tar
			head-prune -q -m "$model" --heads "$masked" -o "$start"
		fi
		nmt-train -q --threads "$threads" --init "$start" "$@" -o "$folder/tuned.tar" "$train"
		loss "$folder/tuned.tar" > "$file.tmp"
		mv "$file.tmp" "$file"
	fi < /dev/null
	printf '%s\t%s\n' "$masked" "$(cat "$file")"
done < "$folder/lists" > "$folder/losses"
rm -f "$folder/pruned.tar" "$folder/tuned.tar"

# The same stream with these points alone, and their losses.
heed-show "$curves" | awk -F '\t' -v half="$half" -v losses="$folder/losses" '
    BEGIN { while ((getline line < losses) > 0) { split(line, part, "\t"); loss[part[1]] = part[2] } }
    function value(name) { match($0, "\"" name "\":(\"[^\"]*\"|[0-9]+)"); s = substr($0, RSTART, RLENGTH)
        sub(/^[^:]*:/, "", s); gsub(/"/, "", s); return s }
    /^\["heed-end",/ { $0 = "[\"heed-end\"," n "]" }
    /^[{]/ { if (value("retained") != value("heads") && value("retained") != half) next
        n++; sub(/"nll":[-+0-9.e]+/, "\"nll\":" loss[value("masked")]) }
    { print }' | heed-pack --json
