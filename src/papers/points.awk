# points.awk: a table of heed-table as curves for points.gp, a block a curve under its name: x,
# mean, deviation.  "LPEA+RHE @ 0.3" is the point 0.3 of the curve LPEA+RHE; without @ x is the number
# of pairs, or, where other rows have one, the curve is level.
BEGIN { FS = "\t" }
NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
$at["measure"] == "bleu" && $at["mean"] != "" {
	k = split($at["row"], part, / @ /)
	name = part[1]; x = k > 1 ? part[2] : ""
	if (!(name in n)) order[++m] = name
	key = name SUBSEP (++n[name])
	where[key] = x; pairs[key] = $at["pairs"]
	mean[key] = $at["mean"]; deviation[key] = $at["deviation"] + 0
	if (x == "") next
	if (!points++) least = most = x + 0
	if (x + 0 < least) least = x + 0
	if (x + 0 > most) most = x + 0
}
END {
	for (i = 1; i <= m; i++) {
		printf "%s\"%s\"\n", (i > 1 ? "\n\n" : ""), order[i]
		for (k = 1; k <= n[order[i]]; k++) {
			key = order[i] SUBSEP k; x = points ? where[key] : pairs[key]
			if (x == "")
				printf "%s %s 0\n%s %s 0\n", least, mean[key], most, mean[key]
			else
				printf "%s %s %s\n", x, mean[key], deviation[key]
		}
	}
}
