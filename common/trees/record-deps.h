/*
 * record-deps: reads the words, heads and tree of a sentence from a record.
 *
 * Words are separated by spaces in src (or tgt).  Functions return -1 with EXIT_INPUT; the message
 * names the field, and the caller adds the name of the record.
 */
#ifndef RECORD_DEPS_H
#define RECORD_DEPS_H

#include "stream/fields.h"
#include "stream/stream.h"
#include "trees/conllu.h"
#include "trees/tree.h"

/*
 * Fields computed from the text, heads, trees, subwords, or nodes of a linearized tree.  A program
 * that replaces one of these sources removes the fields computed from it: an old mask may have the
 * right size.  DEP_WITH_HEADS and DEP_WITH_PIECES are the fields that most programs write together
 * with heads and subwords; a program that does not write them removes them, too.
 */
enum {
	DEP_FROM_HEADS = 1, DEP_FROM_TREE = 2, DEP_FROM_PIECES = 4, DEP_FROM_NODES = 8,
	DEP_FROM_TEXT = 16, DEP_WITH_HEADS = 32, DEP_WITH_PIECES = 64
};
enum { DEP_MAX_DERIVED = 11 };
/*
 * Writes the names of the fields computed from any of `sources`, a combination of the flags, to
 * `name`, without NULL at the end; returns their number.  The names are those in f.
 */
int dep_derived(const struct side_fields *f, unsigned sources, const char *name[DEP_MAX_DERIVED]);

/*
 * Programs call this before they set the tree.  Returns -1 with EXIT_INPUT if the record has
 * subwords without their words, as a linearized tree has: these would keep the old tree.
 */
int dep_check_pieces(const struct record *rec, const struct side_fields *f, struct err *e) MUST_USE;

/* Gets a text, checked to be UTF-8 without NUL bytes; it is valid until the record changes. */
int record_text(const struct record *rec, const char *field, struct str *text,
		struct err *e) MUST_USE;
/* Sets s, which must be initialized, to the words of the text, without heads. */
int record_words(const struct record *rec, const char *field, struct dep_sentence *s,
		 struct err *e) MUST_USE;
/*
 * Sets the heads of the words that s already has.  There must be one for each, and they must form a
 * tree, which may have several roots.
 */
int record_heads(const struct record *rec, const char *field, struct dep_sentence *s,
		 struct err *e) MUST_USE;
/* Sets t, which must be initialized, to the tree; it has no nodes if the field is "". */
int record_tree(const struct record *rec, const char *field, struct tree *t,
		struct err *e) MUST_USE;
/*
 * Sets the tags or relations of the words that s already has to those of a field; there must be one
 * for each.
 */
enum dep_column { DEP_UPOS, DEP_REL };
int record_column(const struct record *rec, const char *field, enum dep_column column,
		  struct dep_sentence *s, struct err *e) MUST_USE;

#endif
