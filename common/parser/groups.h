/* counts: counts by key, and integers grouped by key, for the training of grammars (pcfg.h). */
#ifndef COUNTS_H
#define COUNTS_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/strmap.h"

/*
 * Counts by key.  Set all bytes to 0 and call strmap_init() for `key`.  `count` [key.n] has the
 * counts by the index of a key in the map `key`, that is, in the order in which keys were first
 * added.
 */
struct counts {
	struct strmap key;
	int64_t *count;
	size_t room;
};

/* Adds `count` to the count of a key of n bytes, which is 0 for a new key.  Returns the sum. */
int64_t counts_add(struct counts *t, const void *key, size_t n, int64_t count);
void counts_release(struct counts *t);

/* Integers grouped by key: those of key k are item[start[k]] to item[start[k + 1] - 1]. */
struct groups { int *start, *item; };

/*
 * Groups the integers i from 0 to n - 1 by `key[i]`, which is from 0 to n_keys - 1.  Integers of a
 * group are in ascending order.  The arrays are in `mem`.
 */
struct groups group_by(const int *key, int n, int n_keys, struct arena *mem);

#endif
