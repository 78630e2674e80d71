#!/bin/sh
# crossing.sh RUN STREAMS: prints the fact crossing of a run: the crossing share of the word alignment of its
# corpus (align-score(1), --crossing), by word-align(1) on the subwords of the target.  It is the same for
# all runs of a column, and kept next to the texts.
set -eu
column=${1#*/run/*/} column=${column%%/*}
kept=${1%%/run/*}/text/$column/crossing
if [ ! -s "$kept" ]; then
	new=$(mktemp "$kept.XXXXXX")
	trap 'rm -f "$new" "$new".*' EXIT
	heed-show -f src "${1%%/run/*}/parsed/none/$column/train.heed" > "$new.src"
	heed-show -f tgt.pieces "$2/train.heed" | sed 's/▁//g; s/  */ /g; s/^ //; s/ $//' > "$new.tgt"
	word-align -q -t 1 --lowercase "$new.src" "$new.tgt" | align-score --crossing -b crossing > "$new"
	mv "$new" "$kept"
fi
printf 'crossing\t%s\n' "$(cat "$kept")"
