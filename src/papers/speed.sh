#!/bin/bash
# speed.sh STREAM NAME=MODEL...: sentences per second of several models; called by pipeline.mk.
# The models take turns in translating the same sentences on one thread; medians of five rounds.
# All translations are forced to the mean reference length in tokens, so that all models do the
# same work.  Times are processor time, which other load on the machine affects little, minus the
# time of the start.
set -eu -o pipefail
stream=$1; shift
TIMEFORMAT='%U %S'
none=$(mktemp) && trap 'rm -f "$none"' EXIT
heed-sample -n 0 "$stream" > "$none"
sizes=$(heed-show -f tgt.pieces "$stream" | awk '{ n += NF } END { print NR, int(n / NR + 0.5) }')
read -r n length <<< "$sizes"

# seconds MODEL STREAM
seconds() {
	{ time nmt-translate -q --precision fp32 --threads 1 --min-length "$length" \
	    --max-extra "$length" --max-ratio 0 -m "$1" -o /dev/null "$2" 2>&3; } 3>&2 2>&1
}
for round in 1 2 3 4 5; do
	for pair; do
		model=${pair#*=}
		# Assignments of their own: of several in one command, set -e sees the last status only.
		whole=$(seconds "$model" "$stream")
		start=$(seconds "$model" "$none")
		printf '%s %s %s\n' "${pair%%=*}" "$whole" "$start"
	done
done | awk -v n="$n" -f "$(dirname "$0")/speed.awk"
