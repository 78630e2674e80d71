#!/bin/sh
# strengths.sh RUN STREAMS: least, greatest and range of the strengths that a model gives relations,
# as they are, not exponentiated; called by record.sh.
set -eu
names=$(nmt-info "$1/model.tar" | sed -n 's/^parameter\t\(.*relation\.strength\)\t.*/\1/p')
for name in $names; do
	tar -xOf "$1/model.tar" "param/$name" | od -A n -v -t f4
done | awk '
	{
		for (i = 1; i <= NF; i++) {
			if (!n++) least = most = $i + 0
			if ($i + 0 < least) least = $i + 0
			if ($i + 0 > most) most = $i + 0
		}
	}
	END {
		if (!n) exit
		printf "strength.min\t%.4f\nstrength.max\t%.4f\n", least, most
		printf "strength.range\t%.4f\n", most - least
	}'
