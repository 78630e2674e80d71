#!/bin/sh
# lock.sh: runs a command with a lock, which is released when the command ends, also if it is killed.
#
# lock.sh slot N PREFIX COMMAND...: runs the command as soon as it holds one of N locks, PREFIX.1 to PREFIX.N.
# On a file system without locks, it runs the command at once.
#
# lock.sh alone TARGET PREREQUISITES COMMAND...: runs the command that makes TARGET.  If another make runs it at
# the same time, such as another task of an array job, it waits instead, and runs the command only if TARGET is
# then still missing or older than a prerequisite.  The lock is TARGET.lock.
what=$1 first=$2 second=$3
shift 3

slot() {
	mkdir -p "${second%/*}"
	while :; do
		i=0
		while [ $((i += 1)) -le "$first" ]; do
			exec 9>> "$second.$i" || exit 4
			flock -n -E 75 9; status=$?
			[ $status != 0 ] || return
			if [ $status != 75 ]; then
				echo "slot: warning: no locks in ${second%/*}, so -j alone limits the number of heavy steps" >&2
				return
			fi
		done
		sleep 0.2
	done
}
alone() {
	exec 5>> "$first.lock" || exit 4
	flock 5 || echo "alone: warning: no locks in ${first%/*}, so several processes may make $first" >&2
	[ -e "$first" ] || return 0
	for file in $second; do
		[ ! "$file" -nt "$first" ] || return 0
	done
	exit 0
}
$what
exec "$@"
