# heads-drawn.awk: n random encoder heads as a list for l0-gate; called by pipeline.mk.  Input:
# output of nmt-info.  Variables: n, seed, and nth, the number of the draw.
BEGIN { FS = "\t" }
{ value[$1] = $2 }
function draw() { state = (state * 69069 + 1) % 4294967296; return int(state / 65536) }
END {
	heads = value["config.heads"]
	all = heads * value["config.enc_layers"]
	state = seed * 1000 + nth
	for (i = 1; i <= 10; i++) draw()
	for (left = n < all ? n : all; left > 0;) {
		i = draw() % all + 1
		if (i in taken) continue
		taken[i]
		left--
	}
	for (i = 1; i <= all; i++) {
		if (!(i in taken)) continue
		site = "enc." int((i - 1) / heads) + 1 ".self"
		printf "%s%d", site == last ? "+" : (last ? "/" : "") site ":", (i - 1) % heads + 1
		last = site
	}
	print ""
}
