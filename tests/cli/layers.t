#!/bin/sh
# layers: tests/layers.sh finds includes and calls that lead upward, and circles; tests/size.pl finds C
# that is too large.  Warnings are errors with the tested compilers.
. "$HEED_TOP/tests/lib.sh"
plan 40

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

runs build && runs layers 2> err; say $? 'a room may call the rooms before it'
cp common/low/low.c keep.c
echo 'int high(void);
int low(void) { return high(); }' > common/low/low.c
build; ends 1 layers 2> err; say $? 'a call without an include leads upward, in a circle'
matches 'common/low/low.c uses high of common/high/part/high.c' err; say $? '... both files are named'
echo '#include "high/part/high.h"
int low(void) { return 1; }' > common/low/low.c
build; ends 1 layers 2> err; say $? 'an include leads upward'
matches 'common/low/low.c includes high/' err; say $? '... is named'
cp keep.c common/low/low.c
printf '#include "high/part/high.h"\n' > common/low/shim.cc
build; ends 1 layers 2> err && matches 'common/low/shim.cc includes high/' err; say $? '... of a file in C++, too'
rm common/low/shim.cc
mkdir common/attic; echo 'int attic(void);' > common/attic/attic.h
build; ends 1 layers 2> err; say $? 'a folder that is no room'
rm -r common/attic
echo '#include <msgpack.h>' > src/program.c
build; ends 1 layers > out 2> err; say $? 'a program that includes msgpack'
rm src/program.c; rm -rf build
ends 1 layers 2> err; say $? 'nothing is built'
runs build && runs layers 2> err; say $? 'the tree is sound again'

# --- sizes ---

# function N: a function of N lines; the first line ends in the name
function() { printf 'int\nf(void)\n{\n'; yes '	;' | head -n $(($1 - 3)); echo '}'; }
# finds WHAT 'name': size.pl fails and prints WHAT
finds() { ends "${3:-1}" perl "$HEED_TOP/tests/size.pl" > out 2> err && matches "$1" err; say $? "$2"; }
fits() { runs perl "$HEED_TOP/tests/size.pl" > out 2> err; say $? "$1"; }

rm -rf build common src; mkdir -p common/low src tests/unit
function 10 > common/low/f.c
for k in 1 2 3; do function 10 | sed "s/^f/f$k/" >> common/low/f.c; done
yes '/* */' | head -n 500 > common/low/low.h
yes '/* */' | head -n 300 > src/program.c
printf '/*\t%s */\n' "$(yes é | head -n 89 | tr -d '\n')" > common/low/wide.h
function 50 > tests/unit/test.c
fits 'files of 500 lines, programs of 300, functions of 50, lines of 100 columns'
for f in common/low/low.h tests/unit/long.h; do
	yes '/* */' | head -n 501 > $f
	finds "$f: 501 lines, expected at most 500" "$f has 501 lines"
	rm $f
done
yes '# a' | head -n 500 > src/part.mk
fits '... parts of the pipeline of 500 lines'
echo '# a' >> src/part.mk
finds 'src/part.mk: 501 lines, expected at most 500' 'a part of the pipeline has 501'
rm src/part.mk
echo '/* */' >> src/program.c
finds 'src/program.c: 301 lines, expected at most 300' 'a program has 301'
rm src/program.c
function 51 > tests/unit/test.c
finds 'tests/unit/test.c:2: f(): 51 lines, expected at most 50' 'a function has 51'
rm tests/unit/test.c
printf '/*\t%s */\n' "$(yes é | head -n 90 | tr -d '\n')" > common/low/wide.h
finds 'common/low/wide.h:1: 101 columns, expected at most 100' 'a line has 101 columns'
rm common/low/wide.h
printf '#define ROW(x) \\\n\t{ .kind = OPT_FLAG, .to = (x) }\n' > src/program.c
finds 'src/program.c:2: ROW makes rows of options' 'a program with its own macro for rows of options'
rm src/program.c; rm -r common src tests
finds 'no C files' 'no C at all' 2

# --- names ---

