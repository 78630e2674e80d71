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
nmt-info "$model" | awk -f "$(dirname "$0")/heads-depth.awk"
