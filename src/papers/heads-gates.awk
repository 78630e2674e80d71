# heads-gates.awk: the gates of heads while they are trained, as a table for head-map(1); for
# pipeline.mk.  Input: names of columns, step and dev.gates.SITE.HEAD; then what the log has of them.
BEGIN { FS = OFS = "\t" }
NR == 1 { for (i = 2; i <= NF; i++) { name[i] = $i; sub(/^dev\.gates\./, "", name[i]) } n = NF; next }
$2 != "" { step[++steps] = $1; for (i = 2; i <= n; i++) gate[i, steps] = $i }
END {
	printf "gate"
	for (k = 1; k <= steps; k++) printf "\t%s", step[k]
	print ""
	for (i = 2; i <= n; i++) {
		printf "%s", name[i]
		for (k = 1; k <= steps; k++) printf "\t%.3f", gate[i, k]
		print ""
	}
}
