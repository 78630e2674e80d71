# reorder.awk: the words of the first column of a table, in the order of the words of the second column
# that the third, links in Pharaoh format, gives them; the first line has the names.  A word with several
# links is at their mean, and one without links follows the word before it.
BEGIN { FS = OFS = "\t" }
NR > 1 {
	n = split($1, word, " ")
	split("", sum); split("", links)
	for (i = split($3, link, " "); i > 0; i--) {
		split(link[i], at, "-")
		sum[at[1] + 1] += at[2]; links[at[1] + 1]++
	}
	for (i = 1; i <= n; i++) {
		place = i in links ? sum[i] / links[i] : i > 1 ? where[i - 1] : -1
		for (j = i; j > 1 && where[order[j - 1]] > place; j--) order[j] = order[j - 1]
		order[j] = i; where[i] = place
	}
	$1 = ""
	for (i = 1; i <= n; i++) $1 = $1 (i > 1 ? " " : "") word[order[i]]
}
{ print $1, $2 }
