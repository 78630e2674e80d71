# doses.awk: a table of heed-table(1) whose corpora have names that end in a number, as points for
# heed-plot(1): differences from the baseline in test NLL, with their intervals, against this number.
BEGIN { FS = OFS = "\t"; print "panel", "series", "kind", "x", "y", "low", "high" }
NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
$at["measure"] == "test.nll" {
	column = $at["column"]; sub(/[.][^.]*$/, "", column)
	if (!match(column, /[0-9.]+$/)) next
	x = substr(column, RSTART)
	if ($at["against"] == "" && $at["mean"] != "") base = $at["row"]
	if ($at["difference"] == "") next
	if (!($at["row"] in n)) order[++m] = $at["row"]
	point[$at["row"], ++n[$at["row"]]] = x OFS $at["difference"] OFS \
		($at["low"] == "" ? "-" OFS "-" : $at["low"] OFS $at["high"])
}
END {
	panel = "NLL difference, nats"
	for (i = 1; i <= m; i++)
		for (k = 1; k <= n[order[i]]; k++)
			print panel, order[i], "line", point[order[i], k]
	if (m) print panel, base, "level", "-", 0, "-", "-"
}
