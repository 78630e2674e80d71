#!/bin/sh
# middling.sh STREAM N: the ids of the first N sentences of 7 to 11 words with a translation below 20
# words, if the stream has translations; separated by commas.
set -eu
fields=$(heed-check --list "$1" | awk -F '\t' '$3 == "hyp" { print ",hyp" }')
heed-show -f "id,src$fields" "$1" | awk -F '\t' -v n="$2" '
	{ s = split($2, word, " "); t = split($3, word, " ") }
	$1 && s > 6 && s < 12 && t < 20 && i++ < n { printf "%s%s", (i > 1 ? "," : ""), $1 }'
