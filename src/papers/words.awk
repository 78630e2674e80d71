# words.awk: sentences of random words without order, for artificial languages: 6 to 14 different
# words of w0 to w59.
#   awk -v n=20000 -v seed=1 -f words.awk
# The generator is that of Park and Miller (1988), so that all versions of awk write the same text.
function below(n) { state = state * 16807 % 2147483647; return int(state / 2147483647 * n) }
BEGIN {
	state = seed + 1
	for (i = 0; i < 20; i++) below(2)
	for (w = 0; w < 60; w++) word[w] = "w" w
	for (s = 0; s < n; s++) {
		length_of = 6 + below(9); line = ""
		for (i = 0; i < length_of; i++) {
			j = i + below(60 - i); swap = word[i]; word[i] = word[j]; word[j] = swap
			line = line (i ? " " : "") word[i]
		}
		print line
	}
}
