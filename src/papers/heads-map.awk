# heads-map.awk: heads as tables for head-map(1), a file FILE.KIND for each kind of attention; called by
# pipeline.mk with -v file=FILE.  Input: site, layer, head, value and optionally role of each head, for a table
# of layers and heads, with a letter for the role.  Or a table of heads with column names, for a row for each
# head, with the share of queries that attend most to each offset.
BEGIN {
	FS = OFS = "\t"
	title["enc-self"] = "encoder self-attention"
	title["dec-self"] = "decoder self-attention"
	title["cross"] = "cross-attention"
}
$1 == "site" {
	for (i = 1; i <= NF; i++) {
		at[$i] = i
		if ($i ~ /^offsets\./) { column[++n] = i; offsets = offsets OFS substr($i, 9) }
	}
	next
}
"site" in at {
	row = "layer " $at["layer"] ", head " $at["head"]
	for (k = 1; k <= n; k++) row = row OFS ($column[k] == "" ? "-" : $column[k])
	rows[$at["site"]] = rows[$at["site"]] row "\n"
	next
}
{
	cell[$1, $2, $3] = $4 == "" ? "-" : $4 ($5 ~ /^(positional|syntactic|rare)$/ ? " " substr($5, 1, 1) : "")
	if ($2 > layers[$1]) layers[$1] = $2 + 0
	if ($3 > heads[$1]) heads[$1] = $3 + 0
}
function grid(site, out,    l, h) {
	printf "%s, head", title[site] > out
	for (h = 1; h <= heads[site]; h++) printf "\t%d", h > out
	print "" > out
	for (l = 1; l <= layers[site]; l++) {
		printf "layer %d", l > out
		for (h = 1; h <= heads[site]; h++) printf "\t%s", ((site, l, h) in cell ? cell[site, l, h] : "-") > out
		print "" > out
	}
}
END {
	for (site in title)
		if ("site" in at)
			printf "%s, offset%s\n%s", title[site], offsets, rows[site] > (file "." site)
		else
			grid(site, file "." site)
}
