#!/bin/sh
# slot.sh N PREFIX COMMAND...: runs the command as soon as it holds one of N locks, PREFIX.1 to
# PREFIX.N. The lock is released when the process ends, also if it is killed.  On a file system without
# locks, it runs the command at once.
n=$1 prefix=$2
shift 2
mkdir -p "${prefix%/*}"
while :; do
	i=0
	while [ $((i += 1)) -le "$n" ]; do
		exec 9>> "$prefix.$i" || exit 4
		flock -n -E 75 9; status=$?
		[ $status != 0 ] || exec "$@"
		if [ $status != 75 ]; then
			echo "slot: warning: no locks in ${prefix%/*}, so -j alone limits the number of heavy steps" >&2
			exec "$@"
		fi
	done
	sleep 0.2
done
