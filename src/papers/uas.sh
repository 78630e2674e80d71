#!/bin/sh
# uas.sh RUN STREAMS: prints the facts uas.src and uas.tgt of a run: unlabeled attachment scores,
# in percent, on 500 development sentences; see nmt-score(1), --uas.  Sides without trees of words,
# such as sequences of nodes, have no fact.
set -eu
heed-sample -n 500 "$2/dev.heed" | nmt-score -q -t 1 -m "$1/model.tar" --uas
