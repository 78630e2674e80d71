/*
 * texts: a pool of many short strings, freed all at once.
 *
 * It is for millions of small strings, such as trees and sentences.  Strings are stored one after
 * another in blocks that double in size; an arena would round each one up to 64 bytes.
 */
#ifndef TEXTS_H
#define TEXTS_H

#include <stddef.h>

struct texts_block;

struct texts { struct texts_block *last; };	/* all zeros: empty */

/* Returns a NUL-terminated copy, which does not move until texts_clear() or texts_release(). */
const char *texts_add(struct texts *t, const char *s, size_t n);
void texts_clear(struct texts *t);		/* empties it, keeps one block */
void texts_release(struct texts *t);

#endif
