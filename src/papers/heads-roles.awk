# heads-roles.awk: number of retained encoder heads of each run by role, and of heads with the
# same role as in the whole model; called by pipeline.mk.  Input as for heads-kept.awk.
BEGIN { FS = OFS = "\t"; kinds = split("positional syntactic rare other", role, " ") }
$2 != "enc-self" { next }
{
	if (!($1 in all)) run[++n] = $1
	all[$1]++; of[$1, $5]++
	if (n == 1) first[$3, $4] = $5
	same[$1] += first[$3, $4] == $5
}
END {
	print "run", "heads", "positional", "syntactic", "rare", "other", "same role as in base"
	for (i = 1; i <= n; i++) {
		printf "%s\t%d", run[i], all[run[i]]
		for (k = 1; k <= kinds; k++) printf "\t%d", of[run[i], role[k]]
		printf "\t%s\n", (i > 1 ? same[run[i]] : "")
	}
}
