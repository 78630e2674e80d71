#!/bin/sh
# heads.sh RUN STREAMS: prints the fact gates.fractional of a run: the number of gates that were
# neither 0 nor 1 and were rounded.
set -eu
model=$1/pruned.tar
[ -r "$model" ] || model=$1/model.tar
case $(nmt-info "$1/model.tar") in
*l0-gate*) nmt-info "$model" | sed -n 's/^rounded\.fractional\t/gates.fractional\t/p' ;;
*) printf 'gates.fractional\t0\n' ;;
esac
