#!/bin/sh
# heads.sh RUN STREAMS: prints facts of a run: gates.fractional, the number of gates that were neither 0
# nor 1 and were rounded; heads.excess, the number of retained heads of cross-attention minus that of
# encoder self-attention; heads.layer.dec-self and heads.layer.cross, the mean layer of the retained heads.
set -eu
model=$1/pruned.tar
[ -r "$model" ] || model=$1/model.tar
case $(nmt-info "$1/model.tar") in
*l0-gate*) nmt-info "$model" | sed -n 's/^rounded\.fractional\t/gates.fractional\t/p' ;;
*) printf 'gates.fractional\t0\n' ;;
esac
# Pruned heads are a list such as enc-self.2:1+3/cross.1:5.
nmt-info "$model" | awk -F '\t' '
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
	END {
		if (!heads) exit
		for (site in layers)
			for (i = 1; i <= layers[site]; i++) {
				k = heads - removed[site "." i]
				retained[site] += k; sum[site] += i * k
			}
		printf "heads.excess\t%d\n", retained["cross"] - retained["enc-self"]
		if (retained["dec-self"]) printf "heads.layer.dec-self\t%.4f\n", sum["dec-self"] / retained["dec-self"]
		if (retained["cross"]) printf "heads.layer.cross\t%.4f\n", sum["cross"] / retained["cross"]
	}'