# named WHAT 'name': names.pl fails and prints WHAT
named() { ends "${3:-1}" perl "$HEED_TOP/tests/names.pl" > out 2> err && matches -F "$1" err; say $? "$2"; }
rm -rf common src; mkdir -p common/low common/high src
printf 'int low(int from, int to);\n' > common/low/low.h
printf 'int\nlow(int from, int to)\n{\n\treturn to - from;\n}\n' > common/low/low.c
runs perl "$HEED_TOP/tests/names.pl" 2> err; say $? 'a range from ... to'
printf 'int high(void);\n' > common/low/other.h
printf 'int\nhigh(void)\n{\n\treturn 1;\n}\n' > common/high/high.c
named 'common/low/other.h:1: declares high of common/high/high.c' 'a declaration in another room'
rm common/low/other.h
printf 'int\nmain(void)\n{\n\treturn 0;\n}\n' > src/high.c
named 'common/high/high src/high have the same name' 'two files of one name'
rm src/high.c
printf 'int\nput(char *to,\n    int n)\n{\n\treturn *to + n;\n}\n' > common/high/high.c
named 'common/high/high.c:2: put(): parameter char *to' 'a function word as a parameter'
printf 'static int\nhelp(void)\n{\n\treturn 1;\n}\n' > common/high/high.c
{ echo; cat common/high/high.c; } >> common/low/low.c
named 'common/high/high common/low/low define help()' 'a function of one name in two files'
printf 'int help(void);\n' >> common/high/high.h; sed -i '/^static/s/static //' common/high/high.c
named 'common/high/high common/low/low define help()' '... or static in one of them'
sed -i '/^static/s/static //' common/low/low.c
runs perl "$HEED_TOP/tests/names.pl" 2> err; say $? '... unless a header declares it, for files that replace each other'
rm -r common src
named 'no C files' 'no C at all' 2

# --- tests that print nothing if they fail ---

# silent COMMAND 'condition': a test of this condition, in which the command prints nothing
mkdir tests tests/cli
silent() {
	printf 'quiet() { cat a; }\nloud() { quiet; matches x a; }\n%s; say $? name\n' "$2" > tests/cli/a.t
	ends 1 perl "$HEED_TOP/tests/speaks.pl" 2> err && that "$(cat err)" = "speaks: tests/cli/a.t:3: $1, expected a condition of tests/lib.sh"
	say $? "$2"
}
silent '[' '[ -s a ]'
silent grep 'matches x a && cat a | grep -q x && equals a b'
silent '! matches' '! matches x a'
silent quiet 'quiet > b && loud'
silent cat 'b=$(cat a) && that "$b" = c'
silent awk 'if loud; then loud; else awk "{ exit 1 }" a; fi'
silent cmp 'case $a in 1|2) loud ;; *) echo "say $?; "; cmp a b ;; esac'
silent say 'loud; r=$?; cat a; say $r a; true'
silent grep 'grep -q x a; r=$?; say $r a; true'
cat > tests/cli/a.t <<'END'
loud() { lacks x a || return 1; for i in 1 2; do echo "$i" | that "$(cat)" = "$i"; done; }
loud && runs cat 2> err <<'HERE' && b=$(ends 1 false) && { [ -s b ] || loud; }
[ -s a ]; say $? 'not a condition'
HERE
say $? 'conditions that print what they found'	# [ -s a ]; say $?
grep -q x a; r=$?; say $r 'prints what it found later'; [ $r = 0 ] || cat a
END
runs perl "$HEED_TOP/tests/speaks.pl"; say $? 'conditions that print what they found'
rm -r tests
ends 2 perl "$HEED_TOP/tests/speaks.pl" 2> err && matches 'no tests' err; say $? 'no tests at all'

# strict FIRST-LINE VERSION: whether warnings are errors with a compiler that prints these
strict() {
	printf '#!/bin/sh\ncase $* in --version) echo "%s" ;; -dumpversion) echo %s ;; *) exec cc "$@" ;; esac\n' "$@" > fake-cc
	chmod +x fake-cc
	make -s -C "$HEED_TOP" CC="$scratch/fake-cc" --eval='_show: ; @echo $(filter -Werror,$(WARN))' _show
}
strict 'cc (Debian 12.2.0-14) 12.2.0' 12 > found; strict 'Debian clang version 14.0.6' 14.0.6 >> found
strict 'cc (Debian 14.2.0-19) 14.2.0' 14 >> found; strict 'clang version 12.0.1' 12.0.1 >> found
printf '%s\n' -Werror -Werror '' '' | equals - found; say $? 'warnings are errors with gcc 12 and clang 14 only'
