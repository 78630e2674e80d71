# pairs.awk: sentence pairs of two invented languages, one pair a line with a tab between.
#   awk -v n=2000 -v seed=1 -f pairs.awk
# The second language puts the verb last and the adjective after its noun, so that
# a translator has to move words and not only to replace them.
function pick(n) { state = (state * 69069 + 1) % 4294967296; return int(state / 65536) % n }
function word(list, i, parts) { split(list, parts, " "); return parts[i + 1] }
function phrase(k, a, s) {
	a = pick(8); s = pick(10)
	from[k] = word("the a", d = pick(2)) " " word(adjectives, a) " " word(nouns, s)
	to[k] = word("lo un", d) " " word(gnouns, s) " " word(gadjectives, a)
}
BEGIN {
	nouns = "cat dog bird horse child teacher farmer river garden window"
	gnouns = "kato hundo birdo chevalo infano instruisto farmisto rivero ghardeno fenestro"
	adjectives = "red small old quiet bright tall hungry green"
	gadjectives = "rugha malgranda malnova kvieta hela alta malsata verda"
	verbs = "sees hears follows finds paints greets"
	gverbs = "vidas audas sekvas trovas pentras salutas"
	tails = "today ; in the morning ; near the house ; again ; "
	gtails = "hodiau ; matene ; apud la domo ; denove ; "
	state = seed
	for (i = 0; i < 10; i++) pick(2)
	for (i = 0; i < n; i++) {
		phrase(1); phrase(2); v = pick(6); t = pick(5)
		split(tails, x, " *; *"); split(gtails, y, " *; *")
		tail = x[t + 1] == "" ? "" : " " x[t + 1]; gtail = y[t + 1] == "" ? "" : y[t + 1] " "
		print from[1] " " word(verbs, v) " " from[2] tail " ." "\t" gtail to[1] " " to[2] " " word(gverbs, v) " ."
	}
}
