# speed.awk: table of translation speeds; called by speed.sh.  Input: lines NAME USER SYSTEM USER
# SYSTEM, one per round: seconds of a translation of n sentences, and of the start alone.  Output:
# median sentences per second, and the speed-up over the first name, computed from the printed
# medians.
BEGIN { OFS = "\t" }
{
	if (!($1 in rounds)) name[++names] = $1
	s = $2 + $3 - $4 - $5
	i = ++rounds[$1]
	if (s > 0) speed[$1, i] = n / s
}
# "" if a round was too short to be timed.
function median(m, i, j, v) {
	for (i = 1; i <= rounds[m]; i++) {
		if (!((m, i) in speed)) return ""
		for (j = i - 1; j && v[j] > speed[m, i]; j--) v[j + 1] = v[j]
		v[j + 1] = speed[m, i]
	}
	return sprintf("%.1f", v[int((rounds[m] + 1) / 2)])
}
END {
	print "run", "sentences/s", "speed-up"
	for (i = 1; i <= names; i++) {
		found = median(name[i])
		if (i == 1) first = found
		ratio = found != "" && first > 0 ? sprintf("%.2f", found / first) : ""
		print name[i], found, ratio
	}
}
