# heads-syntax.awk: for each relation and direction the most accurate encoder head, the
# fixed-offset baseline, and both in the paper; called by pipeline.mk.  Input: the paper's lines
# of relation, direction, best head and baseline; then a table of heads with column names.
BEGIN {
	FS = OFS = "\t"
	ways["dep"] = "dependent to head"; ways["head"] = "head to dependent"
	print "relation", "direction", "best head", "accuracy (%)", "baseline (%)", "difference", \
	    "paper, accuracy (%)", "paper, baseline (%)", "paper, difference"
}
FNR == NR { paper[$1, $2] = $3 OFS $4 OFS $3 - $4; next }
FNR == 1 {
	for (i = 1; i <= NF; i++)
		if ($i ~ /^syntax\..*\.base$/) {
			relation[++n] = substr($i, 8, length($i) - 12); base[n] = i
		} else if ($i ~ /^syntax\./)
			column[$i] = i
		else
			at[$i] = i
	next
}
$at["site"] == "enc-self" {
	for (k = 1; k <= n; k++)
		for (way in ways) {
			i = column["syntax." relation[k] "." way]
			if (!((k, way) in name) || $i > best[k, way]) {
				best[k, way] = $i; name[k, way] = $at["layer"] "." $at["head"]
			}
			offset[k] = $base[k]
		}
}
END {
	for (k = 1; k <= n; k++)
		for (j = 1; j <= 2; j++) {
			way = j == 1 ? "dep" : "head"
			print relation[k], ways[way], name[k, way], sprintf("%.1f", 100 * best[k, way]), \
			    sprintf("%.1f", 100 * offset[k]), sprintf("%+.1f", 100 * (best[k, way] - offset[k])), \
			    (relation[k], way) in paper ? paper[relation[k], way] : OFS OFS
		}
}
