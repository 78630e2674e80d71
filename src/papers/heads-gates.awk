# heads-gates.awk: how probable it is that the gates of heads are closed, while they are trained, as a
# table for head-map(1); for pipeline.mk.  Input: names of columns, step, dev.open.SITE.HEAD and
# dev.gates.SITE.HEAD; then what the log has of them.  Older logs have only the latter, the gates
# outside training, which are then shown instead.
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
	printf "%s", shown ~ /open/ ? "P(closed)" : "gate"
	for (k = 1; k <= steps; k++) printf "\t%s", step[k]
	print ""
	for (i = 1; i <= n; i++) {
		printf "%s", name[i]
		for (k = 1; k <= steps; k++) printf "\t%.3f", value[i, k]
		print ""
	}
}
