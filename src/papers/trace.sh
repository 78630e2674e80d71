#!/bin/sh
# trace.sh PREFIX FOLDER...: for each validation of each run, the mean of the values in its log whose names
# begin with PREFIX; called by pipeline.mk.  FOLDER is .../VARIANT/SEED with a log.  Output: variant, seed,
# number of the validation, mean.  Runs without such values have no lines.
set -eu
prefix=$1; shift
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
