/*
 * texts: a pool of many short strings, freed all at once.
 *
 * It is for millions of strings, such as the words of sentences and the labels of trees.  Strings
 * are stored one after another in blocks that double in size; an arena (arena.h) would round each
 * string up to 64 bytes.
 */
#ifndef TEXTS_H
#define TEXTS_H

#include <stddef.h>

struct texts_block;

struct texts { struct texts_block *last; };	/* all zeros: empty */

/*
 * Returns a NUL-terminated copy of the n bytes at s, which is valid until texts_clear() or
 * texts_release().
 */
const char *texts_add(struct texts *t, const char *s, size_t n);
void texts_clear(struct texts *t);		/* frees all strings, but keeps one block */
void texts_release(struct texts *t);

#endif
