#!/bin/sh
# trace.sh NAMES PREFIX FOLDER...: values over training as a table, one row for each system; called by
# pipeline.mk.  NAMES is the output of names.awk, FOLDER .../VARIANT/SEED with a log.  The value of a validation
# is the mean of the values in the log whose names begin with PREFIX; runs without such values are left out.
# Columns: the mean over the seeds at some validations and at the last one.  Runs that ended earlier keep their
# last value.
set -eu
names=$1 prefix=$2; shift 2

# Lines of variant, seed, number of the validation, value.
values() {
	for d; do
		log=$d/log.heed.zst variant=$(basename "$(dirname "$d")")
		fields=$(heed-check --list "$log" | prefix=$prefix awk -F '\t' \
			'$2 == "field" && index($3, ENVIRON["prefix"]) == 1 { print $3 }' | paste -s -d , -)
		[ -n "$fields" ] || continue
		heed-show -f "$fields" "$log" | awk -v variant="$variant" -v seed="${d##*/}" '
			BEGIN { FS = OFS = "\t" }
			$1 != "" {
				sum = 0
				for (i = 1; i <= NF; i++) sum += $i
				print variant, seed, ++n, sum / NF
			}'
	done
}
values "$@" | awk '
	BEGIN { FS = OFS = "\t"; columns = split("1 2 5 10 20 50 100", at, " ") }
	FNR == NR { order[++systems] = $1; label[$1] = $3; next }
	{
		value[$1, $2, $3] = $4
		if (!(($1, $2) in last)) seed[$1, ++seeds[$1]] = $2
		last[$1, $2] = $3 + 0
		if ($3 > longest) longest = $3 + 0
	}
	function mean(v, k,    i, sum, end) {
		for (i = 1; i <= seeds[v]; i++) {
			end = last[v, seed[v, i]]
			sum += value[v, seed[v, i], k < end ? k : end]
		}
		return sprintf("%.3f", sum / seeds[v])
	}
	END {
		while (columns && at[columns] >= longest) columns--
		printf "system\tseeds"
		for (i = 1; i <= columns; i++) printf "\tvalidation %d", at[i]
		print "\tlast validation"
		for (i = 1; i <= systems; i++) {
			v = order[i]
			if (!seeds[v]) continue
			printf "%s\t%d", label[v], seeds[v]
			for (k = 1; k <= columns; k++) printf "\t%s", mean(v, at[k])
			print "\t" mean(v, longest)
		}
	}' "$names" -
