#!/bin/sh
# begun.sh FOLDER FILES SUMS [FILE...]: before work in the folder, a training or a search, removes what is
# unfinished of it, FILES of the folder, if it was begun with other settings, training or development data,
# or with other contents of the files.  Fails while another make works in the folder: descriptor 5 of the
# caller is FOLDER/lock, and locked until the caller and its processes end.  Without file locks, it warns.
# begun.sh --still TARGET FOLDER FILES SUMS [FILE...]: after the work, fails and removes the target if a
# make with other settings or data has changed these in the meantime: the target would pass as theirs.
set -eu
target=
[ "$1" != --still ] || { target=$2; shift 2; }
folder=$1 files=$2 sums=$3; shift 3

now() {
	cat "$folder/settings"
	sed '/^test/d' "$sums"
	for f; do
		case $f in *.tar) cksum < "$f" ;; *) cat "$f" ;; esac
	done
}
as_begun() { cmp -s "$folder/settings.now" "$folder/settings.begun"; }
# Also on the output of this make (step.sh), as the log has that of the other one, too.
fail() {
	echo "begun.sh: $*" >&2
	[ -z "${STEPS-}" ] || echo "begun.sh: $*" >&8
	exit 1
}

if [ -z "$target" ]; then
	flock -n -E 75 5 && status=0 || status=$?
	[ $status != 75 ] || fail "$folder is in use by another make, expected no other; wait for it to end"
	[ $status = 0 ] || echo "begun.sh: warning: no locks in $folder, so several makes may work in it" >&2
fi
now "$@" > "$folder/settings.now"
if [ -z "$target" ]; then
	as_begun || (cd "$folder" && rm -rf $files)
	mv "$folder/settings.now" "$folder/settings.begun"
elif ! as_begun; then
	rm -f "$target" "$folder/settings.now"
	fail "$target is removed: another make has changed its settings or data since it was begun, expected the same;" \
	    "run the command again"
else
	rm "$folder/settings.now"
fi
