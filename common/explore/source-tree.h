/*
 * source-tree: dependency trees of sources, by a built-in parser, for attention variants that read
 * them.
 */
#ifndef SOURCE_TREE_H
#define SOURCE_TREE_H

#include "base/err.h"
#include "stream/stream.h"

struct source_tree;

/* Opens the built-in parser of a language.  Returns NULL with EXIT_USAGE if there is none. */
struct source_tree *source_tree_open(const char *language, struct err *e) MUST_USE;
void source_tree_close(struct source_tree *t);		/* t may be NULL */
/*
 * Sets src.heads, src.rels and src.dep of a record with src, src.pieces and src.word, unless it has
 * heads.  src.dep is the mask of tree2mask(1) with its default settings.  Several threads may call
 * it.  Returns -1 with EXIT_INPUT, naming no record.
 */
int source_tree_add(struct source_tree *t, struct record *rec, struct err *e) MUST_USE;

#endif
