# heads-fate.awk: for each head of the whole model, the number of pruned models that retain it, and its role:
# site, layer, head, number, role, as heads-map.awk reads them.  Input: heads.tsv, whose first run is the whole
# model.  The pruned models are those of all attention, all-*.
BEGIN { FS = OFS = "\t" }
NR == 1 { next }
NR == 2 { whole = $1 }
$1 == whole { role[$2, $3, $4] = $5; order[++m] = $2 OFS $3 OFS $4 }
$1 ~ /^all-/ { kept[$2, $3, $4]++ }
END {
	for (i = 1; i <= m; i++) {
		split(order[i], part, OFS)
		print order[i], kept[part[1], part[2], part[3]] + 0, role[part[1], part[2], part[3]]
	}
}
