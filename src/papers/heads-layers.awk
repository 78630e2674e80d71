# heads-layers.awk: how many heads of one kind of attention each layer of each run has left, as a
# table for head-map(1); for pipeline.mk.  Input as that of heads-kept.awk; where and title are set.
BEGIN { FS = OFS = "\t" }
{ if (!($1 in all)) run[++n] = $1; all[$1]++ }
$2 == where { of[$1, $3]++; if ($3 > layers) layers = $3 + 0 }
END {
	printf "%s", title
	for (l = 1; l <= layers; l++) printf "\tlayer %d", l
	print ""
	for (i = 1; i <= n; i++) {
		printf "%s: %d", run[i], all[run[i]]
		for (l = 1; l <= layers; l++) printf "\t%d", of[run[i], l]
		print ""
	}
}
