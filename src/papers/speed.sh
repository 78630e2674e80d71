#!/bin/bash
# speed.sh STREAM NAME=MODEL...: sentences a second of models that take turns in translating the same
# sentences on one thread, medians of five rounds; for pipeline.mk.  All translations have as many
# symbols as references have on average, whatever a model would say, so that all do the same work.
# Seconds are the processor's, so that others on the machine count little, and without the start.
set -eu -o pipefail
stream=$1; shift
TIMEFORMAT='%U %S'
none=$(mktemp) && trap 'rm -f "$none"' EXIT
heed-sample -n 0 "$stream" > "$none"
sizes=$(heed-show -f tgt.pieces "$stream" | awk '{ n += NF } END { print NR, int(n / NR + 0.5) }')
read -r n length <<< "$sizes"

# seconds MODEL STREAM
seconds() {
	{ time nmt-translate -q --threads 1 --min-length "$length" --max-extra "$length" \
	    --max-ratio 0 -m "$1" -o /dev/null "$2" 2>&3; } 3>&2 2>&1
}
for round in 1 2 3 4 5; do
	for pair; do
		model=${pair#*=} whole=$(seconds "$model" "$stream") start=$(seconds "$model" "$none")
		printf '%s %s %s\n' "${pair%%=*}" "$whole" "$start"
	done
done | awk -v n="$n" -f "$(dirname "$0")/speed.awk"
