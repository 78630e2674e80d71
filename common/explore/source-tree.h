/*
 * source-tree: parses source sentences into dependency trees, for models with attention variants
 * that need them.  The parser is one of those that are built into heed (parse(1)).
 */
#ifndef SOURCE_TREE_H
#define SOURCE_TREE_H

#include "base/err.h"
#include "stream/stream.h"

struct source_tree;

/*
 * Opens the parser of the language with the code `language`.  Returns NULL with EXIT_USAGE if there
 * is none.
 */
struct source_tree *source_tree_open(const char *language, struct err *e) MUST_USE;
void source_tree_close(struct source_tree *t);		/* `t` may be NULL */
/*
 * Sets the fields src.heads, src.rels and src.dep of a record, unless it already has src.heads.
 * The record must have src, src.pieces and src.word.  src.dep is the mask of tree2mask(1) with its
 * default settings.  Several threads may call this function for one `t`.  Returns -1 with
 * EXIT_INPUT if the fields of the record do not fit or the sentence is too long; the message does
 * not name the record.
 */
int source_tree_add(struct source_tree *t, struct record *rec, struct err *e) MUST_USE;

#endif
