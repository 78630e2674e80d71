#!/bin/sh
# benchmark-corrupt.sh IN OUT: adds a corrupted source to each sentence, its tokens in reverse order, for
# activation patching.
set -eu
field=src.pieces corrupted=corrupted.pieces
heed-show -H "$1" | grep -q '"src.pieces"' || { field=src; corrupted=corrupted; }
heed-show -f $field "$1" | awk '{ for (i = NF; i > 0; i--) printf "%s%s", $i, (i > 1 ? " " : ""); print "" }' > "$2.reversed"
heed-paste --text $corrupted="$2.reversed" -o "$2" "$1"
rm "$2.reversed"
