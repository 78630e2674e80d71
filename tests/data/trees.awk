# trees.awk: sentences of an invented grammar with their trees.
#   awk -v n=100 -v seed=1 -v what=conllu|ptb|tokens -f trees.awk
# The first word of a noun phrase tells its gender, the verb the number of its objects; a phrase after
# the preposition "to" belongs to the verb, one after "of" to the noun before it.
function pick(list,   a, k) { k = split(list, a, " "); return a[1 + int(rand() * k)] }
function word(form, upos, xpos) { W++; F[W] = form; U[W] = upos; X[W] = xpos; return "(" xpos " " form ")" }
function arc(dep, head, rel) { H[dep] = head; R[dep] = rel }
# Each returns its brackets; the head word is left in head.
function noun_phrase(deep,   d, j, n, s, inner, s2, p) {
	s = word(pick("the a this every"), "DET", "DT"); d = W; j = 0
	if (rand() < 0.3) { s = s " " word(pick("old small red mild"), "ADJ", "JJ"); j = W }
	s = s " " word(pick("dog cat tree house stone river"), "NOUN", "NN"); n = W
	arc(d, n, "det"); if (j) arc(j, n, "amod")
	s = "(NP " s ")"
	if (deep && rand() < 0.3) {
		s2 = word("of", "ADP", "IN"); p = W
		inner = noun_phrase(0); arc(p, head, "case"); arc(head, n, "nmod")
		s = "(NP " s " (PP " s2 " " inner "))"
	}
	head = n
	return s
}
function sentence(   subject, s, v, kind, o, t, p) {
	W = 0
	subject = noun_phrase(1); o = head
	kind = int(rand() * 3)
	s = word(kind == 0 ? pick("sleeps grows") : kind == 1 ? pick("sees bites") : pick("gives sends"), "VERB", "VBZ"); v = W
	arc(o, v, "nsubj"); arc(v, 0, "root")
	if (kind) { t = noun_phrase(1); arc(head, v, "obj"); s = s " " t }
	if (kind == 2) {
		t = word("to", "ADP", "IN"); p = W
		t = t " " noun_phrase(0); arc(p, head, "case"); arc(head, v, "obl"); s = s " (PP " t ")"
	}
	return "(S " subject " (VP " s ") " stop(v) ")"
}
function stop(v,   s) { s = word(".", "PUNCT", "."); arc(W, v, "punct"); return s }
BEGIN {
	srand(seed)
	for (i = 1; i <= n; i++) {
		tree = sentence()
		if (what == "ptb") print tree
		for (k = 1; k <= W; k++) {
			if (what == "conllu")
				printf "%d\t%s\t_\t%s\t%s\t_\t%d\t%s\t_\t_\n", k, F[k], U[k], X[k], H[k], R[k]
			if (what == "tokens") printf "%s%s", F[k], k < W ? " " : "\n"
		}
		if (what == "conllu") print ""
	}
}
