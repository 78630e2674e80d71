# heads-map.awk: one value per head, and a letter for its role, as a table for head-map(1); called
# by pipeline.mk.  Input, tab-separated: site, layer, head, value and optionally role.  Variables:
# where (site), title.
BEGIN { FS = OFS = "\t" }
$1 == where {
	cell[$2, $3] = $4 == "" ? "-" : $4 letter($5)
	if ($2 > layers) layers = $2 + 0
	if ($3 > heads) heads = $3 + 0
}
function letter(role) { return role ~ /^(positional|syntactic|rare)$/ ? " " substr(role, 1, 1) : "" }
END {
	printf "%s, head", title
	for (h = 1; h <= heads; h++) printf "\t%d", h
	print ""
	for (l = 1; l <= layers; l++) {
		printf "layer %d", l
		for (h = 1; h <= heads; h++) printf "\t%s", (l, h) in cell ? cell[l, h] : "-"
		print ""
	}
}
