# names.awk: what the rows of tables of heed-table call each variant: its name, "SECTION: ROW" of all,
# the row of the first; for pipeline.mk.
BEGIN { FS = OFS = "\t" }
FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
{
	variant = $at["variant"]
	name = $at["section"] ": " $at["row"]
	if (!(variant in first)) {
		order[++n] = variant; first[variant] = $at["row"]; all[variant] = name
	} else if (!((variant, name) in told)) {
		all[variant] = all[variant] "; " name
	}
	told[variant, name]
}
END { for (i = 1; i <= n; i++) print order[i], all[order[i]], first[order[i]] }
