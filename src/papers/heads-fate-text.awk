# heads-fate-text.awk: the number of heads of each kind that all pruned models retain, and which encoder heads
# these are, in a sentence; called by pipeline.mk.  Input: heads.tsv, as for heads-fate.awk.
BEGIN { FS = "\t"; models = "^all-" }
NR == 1 { next }
NR == 2 { whole = $1 }
$1 ~ models { if (!($1 in seen)) { seen[$1]; n++ } }
$1 == whole { all[$2]++; role[$2, $3, $4] = $5; order[++m] = $2 SUBSEP $3 SUBSEP $4 }
$1 ~ models { kept[$2, $3, $4]++ }
END {
	for (i = 1; i <= m; i++) {
		split(order[i], part, SUBSEP)
		if (n && kept[order[i]] == n) {
			always[part[1]]++
			if (part[1] == "enc-self")
				names = names (names == "" ? "" : ", ") "layer " part[2] " head " part[3] \
				    (role[order[i]] == "other" ? "" : " (" role[order[i]] ")")
		}
	}
	if (!n) exit
	printf "%d of %d encoder heads survive all %d strengths%s; ", always["enc-self"], all["enc-self"], n, \
	    (names == "" ? "" : ": " names)
	printf "likewise %d of %d decoder heads and %d of %d cross-attention heads. ", always["dec-self"], all["dec-self"], \
	    always["cross"], all["cross"]
	print "Relevance, under Figures, ranks the heads of the whole model."
}
