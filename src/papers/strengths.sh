#!/bin/sh
# strengths.sh RUN STREAMS: least, greatest and range of the strengths that a model gives relations, as
# they are, not exponentiated; called by record.sh.
set -eu
nmt-info "$1/model.tar" | sed -n 's/^parameter\t\(.*relation\.strength\)\t.*/\1/p' | while read -r name; do
	tar -xOf "$1/model.tar" "param/$name" | od -A n -v -t f4
done | awk '{ for (i = 1; i <= NF; i++) { v = $i + 0; if (!n++) least = most = v; if (v < least) least = v; if (v > most) most = v } }
	END { if (n) printf "strength.min\t%.4f\nstrength.max\t%.4f\nstrength.range\t%.4f\n", least, most, most - least }'
