# names.awk: the labels of each variant in tables of heed-table; called by pipeline.mk.  Output:
# variant, "SECTION: LABEL" of all tables, and the label of the first table.
BEGIN { FS = OFS = "\t" }
FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
{
	variant = $at["variant"]
	name = $at["section"] ": " $at["row"]
	if (!(variant in first)) {
		order[++n] = variant; first[variant] = $at["row"]; all[variant] = name
	} else if (!((variant, name) in seen)) {
		all[variant] = all[variant] "; " name
	}
	seen[variant, name]
}
END { for (i = 1; i <= n; i++) print order[i], all[order[i]], first[order[i]] }
