# heads-layers.awk: number of retained heads of one kind of attention by run and layer, as a table
# for head-map(1); called by pipeline.mk.  Input as for heads-kept.awk.  Variables: where (kind),
# title.
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
