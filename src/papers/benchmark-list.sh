#!/bin/sh
# benchmark-list.sh FOLDER...: for each model, a table of the steps of the benchmark: sentences, seconds,
# and whether the model supports the step; and the measures that have no pruning curve, with the reason.
notes() { heed-show "$1" | sed -n 's/^\["heed-note","\([^"]*\)","\(.*\)"\]$/\1\t\2/p' | sed 's/\\"/"/g'; }
note() { notes "$1" | sed -n "s/^$2	//p"; }
printf 'step\tmodel\tsentences\tseconds\tresult\n'
for d; do
	pairs=$(note "$d/deletion.heed" sentences)
	aligned=$(awk -F '\t' 'NR == 2 { print $3 + $4 }' "$d/aligned/scores.tsv" 2> /dev/null) || aligned=
	for f in "$d"/measure/*.heed "$d"/tokens/*.heed "$d"/aligned/*.heed "$d"/aligned/scores.tsv; do
		[ -e "$f" ] || continue
		step=$(basename "$(dirname "$f")")/$(basename "${f%.*}")
		if [ -s "$f" ]; then
			result=available
			case $f in
			*/measure/*)	n=$(note "$f" sentences) ;;
			*/tokens/*)	n=$pairs ;;
			*/aligned/*)	n=${aligned:--} ;;
			esac
		else
			n=- result="not available: $(sed "s,$d/,,g" "$f.why")"
		fi
		printf '%s\t%s\t%s\t%s\t%s\n' "$step" "${d##*/}" "$n" "$(cat "$f.seconds")" "$result"
	done
	for f in "$d"/curve/*.heed; do
		printf 'curve/%s\t%s\t%s\t-\tavailable\n' "$(basename "$f" .heed)" "${d##*/}" "$(note "$f" sentences)"
		notes "$f" | sed -n 's/^skipped\.//p' | while IFS='	' read -r measure why; do
			printf 'curve/%s of %s\t%s\t-\t-\tnot available: %s\n' "$(basename "$f" .heed)" "$measure" "${d##*/}" "$why"
		done
	done
	printf 'deletion\t%s\t%s\t-\tavailable\n' "${d##*/}" "$pairs"
done
