#!/bin/bash
# speed.sh STREAM NAME=MODEL...: sentences a second of models that take turns in translating the same
# sentences on one thread, the median of five turns; for pipeline.mk.  Seconds are the processor's, so
# that others on the machine count little.
set -eu -o pipefail
stream=$1; shift
options=${OPTIONS-}
TIMEFORMAT='%U %S'
turn() { { time nmt-translate -q --threads 1 $options -m "$1" -o /dev/null "$stream" 2>&3; } 3>&2 2>&1; }

n=$(heed-show -f id "$stream" | wc -l)
for round in 1 2 3 4 5; do
	for pair; do printf '%s\t%s\n' "${pair%%=*}" "$(turn "${pair#*=}")"; done
done | tr ' ' '\t' | awk -F '\t' -v OFS='\t' -v n="$n" '
	{ if (!($1 in turns)) name[++names] = $1; seconds[$1, ++turns[$1]] = $2 + $3 }
	function median(m, i, j, x, v) {
		for (i = 1; i <= turns[m]; i++) {
			x = seconds[m, i]
			for (j = i - 1; j && v[j] > x; j--) v[j + 1] = v[j]
			v[j + 1] = x
		}
		return v[int((turns[m] + 1) / 2)]
	}
	END {
		print "run", "sentences a second", "times as fast"
		for (i = 1; i <= names; i++) {
			s = median(name[i])
			print name[i], sprintf("%.1f", n / s), sprintf("%.2f", median(name[1]) / s)
		}
	}'
