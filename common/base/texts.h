/*
 * texts: copies of many short texts, packed one behind the other, given back all at once.
 *
 * For what comes by the million and is small by itself: a tree, a sentence.  An arena rounds each
 * piece up and maps pages; this takes what the texts need, in blocks that double.
 */
#ifndef TEXTS_H
#define TEXTS_H

#include <stddef.h>

struct texts_block;

struct texts { struct texts_block *last; };	/* all zeros: empty */

/* A copy with a NUL byte behind it, which stays where it is until the next clear or release. */
const char *texts_add(struct texts *t, const char *s, size_t n);
void texts_clear(struct texts *t);		/* empty, but keeps its largest block */
void texts_release(struct texts *t);

#endif
