/*
 * parses: sentences with their trees, from wherever they are.
 *
 * CoNLL-U text has dependencies, PTB text has trees in brackets, a heed stream of sentences has
 * what its header says: src.heads (with or without src.rels), src.tree (empty where there are no
 * words), or both; or tgt.  Which of them a file is, its first bytes say; a text with nothing in it
 * is either.  Compressed files and members of archives open too (input.h).
 */
#ifndef PARSES_H
#define PARSES_H

#include "text/conllu.h"
#include "text/tree.h"

struct parses;

enum { PARSES_DEPS = 1, PARSES_TREES = 2 };

/* side: "src" or "tgt", of a stream.  Labels keep their functions. */
struct parses *parses_open(const char *path, const char *side, struct err *e) MUST_USE;
/* The same over an input that is already open, with INPUT_UTF8; it is taken in any case. */
struct parses *parses_from(struct input *in, const char *side, struct err *e) MUST_USE;
/*
 * A file of heads alone: numbers with blanks between, a sentence a line, an empty one too.  Such
 * sentences have no words, parses_words() gives NULL and how many.
 */
struct parses *parses_open_heads(const char *path, struct err *e) MUST_USE;
struct parses *parses_from_heads(struct input *in) MUST_USE;
void parses_close(struct parses *p);		/* NULL is fine */

/*
 * Before the first sentence: heads in text that are no tree, "(())", and a field that a record has
 * not got are a sentence without a tree from now on.
 */
void parses_tolerate(struct parses *p);

unsigned parses_has(const struct parses *p);	/* which of the two kinds */
const char *parses_name(const struct parses *p);

/*
 * 1, 0 at a good end, -1 on error.  Dependencies are a tree, perhaps with many roots, or there are
 * none.
 */
int parses_next(struct parses *p, struct err *e) MUST_USE;

/* Of the sentence last read; all live until the next one. */
const struct dep_sentence *parses_deps(const struct parses *p);	/* NULL if there are none */
const struct tree *parses_tree(const struct parses *p);		/* NULL likewise */
/* Why heads are no tree, with file and line, or NULL. */
const char *parses_fault(const struct parses *p);
const struct record *parses_record(const struct parses *p);	/* NULL for text */
const char *const *parses_words(const struct parses *p, int *n);
/* The same, but each word as its part of the text (conllu.h): maybe empty, never the first. */
const char *const *parses_surfaces(const struct parses *p, int *n);
const char *parses_where(struct parses *p);	/* "a.conllu: line 17", "a.heed: record 3" */
/* The same with a word's own line, if that is known; words from 0. */
const char *parses_where_word(struct parses *p, int word);

#endif
