# heads-last.awk: the heads with the least numbers, as many as n says, as a list for l0-gate; for
# pipeline.mk.  Input: site, layer, head and number, with tabs; with seed set numbers are drawn instead.
BEGIN { FS = "\t" }
# As good as any shuffle of some dozens: the seed's own multiples, modulo a prime.
function drawn(i) { return (i * i * 7919 + i * (seed * 104729 + 12347)) % 10007 }
{
	name[NR] = $1 "." $2; head[NR] = $3
	number[NR] = seed != "" ? drawn(NR) : $4 + 0
}
END {
	for (k = 1; k <= n && k <= NR; k++) {
		best = 0
		for (i = 1; i <= NR; i++)
			if (!(i in taken) && (!best || number[i] < number[best])) best = i
		taken[best]
	}
	for (i = 1; i <= NR; i++) {
		if (!(i in taken)) continue
		printf "%s%s", name[i] == last ? "+" : (last ? "/" : "") name[i] ":", head[i]
		last = name[i]
	}
	print ""
}
