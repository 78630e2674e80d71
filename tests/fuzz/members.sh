#!/bin/sh
# members.sh: converts a bundle to an input of seal_bundle() in seal.h, for a corpus.
# usage: members.sh BUNDLE > FILE
line='=='
for member in $(tar -tf "$1"); do
	[ "$member" = end ] || { printf '%b%s\n' "$line" "$member"; tar -xOf "$1" "$member"; }
	line='\n=='
done
