# heads-depth.awk: facts on the layers of retained heads, from the output of nmt-info; called by heads.sh.
# Pruned heads are a list such as enc-self.2:1+3/cross.1:5.
BEGIN { FS = "\t" }
$1 == "config.enc_layers" { layers["enc-self"] = $2 }
$1 == "config.dec_layers" { layers["dec-self"] = layers["cross"] = $2 }
$1 == "config.heads" { heads = $2 }
$1 == "removed" {
	n = split($2, place, "/")
	for (i = 1; i <= n; i++) {
		split(place[i], part, ":")
		removed[part[1]] = split(part[2], list, "+")
	}
}
function layer(site,    i, k) {
	for (i = 1; i <= layers[site]; i++) {
		k = heads - removed[site "." i]
		retained[site] += k; sum[site] += i * k
	}
}
END {
	if (!heads) exit
	layer("enc-self"); layer("dec-self"); layer("cross")
	printf "heads.excess\t%d\n", retained["cross"] - retained["enc-self"]
	if (retained["dec-self"]) printf "heads.layer.dec-self\t%.4f\n", sum["dec-self"] / retained["dec-self"]
	if (retained["cross"]) printf "heads.layer.cross\t%.4f\n", sum["cross"] / retained["cross"]
}
