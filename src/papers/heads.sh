#!/bin/sh
# heads.sh RUN STREAMS: how many heads a run has left when those are gone that gates closed; called by
# record.sh.
set -eu
model=$1/pruned.tar
[ -r "$model" ] || model=$1/model.tar
nmt-info "$model" | awk -f src/papers/heads-left.awk
