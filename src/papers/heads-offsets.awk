# heads-offsets.awk: how often heads of one kind of attention look at each offset, as a table for
# head-map(1); for pipeline.mk.  Input: a table of heads with names of columns; where and title are set.
BEGIN { FS = "\t" }
NR == 1 {
	printf "%s", title
	for (i = 1; i <= NF; i++) {
		at[$i] = i
		if ($i ~ /^offsets\./) { column[++n] = i; printf "\t%s", substr($i, 9) }
	}
	print ""
	next
}
$at["site"] == where {
	printf "%d.%d", $at["layer"], $at["head"]
	for (k = 1; k <= n; k++) printf "\t%s", $column[k] == "" ? "-" : $column[k]
	print ""
}
