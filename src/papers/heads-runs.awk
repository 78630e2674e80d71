# heads-runs.awk: tables of the heads that several runs retain; called by pipeline.mk.  Input: run, site, layer,
# head, role and confidence of each head, the whole model first.  -v table=NAME is one of
#
#	kept	number of heads of each run by kind of attention and by layer
#	roles	number of encoder heads by role, and of those with the same role as in the whole model
#	drift	confidence and role of each encoder head of the whole model in each run, for head-map(1)
#	layers	number of heads by run and layer, for head-map(1), a file FILE.KIND for each kind of attention
#	fate	for each head of the whole model, the number of pruned models of all attention, all-*, that retain
#		it, and its role, as heads-map.awk reads them; in a sentence, the heads that all of these retain, in
#		FILE.text
#
# With -v file=FILE.
BEGIN {
	FS = OFS = "\t"
	kinds = split("enc-self dec-self cross", kind, " ")
	roles = split("positional syntactic rare other", named, " ")
}
{
	if (!($1 in all)) run[++n] = $1
	if (n == 1) head[++heads] = $2 SUBSEP $3 SUBSEP $4
	all[$1]++; of[$1, $2]++; in_layer[$1, $2, $3]++; in_role[$1, $2, $5]++
	if ($3 > layers[$2]) layers[$2] = $3 + 0
	role[$1, $2, $3, $4] = $5; confidence[$1, $2, $3, $4] = $6
	if (role[run[1], $2, $3, $4] == $5) same[$1, $2]++
}
END {
	if (table == "kept") kept()
	if (table == "roles") of_roles()
	if (table == "drift") drift()
	if (table == "layers") for (k = 1; k <= kinds; k++) by_layer(kind[k], file "." kind[k])
	if (table == "fate") { fate(); survivors(file ".text") }
}

# Numbers of the heads of a run in each layer, each after the text.
function in_layers(r, k, before,    l, text) {
	for (l = 1; l <= layers[k]; l++) text = text before in_layer[r, k, l] + 0
	return text
}
function kept(    i, k) {
	print "run", "heads", "encoder", "decoder", "cross-attention", "encoder, by layer from the first", \
	    "decoder, by layer", "cross-attention, by layer"
	for (i = 1; i <= n; i++) {
		printf "%s\t%d", run[i], all[run[i]]
		for (k = 1; k <= kinds; k++) printf "\t%d", of[run[i], kind[k]]
		for (k = 1; k <= kinds; k++) printf "\t%s", substr(in_layers(run[i], kind[k], " "), 2)
		print ""
	}
}
function of_roles(    i, k) {
	print "run", "heads", "positional", "syntactic", "rare", "other", "same role as in base"
	for (i = 1; i <= n; i++) {
		if (!of[run[i], "enc-self"]) continue
		printf "%s\t%d", run[i], of[run[i], "enc-self"]
		for (k = 1; k <= roles; k++) printf "\t%d", in_role[run[i], "enc-self", named[k]]
		printf "\t%s\n", (i > 1 ? same[run[i], "enc-self"] + 0 : "")
	}
}
function drift(    h, i, part) {
	printf "encoder self-attention"
	for (i = 1; i <= n; i++) if (of[run[i], "enc-self"]) printf "\t%s: %d", run[i], of[run[i], "enc-self"]
	print ""
	for (h = 1; h <= heads; h++) {
		split(head[h], part, SUBSEP)
		if (part[1] != "enc-self") continue
		printf "layer %d, head %d", part[2], part[3]
		for (i = 1; i <= n; i++) if (of[run[i], "enc-self"]) printf "\t%s", with_role(run[i] SUBSEP head[h])
		print ""
	}
}
function with_role(which) {
	if (!(which in role)) return "-"
	return confidence[which] (role[which] ~ /^(positional|syntactic|rare)$/ ? " " substr(role[which], 1, 1) : "")
}
function by_layer(k, out,    i, l) {
	printf "%s", (k == "enc-self" ? "encoder self-attention" : k == "dec-self" ? "decoder self-attention" : "cross-attention") > out
	for (l = 1; l <= layers[k]; l++) printf "\tlayer %d", l > out
	print "" > out
	for (i = 1; i <= n; i++) printf "%s: %d%s\n", run[i], all[run[i]], in_layers(run[i], k, "\t") > out
}

# The number of pruned models of all attention that retain the head.
function retained(h,    i, times) {
	for (i = 1; i <= n; i++) if (run[i] ~ /^all-/) times += (run[i] SUBSEP h) in role
	return times + 0
}
function fate(    h, place) {
	for (h = 1; h <= heads; h++) {
		place = head[h]; gsub(SUBSEP, OFS, place)
		print place, retained(head[h]), role[run[1], head[h]]
	}
}
function survivors(out,    h, i, models, part, always, names) {
	for (i = 1; i <= n; i++) models += run[i] ~ /^all-/
	printf "" > out
	if (!models) return
	for (h = 1; h <= heads; h++) {
		if (retained(head[h]) < models) continue
		split(head[h], part, SUBSEP)
		always[part[1]]++
		if (part[1] == "enc-self")
			names = names (names == "" ? ": " : ", ") "layer " part[2] " head " part[3] \
			    (role[run[1], head[h]] == "other" ? "" : " (" role[run[1], head[h]] ")")
	}
	printf "%d of %d encoder heads survive all %d strengths%s; likewise %d of %d decoder heads and %d of %d " \
	    "cross-attention heads. Relevance, under Figures, ranks the heads of the whole model.\n",
	    always["enc-self"], of[run[1], "enc-self"], models, names, always["dec-self"], of[run[1], "dec-self"],
	    always["cross"], of[run[1], "cross"] > out
}
