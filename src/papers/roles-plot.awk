# roles-plot.awk: shares against updates as points for heed-plot(1); called by pipeline.mk.  A
# line for the highest head of each layer, a band from the lowest over the median to the highest
# of all heads, and the threshold of the role.  Input: output of roles-updates.awk, updates in
# ascending order.
BEGIN {
	FS = OFS = "\t"
	n = split("positional syntactic rare2 confidence", measure, " ")
	split("positional syntactic rare", role, " ")
	label["positional"] = "Most frequent offset, share of rows"; threshold["positional"] = 0.9
	label["syntactic"] = "Best relation, accuracy minus baseline"; threshold["syntactic"] = 0.1
	label["rare2"] = "Two rarest tokens, share of rows"; threshold["rare2"] = 0.5
	label["confidence"] = "Confidence"
	print "panel", "series", "kind", "x", "y", "low", "high"
}
FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
{
	if (!($1 in seen)) { seen[$1]; update[++updates] = $1 }
	if ($2 > layers) layers = $2 + 0
	for (k = 1; k <= n; k++) {
		x = $at[measure[k]]
		if (x == "-") continue
		all[k, $1, ++count[k, $1]] = x
		if (!((k, $1, $2) in best) || x > best[k, $1, $2]) best[k, $1, $2] = x
	}
}
function band(k, u, m, i, j, x) {
	m = count[k, u]
	if (!m) return
	for (i = 1; i <= m; i++) {
		x = all[k, u, i] + 0
		for (j = i - 1; j && sorted[j] > x; j--) sorted[j + 1] = sorted[j]
		sorted[j + 1] = x
	}
	print label[measure[k]], "all heads", "band", u, (sorted[int((m + 1) / 2)] + sorted[int(m / 2) + 1]) / 2, sorted[1], sorted[m]
}
END {
	for (k = 1; k <= n; k++) {
		for (i = 1; i <= updates; i++) band(k, update[i])
		if (measure[k] in threshold && updates)
			print label[measure[k]], role[k] " ≥ " threshold[measure[k]], "level", "-", threshold[measure[k]], "-", "-"
		for (l = 1; l <= layers; l++)
			for (i = 1; i <= updates; i++)
				if ((k, update[i], l) in best)
					print label[measure[k]], "layer " l, "line", update[i], best[k, update[i], l], "-", "-"
	}
}
