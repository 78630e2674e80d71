#!/bin/sh
# layers: tests/layers.sh finds includes and calls that lead upward, and circles.
. "$HEED_TOP/tests/lib.sh"
plan 10

mkdir -p common/low common/high/part src
echo 'int low(void);' > common/low/low.h
echo '#include "low/low.h"
int low(void) { return 1; }' > common/low/low.c
echo 'int high(void);' > common/high/part/high.h
echo '#include "high/part/high.h"
#include "low/low.h"
int high(void) { return low(); }' > common/high/part/high.c
build() {
	rm -rf build
	for c in $(find common -name '*.c'); do
		mkdir -p "build/$(dirname "$c")"
		${CC:-cc} -Icommon -c -o "build/${c%.c}.o" "$c" || return 1
	done
}
layers() { sh "$HEED_TOP/tests/layers.sh" build low high; }

build && layers 2> err; say $? 'a room may call the rooms before it'
cp common/low/low.c keep.c
echo 'int high(void);
int low(void) { return high(); }' > common/low/low.c
build; ! layers 2> err; say $? 'a call without an include leads upward, in a circle'
grep -q 'common/low/low.c uses high of common/high/part/high.c' err; say $? '... both files are named'
echo '#include "high/part/high.h"
int low(void) { return 1; }' > common/low/low.c
build; ! layers 2> err; say $? 'an include leads upward'
grep -q 'common/low/low.c includes high/' err; say $? '... is named'
cp keep.c common/low/low.c
printf '#include "high/part/high.h"\n' > common/low/shim.cc
build; ! layers 2> err && grep -q 'common/low/shim.cc includes high/' err; say $? '... of a file in C++, too'
rm common/low/shim.cc
mkdir common/attic; echo 'int attic(void);' > common/attic/attic.h
build; ! layers 2> err; say $? 'a folder that is no room'
rm -r common/attic
echo '#include <msgpack.h>' > src/program.c
build; ! layers > out 2> err; say $? 'a program that includes msgpack'
rm src/program.c; rm -rf build
! layers 2> err; say $? 'nothing is built'
build && layers 2> err; say $? 'the tree is sound again'
