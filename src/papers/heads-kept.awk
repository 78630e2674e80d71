# heads-kept.awk: number of retained heads of each run by kind of attention and by layer; called
# by pipeline.mk.  Input: run, site, layer, head, role and confidence of each head, the whole
# model first.
BEGIN { FS = OFS = "\t"; kinds = split("enc-self dec-self cross", kind, " ") }
{
	if (!($1 in all)) run[++n] = $1
	all[$1]++; of[$1, $2]++; in_layer[$1, $2, $3]++
	if ($3 > layers[$2]) layers[$2] = $3 + 0
}
function by_layer(r, k, i, text) {
	for (i = 1; i <= layers[k]; i++) text = text (i > 1 ? " " : "") in_layer[r, k, i] + 0
	return text
}
END {
	print "run", "heads", "encoder", "decoder", "cross-attention", "encoder, by layer from the first", \
	    "decoder, by layer", "cross-attention, by layer"
	for (i = 1; i <= n; i++) {
		printf "%s\t%d", run[i], all[run[i]]
		for (k = 1; k <= kinds; k++) printf "\t%d", of[run[i], kind[k]]
		for (k = 1; k <= kinds; k++) printf "\t%s", by_layer(run[i], kind[k])
		print ""
	}
}
