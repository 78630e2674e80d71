# points.awk: a table of heed-table as points for heed-plot(1): our means with standard deviations,
# and the values that the paper reports.  The label "LPEA+RHE, fixed gate = 0.3" is the point
# x = 0.3 of the curve "LPEA+RHE, fixed gate".  Labels without " = " are horizontal lines if other
# labels have it; otherwise x is the number of training pairs, of the paper that in the name of its
# column, such as en-de@20k.  With over set, x is that measure of the same row; "L0 gates, λ2" is a
# point of the curve "L0 gates", and the points of a curve are sorted by x.
BEGIN { FS = OFS = "\t" }
NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
over != "" && $at["measure"] == over {
	measured[$at["row"], $at["column"]] = $at["mean"]
	reported[$at["row"], $at["column"]] = $at["paper"]
}
function pairs_of(column,    n) {
	if (!match(column, /@[0-9.]+[kM]?$/)) return ""
	n = substr(column, RSTART + 1, RLENGTH - 1)
	return n * (n ~ /k$/ ? 1000 : n ~ /M$/ ? 1000000 : 1)
}
$at["measure"] == "bleu" && ($at["mean"] != "" || $at["paper"] != "") {
	k = split($at["row"], part, over != "" ? ", " : " = ")
	name = part[1]
	if (!(name in n)) order[++m] = name
	key = name SUBSEP (++n[name])
	from[key] = $at["row"] SUBSEP $at["column"]
	label[key] = k > 1 && over == "" ? part[2] : ""
	labels += label[key] != ""
	pairs[key] = $at["pairs"]; paper_pairs[key] = pairs_of($at["paper column"])
	mean[key] = $at["mean"]; deviation[key] = $at["deviation"]
	paper[key] = $at["paper"]
}
# x of our value or, with theirs, of that of the paper; "" if there is none.
function x_of(key, theirs) {
	if (over != "") return theirs ? reported[from[key]] : measured[from[key]]
	if (labels) return label[key]
	return theirs ? paper_pairs[key] : pairs[key]
}
# The index of the point with the smallest x among those that are not done.
function next_point(name, what, theirs,    k, best) {
	for (k = 1; k <= n[name]; k++)
		if (!((name, k, what) in done) && (!best || x_of(name SUBSEP k, theirs) + 0 < x_of(name SUBSEP best, theirs) + 0))
			best = k
	done[name, best, what]
	return name SUBSEP best
}
function draw(name, key, theirs,    y, x) {
	y = theirs ? paper[key] : mean[key]
	x = x_of(key, theirs)
	if (y == "") return
	if (over == "" && labels && x == "")
		print "BLEU", name (theirs ? ", paper" : ""), "level", "-", y, "-", "-"
	else if (x != "" && theirs)
		print "BLEU", name ", paper", "points", x, y, "-", "-"
	else if (x != "" && deviation[key] + 0)
		print "BLEU", name, "line", x, y, y - deviation[key], y + deviation[key]
	else if (x != "")
		print "BLEU", name, "line", x, y, "-", "-"
}
END {
	print "panel", "series", "kind", "x", "y", "low", "high"
	for (i = 1; i <= m; i++)
		for (theirs = 0; theirs <= 1; theirs++)
			for (k = 1; k <= n[order[i]]; k++)
				draw(order[i], over != "" ? next_point(order[i], theirs, theirs) : order[i] SUBSEP k, theirs)
}
