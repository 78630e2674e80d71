#!/bin/sh
# heads.sh RUN STREAMS: how many heads a run has left when those are gone that gates closed, and how many
# gates were neither open nor closed and had to be rounded; called by record.sh.
set -eu
model=$1/pruned.tar
[ -r "$model" ] || model=$1/model.tar
nmt-info "$model" | awk -f src/papers/heads-left.awk
case $(nmt-info "$1/model.tar") in
*l0-gate*) nmt-info "$model" | sed -n 's/^rounded\.fractional\t/gates.fractional\t/p' ;;
*) printf 'gates.fractional\t0\n' ;;
esac
