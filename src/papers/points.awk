# points.awk: a table of heed-table as curves for points.gp, one block per curve: its name, then
# lines of x, mean and deviation.  The label "LPEA+RHE, fixed gate = 0.3" is the point x = 0.3 of
# the curve "LPEA+RHE, fixed gate".  Labels without " = " are horizontal lines if other labels
# have it; otherwise x is the number of training pairs.  With over set, x is that measure of the
# same row; "L0 gates, λ2" is a point of the curve "L0 gates", and the points of a curve are
# sorted by x.
BEGIN { FS = "\t" }
NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
over != "" && $at["measure"] == over { measured[$at["row"], $at["column"]] = $at["mean"] }
$at["measure"] == "bleu" && $at["mean"] != "" {
	k = split($at["row"], part, over != "" ? ", " : " = ")
	name = part[1]; x = k > 1 ? part[2] : ""
	if (over != "") x = $at["row"] SUBSEP $at["column"]
	if (!(name in n)) order[++m] = name
	key = name SUBSEP (++n[name])
	where[key] = x; pairs[key] = $at["pairs"]
	mean[key] = $at["mean"]; deviation[key] = $at["deviation"] + 0
	if (x == "") next
	if (!points++) min_x = max_x = x + 0
	if (x + 0 < min_x) min_x = x + 0
	if (x + 0 > max_x) max_x = x + 0
}
# The index of the point with the smallest x among those that are not done.
function next_point(name, k, best) {
	for (k = 1; k <= n[name]; k++)
		if (!((name, k) in done) && (!best || where[name, k] < where[name, best])) best = k
	done[name, best]
	return best
}
END {
	for (i = 1; over != "" && i <= m; i++)
		for (k = 1; k <= n[order[i]]; k++)
			where[order[i], k] = measured[where[order[i], k]] + 0
	for (i = 1; i <= m; i++) {
		printf "%s\"%s\"\n", (i > 1 ? "\n\n" : ""), order[i]
		for (k = 1; k <= n[order[i]]; k++) {
			key = order[i] SUBSEP (over != "" ? next_point(order[i]) : k)
			x = points ? where[key] : pairs[key]
			if (x == "")
				printf "%s %s 0\n%s %s 0\n", min_x, mean[key], max_x, mean[key]
			else
				printf "%s %s %s\n", x, mean[key], deviation[key]
		}
	}
}
