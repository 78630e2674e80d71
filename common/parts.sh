#!/bin/sh
# parts.sh PROGRAM LIST OBJECT...: prints those objects that PROGRAM, which is linked statically, has.
# LIST is the list of functions that the shared library leaves to the objects (install.mk).
program=$1 list=$2
shift 2
functions() { nm "$1" | awk '$2 == "T" { print $3 }'; }
left=$(functions "$program" | grep -Fx "$(sed -n 's/^	\(.*\);$/\1/p' "$list")")
for object; do
	functions "$object" | grep -qFx "$left" && echo "$object"
done
exit 0
