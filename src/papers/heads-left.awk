# heads-left.awk: number of retained heads of a model, in total and by kind of attention, as facts
# of a record; with closed=1 the list of its pruned heads for l0-gate; called by pipeline.mk.
# Input: output of nmt-info.
BEGIN { FS = "\t"; n_kinds = split("enc-self dec-self cross", kinds, " ") }
{ value[$1] = $2 }
$1 == "heads" { left[$2] = $3; heads_of[$2] = "," $4 "," }
function site_of(kind, layer) {
	return (kind == "enc-self" ? "enc." : "dec.") layer (kind == "cross" ? ".cross" : ".self")
}
function add_closed(site, h, text) {
	for (h = 1; h <= heads; h++)
		if (!index(heads_of[site], "," h ",")) text = text (text ? "+" : site ":") h
	list = list (list ? "/" : "") text
}
END {
	heads = value["config.heads"]
	for (k = 1; k <= n_kinds; k++) {
		layers = value[kinds[k] == "enc-self" ? "config.enc_layers" : "config.dec_layers"]
		for (l = 1; l <= layers; l++) {
			site = site_of(kinds[k], l)
			if (site in left) add_closed(site)
			count[k] += site in left ? left[site] : heads
		}
		all += count[k]
	}
	if (closed) { print list; exit }
	printf "heads\t%d\n", all
	for (k = 1; k <= n_kinds; k++) printf "heads.%s\t%d\n", kinds[k], count[k]
}
