/* counts: counts by key, and integers grouped by key, for the training of grammars. */
#ifndef COUNTS_H
#define COUNTS_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/strmap.h"

/*
 * Counts by key.  `count` [key.n] is indexed by the number of a key in the map `key`, in the order
 * of first occurrence.
 */
struct counts {
	struct strmap key;
	int64_t *count;
	size_t room;
};

/* Adds to the count of a key of n bytes; returns the sum. */
int64_t counts_add(struct counts *t, const void *key, size_t n, int64_t count);
void counts_release(struct counts *t);

/* Integers grouped by key: those of key k are item[start[k]] ... item[start[k + 1] - 1]. */
struct groups { int *start, *item; };

/* Groups 0 ... n-1 by `key[i]`, 0 <= `key[i]` < n_keys; the order within a group is kept. */
struct groups group_by(const int *key, int n, int n_keys, struct arena *mem);

#endif
