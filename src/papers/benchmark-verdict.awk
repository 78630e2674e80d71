# benchmark-verdict.awk: a sentence for each verdict in a table of curve-compare(1).  score: nll, bleu or drop.
NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
$1 == score && $2 != "random" {
	v = $at["verdict"]
	list[v] = list[v] (list[v] == "" ? "" : ", ") $2
}
END {
	if ("better" in list) printf "Better than random orders: %s. ", list["better"]
	if ("undecided" in list) printf "Undecided: %s. ", list["undecided"]
	if ("worse" in list) printf "Worse than random orders: %s. ", list["worse"]
}
