#!/bin/sh
# ops.h is written from the files of ops: a new file is all that a new op takes, and ops.h keeps its
# time, so that nothing is compiled again, unless its text changes.
. "$HEED_TOP/tests/lib.sh"
plan 14

mkdir -p common/ops src
cp "$HEED_TOP"/Makefile "$HEED_TOP"/VERSION .
cp "$HEED_TOP"/src/ops-header.awk src
cp "$HEED_TOP"/common/ops/*.c common/ops
mkdir tests; echo > tests/tests.mk; echo > common/install.mk
h=build/ops/ops.h
header() { make -s B=build "$h" > out 2> err; }
compiles() {
	${CC:-cc} -std=c11 -Wall -Wextra -Werror -I"$HEED_TOP/common" -Ibuild -fsyntax-only "$1" 2> err
}

runs header && equals "$h" "$HEED_BUILD/ops/ops.h" 2> err; say $? 'the header of the build'
echo '#include "ops/ops.h"' > all.c
runs compiles all.c; say $? '... compiles by itself'

cat > common/ops/twice.c <<'END'
/* twice: y = k x, for the test. */
#include "ops/ops.h"

#ifndef OPS_H
/* The factor of twice. */
struct twice { int k; };
#endif

static int
twice_of(int k)
{
	return k;
}

/*
 * k a, where k is 2.
 */
struct node *
op_twice(struct tape *t, struct node *a,
	 const struct twice *how)
{
	(void)t;
	return twice_of(how->k) ? a : NULL;
}

/* The factor. */
const struct twice *
op_twice_how(const struct node *n)
{
	return (const struct twice *)n;
}
END
cat > expected <<'END'
/* The factor of twice. */
struct twice { int k; };

/*
 * k a, where k is 2.
 */
struct node *
op_twice(struct tape *t, struct node *a,
	 const struct twice *how);

/* The factor. */
const struct twice *
op_twice_how(const struct node *n);
END
runs header; say $? 'a new file of an op'
awk '/factor of twice/ { on = 1 } on { print } /^op_twice_how/ { on = 0 }' "$h" | equals - expected
say $? '... gives its types and prototypes with their comments'
runs compiles common/ops/twice.c; say $? '... and compiles with the new header'
matches twice_of "$h"; that $? = 1; say $? '... which has no static function'
tr ' ' '\n' < build/op-list.inc | matches -x 'O(twice)'; say $? '... and the list of ops has it'

touch -d '2001-01-01' "$h"; cp -p "$h" before
sed -i 's/(void)t;/(void)t;	\/\* no tape \*\//' common/ops/twice.c
runs header && equals before "$h" && that ! "$h" -nt before
say $? 'a change in the body of a function leaves the header alone'
touch src/ops-header.awk; runs header && that ! "$h" -nt before; say $? '... so does a touched generator'
sed -i 's/struct node \*a,$/struct node *b,/; s/ ? a : NULL/ ? b : NULL/' common/ops/twice.c
runs header && that "$h" -nt before && matches 'struct node \*b,$' "$h"
say $? 'a changed prototype changes it'

cp common/ops/twice.c keep
sed '/^\/\*$/,/^ \*\/$/d' keep > common/ops/twice.c
ends 2 header && matches 'twice.c:.*op_twice(.*: no comment above' err
say $? 'a function without a comment is refused'
sed 's/op_twice/twice_op/' keep > common/ops/twice.c
ends 2 header && matches 'twice.c: no function op_NAME' err
say $? 'a file that applies no op is refused'
matches op_twice_how "$h"; say $? '... and the header stays as it was'
rm common/ops/twice.c
runs header && equals "$h" "$HEED_BUILD/ops/ops.h"; say $? 'without the file the header is as before'
