# relations.awk: numbers [heads, 9] in od's lines as a table of nine relations by heads; for pipeline.mk.
# A relation says what the key is to the query.
{ for (i = 1; i <= NF; i++) v[n++] = $i }
END {
	split("self parent child left-sib right-sib anc desc left-other right-other", name, " ")
	printf "strength"
	for (h = 0; h < n / 9; h++) printf "\thead %d", h + 1
	print ""
	for (r = 0; r < 9; r++) {
		printf "%s", name[r + 1]
		for (h = 0; h < n / 9; h++) printf "\t%.3f", v[9 * h + r]
		print ""
	}
}
