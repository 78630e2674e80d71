/*
 * record-deps: reads the words, heads and tree of a sentence from a record.
 *
 * In the fields src and tgt, words are separated by spaces.  On failure, the functions return -1
 * with EXIT_INPUT and a message that names the field; the caller adds the place of the record.
 * `field` is the name of a field, and struct side_fields has the names of the fields of one side
 * (stream/fields.h).
 */
#ifndef RECORD_DEPS_H
#define RECORD_DEPS_H

#include "stream/fields.h"
#include "stream/stream.h"
#include "trees/conllu.h"
#include "trees/tree.h"

/*
 * Sources of fields: a field may be computed from the heads, the tree, the subwords, the nodes of a
 * linearized tree, or the text.  A program that replaces a source removes the fields computed from
 * it, because an old mask, for instance, may have the right size.  DEP_WITH_HEADS and
 * DEP_WITH_PIECES stand for the fields that most programs write together with heads and with
 * subwords; a program that replaces the heads or subwords without writing these fields removes
 * them, too.
 */
enum {
	DEP_FROM_HEADS = 1, DEP_FROM_TREE = 2, DEP_FROM_PIECES = 4, DEP_FROM_NODES = 8,
	DEP_FROM_TEXT = 16, DEP_WITH_HEADS = 32, DEP_WITH_PIECES = 64
};
enum { DEP_MAX_DERIVED = 11 };
/*
 * Stores the names of the fields that are computed from any of `sources`, a combination of the
 * flags, in `name`, without NULL at the end.  Returns the number of names.  The strings belong to
 * f.
 */
int dep_derived(const struct side_fields *f, unsigned sources, const char *name[DEP_MAX_DERIVED]);

/*
 * Checks a record before a program sets its tree.  Returns -1 with EXIT_INPUT if the record has
 * subwords, but not the word of each: then the subwords are the nodes of a linearized tree
 * (linearize.h), which would remain those of the old tree.
 */
int dep_check_pieces(const struct record *rec, const struct side_fields *f, struct err *e) MUST_USE;

/*
 * Sets *text to the text of a field, which is valid until the record changes.  Fails if the field
 * is missing, is not UTF-8, or has a NUL byte.
 */
int record_text(const struct record *rec, const char *field, struct str *text,
		struct err *e) MUST_USE;
/* Sets s, which must be initialized, to the words of the text in `field`, without heads. */
int record_words(const struct record *rec, const char *field, struct dep_sentence *s,
		 struct err *e) MUST_USE;
/*
 * Sets the heads of the words that s already has to those in `field`.  Fails unless there is a head
 * for each word, and the heads form a tree, which may have several roots.
 */
int record_heads(const struct record *rec, const char *field, struct dep_sentence *s,
		 struct err *e) MUST_USE;
/*
 * Sets t, which must be initialized, to the bracketed tree in `field`; t has no nodes if the field
 * is "".
 */
int record_tree(const struct record *rec, const char *field, struct tree *t,
		struct err *e) MUST_USE;
/*
 * Sets the tags (DEP_UPOS) or relations (DEP_REL) of the words that s already has to those in
 * `field`.  Fails unless the field has one tag or relation for each word.
 */
enum dep_column { DEP_UPOS, DEP_REL };
int record_column(const struct record *rec, const char *field, enum dep_column column,
		  struct dep_sentence *s, struct err *e) MUST_USE;

#endif
