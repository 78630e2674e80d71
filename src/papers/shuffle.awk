# shuffle.awk: the first column of a table with its words in random order; the first line has the names.
# The order is a function of the number of the line; the generator is that of words.awk.
function below(n) { state = state * 16807 % 2147483647; return int(state / 2147483647 * n) }
BEGIN { FS = OFS = "\t" }
NR > 1 {
	state = NR
	for (i = 0; i < 8; i++) below(2)
	n = split($1, word, " "); $1 = ""
	for (i = 1; i <= n; i++) {
		j = i + below(n - i + 1); swap = word[i]; word[i] = word[j]; word[j] = swap
		$1 = $1 (i > 1 ? " " : "") word[i]
	}
}
{ print }
