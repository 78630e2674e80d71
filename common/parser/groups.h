/* groups: integers grouped by key, for the training of grammars (pcfg.h). */
#ifndef GROUPS_H
#define GROUPS_H

#include "base/arena.h"

/* Integers grouped by key: those of key k are item[start[k]] to item[start[k + 1] - 1]. */
struct groups { int *start, *item; };

/*
 * Groups the integers i from 0 to n - 1 by `key[i]`, which is from 0 to n_keys - 1.  Integers of a
 * group are in ascending order.  The arrays are in `mem`.
 */
struct groups group_by(const int *key, int n, int n_keys, struct arena *mem);

#endif
