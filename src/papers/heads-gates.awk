# heads-gates.awk: probability that each gate is closed, by update, as a table for head-map(1);
# called by pipeline.mk.  Input: the column names step, dev.open.SITE.HEAD and
# dev.gates.SITE.HEAD, then the values in the log.  Older logs have only dev.gates, the values of
# the gates at test time, which are then shown.
BEGIN { FS = OFS = "\t" }
NR == 1 {
	shown = /\tdev\.open\./ ? "^dev\\.open\\." : "^dev\\.gates\\."
	for (i = 2; i <= NF; i++) if (sub(shown, "", $i)) { name[++n] = $i; column[n] = i }
	next
}
$2 != "" {
	step[++steps] = $1
	for (i = 1; i <= n; i++) value[i, steps] = shown ~ /open/ ? 1 - $column[i] : $column[i]
}
END {
	printf "%s by update", shown ~ /open/ ? "P(closed)" : "gate"
	for (k = 1; k <= steps; k++) printf "\t%s", step[k]
	print ""
	for (i = 1; i <= n; i++) {
		printf "%s", name[i]
		for (k = 1; k <= steps; k++) printf "\t%.3f", value[i, k]
		print ""
	}
}
