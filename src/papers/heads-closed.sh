#!/bin/sh
# heads-closed.sh RUN: the heads of a run that are closed, as a list for l0-gate: those of fixed gates,
# or those that gates closed more than half; for pipeline.mk.
set -eu
nmt-info "$1/model.tar" | sed -n 's/^attention\tl0-gate:.*fixed=\([^,\t][^,\t]*\).*/\1/p' | grep . ||
heed-show "$1/log.heed" | grep '"dev.gates' | tail -n 1 | tr ',{}' '\n\n\n' | tr -d '"' |
	sed -n 's/^dev\.gates\.\(.*\)\.\([0-9]*\):\(.*\)$/\1 \2 \3/p' | sort -k 1,1 -k 2,2n |
	awk '
	$3 < 0.5 {
		printf "%s%s", $1 == last ? "+" : (last ? "/" : "") $1 ":", $2
		last = $1
	}
	END { print "" }'
