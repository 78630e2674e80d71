# trace.awk: values over training as a table, one row for each system; called by pipeline.mk.  Input
# files: output of names.awk, and output of trace.sh.  Columns: the mean over the seeds at some
# validations and at the last one.  Runs that ended earlier keep their last value.
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
}
