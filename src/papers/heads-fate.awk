# heads-fate.awk: for each head of one kind of attention, the number of pruned models that retain it, and
# its role, as a table for head-map(1); called by pipeline.mk.  Input: heads.tsv, whose first run is the
# whole model.  Variables: where (kind), title.  The pruned models are those of all attention, all-*.
BEGIN { FS = OFS = "\t"; models = "^all-" }
NR == 1 { next }
NR == 2 { whole = $1 }
$1 ~ models { if (!($1 in seen)) { seen[$1]; n++ } }
$2 != where { next }
$1 == whole {
	role[$3, $4] = $5
	if ($3 > layers) layers = $3 + 0
	if ($4 > heads) heads = $4 + 0
}
$1 ~ models { kept[$3, $4]++ }
function letter(role) { return role ~ /^(positional|syntactic|rare)$/ ? " " substr(role, 1, 1) : "" }
END {
	printf "%s, head", title
	for (h = 1; h <= heads; h++) printf "\t%d", h
	print ""
	for (l = 1; l <= layers; l++) {
		printf "layer %d", l
		for (h = 1; h <= heads; h++) printf "\t%d%s", kept[l, h], letter(role[l, h])
		print ""
	}
}
