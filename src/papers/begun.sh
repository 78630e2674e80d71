#!/bin/sh
# begun.sh FOLDER FILES SUMS [FILE...]: removes unfinished work, FILES of the folder, that was begun with
# other settings, training or development data, or with other contents of the files.
set -eu
folder=$1 files=$2 sums=$3; shift 3
{ cat "$folder/settings"; sed '/^test/d' "$sums"; [ $# = 0 ] || cat "$@"; } > "$folder/settings.now"
cmp -s "$folder/settings.now" "$folder/settings.begun" || (cd "$folder" && rm -rf $files)
mv "$folder/settings.now" "$folder/settings.begun"
