#!/bin/sh
# reorder.sh: puts the source words of a stream in the order of the target words, by word-align, which
# is trained on the stream CORPUS, too.
# usage: reorder.sh CORPUS < stream > stream
set -eu
pairs=$(mktemp)
trap 'rm -f "$pairs" "$pairs.links"' EXIT
cat > "$pairs"
word-align -q -t 1 --lowercase --with "$1" -o "$pairs.links" "$pairs"
heed-paste --text alignment="$pairs.links" "$pairs" | heed-show --header -f src,tgt,alignment |
	awk -f "$(dirname "$0")/reorder.awk" | heed-pack --tsv --map src=src,tgt=tgt
