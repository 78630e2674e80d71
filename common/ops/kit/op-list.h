/* op-list: all operations. */
#ifndef OP_LIST_H
#define OP_LIST_H

#include "tape/op.h"

/* Every operation of common/ops, in the order of file names; ends with NULL. */
extern const struct op *const ops[];

#endif
