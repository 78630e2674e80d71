#!/bin/sh
# alone.sh TARGET PREREQUISITES COMMAND...: runs the command that makes TARGET.  If another make runs
# it at the same time, such as another task of an array job, it waits instead, and runs the command
# only if TARGET is then still missing or older than a prerequisite.  The lock on TARGET.lock is
# released when the command ends, also if it is killed.
target=$1 prerequisites=$2
shift 2
exec 5>> "$target.lock" || exit 4
flock 5 || echo "alone: warning: no locks in ${target%/*}, so several processes may make $target" >&2
old=
[ -e "$target" ] || old=yes
for file in $prerequisites; do
	[ ! "$file" -nt "$target" ] || old=yes
done
[ -n "$old" ] || exit 0
exec "$@"
