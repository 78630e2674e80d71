# found.awk: a line of the table found: the name of a search, its result, and the scores of the best
# trial and of the default; called by pipeline.mk.  Input: the table of trials.awk, if the ledger has
# it.  Variables: name, best.  A trial is scored by its mean over the seeds, after most updates.
BEGIN { FS = OFS = "\t"; lowest = fallback = ""; most = -1 }
FNR == 1 { next }
$5 != "null" { sum[$2, $4] += $5; n[$2, $4]++; trial[$2]; if ($4 + 0 > most) most = $4 + 0 }
END {
	for (t in trial)
		if (n[t, most] && (lowest == "" || sum[t, most] / n[t, most] < lowest))
			lowest = sum[t, most] / n[t, most]
	if (n["", most]) fallback = sum["", most] / n["", most]
	print name, best, (lowest == "" ? "" : sprintf("%.3f", lowest)), (fallback == "" ? "" : sprintf("%.3f", fallback))
}
