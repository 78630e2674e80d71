# heads-offsets.awk: share of rows in which a head attends most to each offset, as a table for
# head-map(1); called by pipeline.mk.  Input: a table of heads with column names.  Variables:
# where (site), title.
BEGIN { FS = "\t" }
NR == 1 {
	printf "%s, offset", title
	for (i = 1; i <= NF; i++) {
		at[$i] = i
		if ($i ~ /^offsets\./) { column[++n] = i; printf "\t%s", substr($i, 9) }
	}
	print ""
	next
}
$at["site"] == where {
	printf "layer %d, head %d", $at["layer"], $at["head"]
	for (k = 1; k <= n; k++) printf "\t%s", ($column[k] == "" ? "-" : $column[k])
	print ""
}
