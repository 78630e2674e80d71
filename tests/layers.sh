#!/bin/sh
# layers.sh BUILD ROOM...: fails when a room of common/ includes a header of a later room, or calls or reads what a
# later room defines; when a file outside of stream/ includes <msgpack.h> or <archive.h>; and when a file other than
# train/*-mpi.[ch] include <mpi.h>.  Runs at the top of the tree; BUILD has the objects.
build=$1
shift
rooms=" $* "
bad=0

# room PATH: the room of a file below common/
room() { expr "$1" : '.*common/\([^/]*\)/'; }

for folder in common/*/; do
	case $rooms in
	*" $(room "$folder") "*) ;;
	*) echo "layers: $folder is in no list of rooms" >&2; bad=1 ;;
	esac
done
before=
for r in $rooms; do
	before="$before $r"
	for f in $(find "common/$r" -name '*.[ch]' -o -name '*.cc'); do
		for i in $(sed -n 's|^#include "\([a-z-]*\)/.*|\1|p' "$f"); do
			case " $before " in
			*" $i "*) ;;
			*) echo "layers: $f includes $i/, expected rooms up to $r" >&2; bad=1 ;;
			esac
		done
	done
done

# A line a symbol: "D room file name" of one that is defined, "U room file name" of one that is used.
for r in $rooms; do
	find "$build/common/$r" -name '*.o' | sort | while read -r o; do
		c=common/${o#"$build/common/"}; c=${c%.o}.c
		[ -e "$c" ] || c=${c%.c}.cc
		[ -e "$c" ] || continue
		nm "$o" | awk -v r="$r" -v c="$c" '$(NF - 1) ~ /^[TDBRVC]$/ { print "D", r, c, $NF }
		    $(NF - 1) ~ /^[Uw]$/ { print "U", r, c, $NF }'
	done
done | awk -v rooms="$rooms" '
	BEGIN { n = split(rooms, name, " "); for (i = 1; i <= n; i++) floor[name[i]] = i }
	$1 == "D" { room[$4] = $2; file[$4] = $3; seen++ }
	$1 == "U" { n_used++; user[n_used] = $2; from[n_used] = $3; used[n_used] = $4 }
	END {
		for (i = 1; i <= n_used; i++)
			if (used[i] in room && floor[room[used[i]]] > floor[user[i]]) {
				print "layers: " from[i] " uses " used[i] " of " file[used[i]] ", expected rooms up to " user[i]
				bad = 1
			}
		if (!seen) { print "layers: no objects, expected those of a build"; bad = 1 }
		exit bad
	}' >&2 || bad=1

if grep -lE '#include <(msgpack|archive|archive_entry)\.h>' $(find common src -name '*.[ch]') | grep -v '^common/stream/'; then
	echo "layers: only common/stream wraps msgpack and libarchive" >&2; bad=1
fi
if grep -l '#include <mpi\.h>' $(find common src -name '*.[ch]') | grep -v '^common/train/[a-z]*-mpi\.[ch]$'; then
	echo "layers: only common/train/*-mpi.c know MPI" >&2; bad=1
fi
exit $bad
