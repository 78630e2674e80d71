#!/bin/sh
# heads.sh RUN STREAMS: how many gates of a run were neither open nor closed and had to be rounded, a fact for
# its record.
set -eu
model=$1/pruned.tar
[ -r "$model" ] || model=$1/model.tar
case $(nmt-info "$1/model.tar") in
*l0-gate*) nmt-info "$model" | sed -n 's/^rounded\.fractional\t/gates.fractional\t/p' ;;
*) printf 'gates.fractional\t0\n' ;;
esac
