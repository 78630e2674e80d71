#!/bin/sh
# rewrite.sh FILE TEXT: the file gets the text, and a new time only if its text changes.
[ ! -e "$1" ] || [ "$(cat "$1")" != "$2" ] || exit 0
mkdir -p "$(dirname "$1")"
sh "${0%/*}/stray.sh" "$1"
new=$1.$$-$(hostname).tmp
printf '%s\n' "$2" > "$new" && mv "$new" "$1"
