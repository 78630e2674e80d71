#!/bin/sh
# install.sh MANIFEST DESTDIR LIST FOLDER...: installs the files of MANIFEST (manifest.sh) below
# DESTDIR, and removes those of an earlier installation that are not in it.  LIST is the place where
# the installed files are listed.  If MANIFEST is empty, LIST is removed, too, and in each FOLDER,
# which only heed uses, the empty folders.
set -eu
manifest=$1 dest=$2 list=$3
shift 3
tab=$(printf '\t')
new=$(mktemp)
trap 'rm -f "$new"' EXIT

cut -f 3 "$manifest" | sort > "$new"
[ -e "$dest$list" ] || [ -s "$manifest" ] || {
	echo "$dest$list: not found; heed is not installed here" >&2
	exit 1
}
old=$dest$list
[ -e "$old" ] || old=/dev/null
sort "$old" | comm -23 - "$new" | while read -r file; do rm -f "$dest$file"; done

# The list comes first, and whole: after an interruption, all files that are there are in it.
[ ! -s "$manifest" ] || {
	install -D -m 644 "$new" "$dest$list.new"
	mv "$dest$list.new" "$dest$list"
}

while IFS=$tab read -r how file to; do
	if [ "$how" = link ]; then
		mkdir -p "$dest${to%/*}"
		ln -sf "$file" "$dest$to"
	else
		${INSTALL:-install} -D $how "$file" "$dest$to"
	fi
done < "$manifest"

[ -s "$manifest" ] || {
	rm -f "$dest$list" "$dest$list.new"
	for folder; do
		[ ! -d "$dest$folder" ] || find "$dest$folder" -depth -type d -empty -delete
	done
}
