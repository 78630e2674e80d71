/* op-list: the list of all ops.  The Makefile writes op-list.inc from the files in common/ops. */
#include "ops/kit/op-list.h"

#define O(name) extern const struct op ops_##name;
#include "op-list.inc"
#undef O

const struct op *const ops[] = {
#define O(name) &ops_##name,
#include "op-list.inc"
#undef O
	NULL
};
