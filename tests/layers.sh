#!/bin/sh
# layers.sh FOLDER...: fails when a folder of common/ includes one that comes after it,
# when a file outside stream/ includes <msgpack.h> or <archive.h>, and when one but ranks-mpi includes <mpi.h>.
cd "$(dirname "$0")/.." || exit 1
bad=0 above=
for d in "$@"; do
	above="$above $d"
	for f in common/"$d"/*.[ch]; do
		[ -e "$f" ] || continue
		for i in $(sed -n 's|^#include "\([a-z]*\)/.*|\1|p' "$f"); do
			case " $above " in
			*" $i "*) ;;
			*) echo "layers: $f includes $i/, which is above common/$d" >&2; bad=1 ;;
			esac
		done
	done
done
if grep -lE '#include <(msgpack|archive|archive_entry)\.h>' common/*/*.[ch] src/*.c 2>/dev/null | grep -v '^common/stream/'; then
	echo "layers: only common/stream wraps msgpack and libarchive" >&2; bad=1
fi
if grep -l '#include <mpi\.h>' common/*/*.[ch] src/*.c | grep -v '^common/model/ranks-mpi\.c'; then
	echo "layers: only common/model/ranks-mpi.c knows MPI" >&2; bad=1
fi
exit $bad
