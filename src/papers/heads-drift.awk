# heads-drift.awk: confidence and role of each encoder head in the whole model and in each run that
# retains it, as a table for head-map(1); called by pipeline.mk.  Input as for heads-kept.awk.
BEGIN { FS = OFS = "\t" }
function letter(role) { return role ~ /^(positional|syntactic|rare)$/ ? " " substr(role, 1, 1) : "" }
$2 == "enc-self" {
	if (!($1 in all)) run[++n] = $1
	all[$1]++
	if (n == 1) head[++heads] = $3 "." $4
	cell[$1, $3 "." $4] = $6 letter($5)
}
END {
	printf "encoder self-attention"
	for (i = 1; i <= n; i++) printf "\t%s: %d", run[i], all[run[i]]
	print ""
	for (h = 1; h <= heads; h++) {
		split(head[h], part, ".")
		printf "layer %d, head %d", part[1], part[2]
		for (i = 1; i <= n; i++) printf "\t%s", (run[i], head[h]) in cell ? cell[run[i], head[h]] : "-"
		print ""
	}
}
