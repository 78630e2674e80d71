/*
 * near-name: the known name that is nearest to a mistyped one, for "did you mean NAME?".
 *
 * The distance of two names is the minimum number of bytes to insert, delete or replace, and of
 * neighbors to exchange.  A name at a distance over 2, or over half of the typed bytes, is far.
 */
#ifndef NEAR_NAME_H
#define NEAR_NAME_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct near_name {
	const char *name;		/* the nearest name so far; NULL if none is near */
	size_t distance;
};

/* Keeps `known` if it is nearer to typed[n] than earlier names.  Names over 64 bytes are far. */
void near_name_add(struct near_name *best, const char *typed, size_t n, const char *known);
/* If there is a near name, adds the hint "did you mean NAME?", and returns true. */
bool near_name_hint(const struct near_name *best, struct err *e);

#endif
