#!/bin/sh
# members.sh: a bundle as seal.h's seal_bundle() takes it, for a corpus.
# usage: members.sh BUNDLE > FILE
line='=='
for member in $(tar -tf "$1"); do
	[ "$member" = end ] || { printf '%b%s\n' "$line" "$member"; tar -xOf "$1" "$member"; }
	line='\n=='
done
