# points.awk: a table of heed-table as curves for points.gp, a block a curve under its name: x,
# mean, deviation.  "LPEA+RHE @ 0.3" is the point 0.3 of the curve LPEA+RHE; without @ x is the number
# of pairs, or, where other rows have one, the curve is level.  With over set, x is that measure of the
# same row, "Gates, coefficient 2" is of the curve Gates, and a curve's points come in order.
BEGIN { FS = "\t" }
NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
over != "" && $at["measure"] == over { measured[$at["row"], $at["column"]] = $at["mean"] }
$at["measure"] == "bleu" && $at["mean"] != "" {
	k = split($at["row"], part, over != "" ? ", " : " @ ")
	name = part[1]; x = k > 1 ? part[2] : ""
	if (over != "") x = $at["row"] SUBSEP $at["column"]
	if (!(name in n)) order[++m] = name
	key = name SUBSEP (++n[name])
	where[key] = x; pairs[key] = $at["pairs"]
	mean[key] = $at["mean"]; deviation[key] = $at["deviation"] + 0
	if (x == "") next
	if (!points++) least = most = x + 0
	if (x + 0 < least) least = x + 0
	if (x + 0 > most) most = x + 0
}
# The place of the next point of a curve, from the least x, when i of n are done.
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
				printf "%s %s 0\n%s %s 0\n", least, mean[key], most, mean[key]
			else
				printf "%s %s %s\n", x, mean[key], deviation[key]
		}
	}
}
