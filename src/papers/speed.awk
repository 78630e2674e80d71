# speed.awk: lines NAME USER SYSTEM USER SYSTEM, one a round, seconds of a translation of n sentences and
# of its start alone, as a table: median sentences a second, and how many times those of the first
# name, by the numbers as they are printed; called by speed.sh.
BEGIN { OFS = "\t" }
{
	if (!($1 in rounds)) name[++names] = $1
	s = $2 + $3 - $4 - $5
	i = ++rounds[$1]
	if (s > 0) speed[$1, i] = n / s
}
# "" if there was a round too short to be timed.
function median(m, i, j, v) {
	for (i = 1; i <= rounds[m]; i++) {
		if (!((m, i) in speed)) return ""
		for (j = i - 1; j && v[j] > speed[m, i]; j--) v[j + 1] = v[j]
		v[j + 1] = speed[m, i]
	}
	return sprintf("%.1f", v[int((rounds[m] + 1) / 2)])
}
END {
	print "run", "sentences a second", "times as fast"
	for (i = 1; i <= names; i++) {
		found = median(name[i])
		if (i == 1) first = found
		ratio = found != "" && first > 0 ? sprintf("%.2f", found / first) : ""
		print name[i], found, ratio
	}
}
