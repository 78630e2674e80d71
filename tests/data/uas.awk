# uas.awk: the attachment score of the first head of a layer, from the columns heads, word and weights of
# nmt-score --attention-weights (heed-show).  Variables: causal, 1 in a decoder; shift, 1 for dbsa:align=input.
BEGIN { FS = "\t" }
{
	n = split($1, head, " "); m = split($2, word, " ")
	split($3, part, "]"); width = split(part[1], cell, ",")
	gsub(/[][]/, "", $3); split($3, weight, ",")
	split("", first); split("", last)
	for (i = 1; i <= m; i++) {
		w = word[i] + 1; last[w] = i
		if (!(w in first)) first[w] = i
	}
	for (w = 1; w <= n; w++) {
		gold = head[w] ? head[w] : w; row = (last[w] - 1 + shift) * width
		if (causal && first[gold] > last[w]) continue
		best = 1
		for (j = 1; j <= width; j++)
			if (weight[row + j] + 0 > weight[row + best] + 0) best = j
		all++; best -= shift; right += best > 0 && best <= m && word[best] + 1 == gold
	}
}
END { printf "%.4f\n", 100 * right / all }
