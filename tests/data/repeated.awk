# repeated.awk: of commands, those that give an option twice that has one value.  First file: the
# options of all programs as --options-tsv prints them, the program before them.
NR == FNR {
	split($0, c, "\t")
	program[c[1]]; once[c[1], "--" c[3]] = c[6] == "1" ? "--" c[3] : ""
	if (c[2] != "") once[c[1], "-" c[2]] = once[c[1], "--" c[3]]
	next
}
{
	n = split($0, part, /[|;&{}]/)
	for (k = 1; k <= n; k++) {
		m = split(part[k], word, " "); p = ""; delete seen
		for (i = 1; i <= m; i++) {
			if (word[i] in program && word[i - 1] !~ /^-/) { p = word[i]; delete seen }
			key = word[i]; sub(/=.*/, "", key)
			if (p == "" || !((p, key) in once) || once[p, key] == "") continue
			if (seen[once[p, key]]++) print p ": " word[i]
			checked++
		}
	}
}
END { if (checked < 20) print "nothing was checked" }
