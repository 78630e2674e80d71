# points.awk: a table of heed-table as points for heed-plot(1): our means with standard deviations,
# and the values that the paper reports.  The label "LPEA+RHE, fixed gate = 0.3" is the point
# x = 0.3 of the curve "LPEA+RHE, fixed gate".  Labels without " = " are horizontal lines if other
# labels have it, even if these have no values yet; otherwise x is the number of training pairs, of the
# paper that in the name of its column, such as en-de@20k.
#
# With over set, x is that measure of the same row; "L0 gates, λ2" is a point of the curve "L0
# gates", and the points of a curve are sorted by x.  "All attention, same number: subset" is a
# point of its own, "subset".  The values are differences from the baseline, with their intervals:
# corpora differ more than systems, which one axis for their scores would hide.  Values of a paper
# are left out where ours are missing.
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
over == "" && split($at["row"], part, " = ") > 1 {
	if (!labels++ || part[2] + 0 < first + 0) first = part[2]
	if (labels == 1 || part[2] + 0 > last + 0) last = part[2]
}
$at["measure"] == "bleu" && ($at["mean"] != "" || $at["paper"] != "") {
	k = split($at["row"], part, over != "" ? ", " : " = ")
	name = over != "" && match($at["row"], /: /) ? substr($at["row"], RSTART + 2) : part[1]
	if (!(name in n)) order[++m] = name
	key = name SUBSEP (++n[name])
	from[key] = $at["row"] SUBSEP $at["column"]
	label[key] = k > 1 && over == "" ? part[2] : ""
	placed += label[key] != ""
	pairs[key] = $at["pairs"]; paper_pairs[key] = pairs_of($at["paper column"])
	if (over != "") {
		if ($at["difference"] != "") ours[name]
		mean[key] = $at["difference"]; paper[key] = $at["paper\047s difference"]
		low[key] = $at["low"]; high[key] = $at["high"]
		if ($at["against"] == "" && $at["mean"] != "") base = name
	} else {
		mean[key] = $at["mean"]; paper[key] = $at["paper"]
		if ($at["deviation"] + 0) {
			low[key] = mean[key] - $at["deviation"]; high[key] = mean[key] + $at["deviation"]
		}
	}
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
# Without other points, a plot has no x axis: the level is a line between the first and the last label.
function draw_level(name, y) {
	if (placed) {
		print panel, name, "level", "-", y, "-", "-"
	} else {
		print panel, name, "line", first, y, "-", "-"
		print panel, name, "line", last, y, "-", "-"
	}
}
function draw(name, key, theirs,    y, x) {
	y = theirs ? paper[key] : mean[key]
	x = x_of(key, theirs)
	if (y == "" || over != "" && theirs && !(name in ours)) return
	if (over == "" && labels && x == "")
		draw_level(name (theirs ? ", paper" : ""), y)
	else if (x != "" && theirs)
		print panel, name ", paper", "points", x, y, "-", "-"
	else if (x != "")
		print panel, name, "line", x, y, low[key] == "" ? "-" : low[key], high[key] == "" ? "-" : high[key]
}
END {
	print "panel", "series", "kind", "x", "y", "low", "high"
	panel = over != "" ? "BLEU difference" : "BLEU"
	for (i = 1; i <= m; i++)
		for (theirs = 0; theirs <= 1; theirs++)
			for (k = 1; k <= n[order[i]]; k++)
				draw(order[i], over != "" ? next_point(order[i], theirs, theirs) : order[i] SUBSEP k, theirs)
	if (base != "") print panel, base, "level", "-", 0, "-", "-"
}
