# slopes.awk: gains in test NLL against a measure of the corpora, such as the crossing share of their target
# language.  The first table of heed-table(1) has the measure OVER of each corpus; with OVER +, it is the
# number at the end of its name.
#
# With -v form=plot, its differences as points for heed-plot(1), with their intervals.  Otherwise, for the
# claims in further tables, the slope of the gain: a least-squares line over the corpora, with the standard
# error that follows from those of the differences, which are pooled over all systems of a corpus; the 95%
# confidence interval by Student's t with the degrees of freedom of Satterthwaite; and the p-value of the test
# that permutes the measure over the corpora, which needs no model: the share of all permutations with a slope
# at least as steep.
BEGIN { FS = OFS = "\t" }
FNR == 1 { file++; split("", at); for (i = 1; i <= NF; i++) at[$i] = i; next }
file == 1 && $at["measure"] == over && $at["mean"] != "" { x_of[$at["column"]] = $at["mean"]; next }
file == 1 && over == "+" && match($at["column"], /[0-9.]+[.][^.]*$/) {
	number = substr($at["column"], RSTART); sub(/[.][^.]*$/, "", number); x_of[$at["column"]] = number
}
file == 1 && form == "plot" && $at["measure"] == "test.nll" {
	if ($at["against"] == "" && $at["mean"] != "") base = $at["row"]
	if ($at["difference"] == "") next
	if (!($at["row"] in n)) order[++m] = $at["row"]
	key = $at["row"] SUBSEP (++n[$at["row"]])
	column[key] = $at["column"]; gain[key] = -$at["difference"]
	low[key] = $at["high"] == "" ? "" : -$at["high"]; high[key] = $at["low"] == "" ? "" : -$at["low"]
}
file > 1 && $at["measure"] == "test.nll" && $at["difference"] != "" && $at["standard error"] != "" {
	if (!($at["claim"] in n)) order[++m] = $at["claim"]
	key = $at["claim"] SUBSEP (++n[$at["claim"]])
	column[key] = $at["column"]; gain[key] = -$at["difference"]
	error[key] = $at["standard error"]; freedom[key] = $at["degrees of freedom"]
}
# The logarithm of the gamma function, by Stirling's series above 10.
function ln_gamma(z,    s) {
	for (; z < 10; z++) s -= log(z)
	return s + (z - 0.5) * log(z) - z + 0.91893853320467274 + 1 / (12 * z) - 1 / (360 * z ^ 3)
}
# The two-sided p-value of t, by Simpson's rule.
function p_of(t, df,    c, h, i, s) {
	if (t < 0) t = -t
	if (t > 50) return 0
	c = exp(ln_gamma((df + 1) / 2) - ln_gamma(df / 2)) / sqrt(df * 3.14159265358979)
	h = t / 2000
	for (i = 0; i <= 2000; i++) s += (i == 0 || i == 2000 ? 1 : i % 2 ? 4 : 2) * (1 + (i * h) ^ 2 / df) ^ (-(df + 1) / 2)
	return 1 - 2 * c * s * h / 3
}
function quantile(df,    a, b, t) {
	for (b = 50; b - a > 1e-6;) { t = (a + b) / 2; if (p_of(t, df) > 0.05) a = t; else b = t }
	return t
}
function steepness(    k, s) { for (k = 1; k <= corpora; k++) s += (x[perm[k]] - middle) * y[k]; return s }
# Counts the permutations of the measure from place k on.
function permute(k,    i, swap, s) {
	if (k == corpora) { all++; s = steepness(); steep += (s < 0 ? -s : s) >= (observed < 0 ? -observed : observed) - 1e-12; return }
	for (i = k; i <= corpora; i++) {
		swap = perm[k]; perm[k] = perm[i]; perm[i] = swap
		permute(k + 1)
		swap = perm[k]; perm[k] = perm[i]; perm[i] = swap
	}
}
function slope_of(name,    k, key, sxx, v, sum, squares, b, se, df, t) {
	corpora = middle = all = steep = 0
	for (k = 1; k <= n[name]; k++) {
		key = name SUBSEP k
		if (!(column[key] in x_of)) continue
		x[++corpora] = x_of[column[key]]; y[corpora] = gain[key]; se_of[corpora] = error[key]; df_of[corpora] = freedom[key]
		middle += x[corpora]; perm[corpora] = corpora
	}
	if (corpora < 3) return
	middle /= corpora
	for (k = 1; k <= corpora; k++) sxx += (x[k] - middle) ^ 2
	if (!sxx) return
	for (k = 1; k <= corpora; k++) {
		v = ((x[k] - middle) * se_of[k] / sxx) ^ 2
		sum += v; squares += v * v / df_of[k]
	}
	observed = steepness(); b = observed / sxx; se = sqrt(sum)
	permute(1)
	if (!se) return
	df = sum * sum / squares; t = quantile(df)
	printf "%s\t%d\t%.4f\t%.4f\t%.4f\t%.1f\t%.4f\t%.4f\n", name, corpora, b, b - t * se, b + t * se, df, p_of(b / se, df), steep / all
}
# The index of the point with the smallest x among those that are not done.
function next_point(name,    k, best) {
	for (k = 1; k <= n[name]; k++)
		if (!((name, k) in done) && column[name, k] in x_of && (!best || x_of[column[name, k]] + 0 < x_of[column[name, best]] + 0)) best = k
	if (best) done[name, best]
	return best
}
END {
	if (form == "plot") {
		print "panel", "series", "kind", "x", "y", "low", "high"
		for (i = 1; i <= m; i++)
			while ((k = next_point(order[i]))) {
				key = order[i] SUBSEP k
				print "gain in NLL, nats", order[i], "line", x_of[column[key]], gain[key], low[key] == "" ? "-" : low[key], high[key] == "" ? "-" : high[key]
			}
		if (m) print "gain in NLL, nats", base, "level", "-", 0, "-", "-"
	} else {
		print "claim", "languages", "slope", "low", "high", "degrees of freedom", "p", "p of permutations"
		for (i = 1; i <= m; i++) slope_of(order[i])
	}
}
