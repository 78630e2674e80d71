#!/bin/sh
# heads.sh RUN STREAMS: how many heads a run has left, in all and of each kind of attention; called by
# record.sh.  Those of the configuration, less those that are closed.
set -eu
{ sh src/papers/heads-closed.sh "$1" | sed 's/^/closed\t/'; nmt-info "$1/model.tar"; } | awk -F '\t' '
	{ value[$1] = $2 }
	# enc.1.self or enc-self.1
	function kind_of(site, part) {
		if (split(site, part, ".") == 2) return part[1]
		return part[3] == "cross" ? "cross" : part[1] "-self"
	}
	END {
		heads = value["config.heads"]
		left["enc-self"] = heads * value["config.enc_layers"]
		left["dec-self"] = left["cross"] = heads * value["config.dec_layers"]
		n = split(value["closed"], site, "/")
		for (i = 1; i <= n; i++) {
			split(site[i], part, ":")
			left[kind_of(part[1])] -= 1 + gsub(/[+]/, "", part[2])
		}
		for (kind in left) { printf "heads.%s\t%d\n", kind, left[kind]; all += left[kind] }
		printf "heads\t%d\n", all
	}'
