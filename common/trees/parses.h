/*
 * parses: reads sentences with their trees from any of three formats.
 *
 * CoNLL-U text has dependencies.  Bracketed trees are constituency trees.  A stream has the fields
 * in its header: src.heads (with or without src.rels and src.upos), src.tree (empty for a sentence
 * without words), or both; or those of tgt.  The first bytes of a file determine its format; an
 * empty text counts as both text formats.  Compressed files and members of archives can be read,
 * too (input.h).
 */
#ifndef PARSES_H
#define PARSES_H

#include "trees/conllu.h"
#include "trees/tree.h"

struct parses;

enum { PARSES_DEPS = 1, PARSES_TREES = 2 };

/*
 * Opens a path; `side`: "src" or "tgt", of a stream.  Function labels are kept.  Returns NULL and e
 * as input_open(), and with EXIT_INPUT if a stream has no trees of this side.
 */
struct parses *parses_open(const char *path, const char *side, struct err *e) MUST_USE;
/* The same with an input opened with INPUT_UTF8; it takes over the input, also on error. */
struct parses *parses_from(struct input *input, const char *side, struct err *e) MUST_USE;
/*
 * Opens a file of heads only: integers separated by spaces, one line per sentence, empty for a
 * sentence without words.  The words are unknown: parses_words() returns NULL and their number.
 */
struct parses *parses_open_heads(const char *path, struct err *e) MUST_USE;
struct parses *parses_from_heads(struct input *input) MUST_USE;
void parses_close(struct parses *p);		/* p may be NULL */

/*
 * Must be called before the first sentence.  A sentence then has no tree, instead of an error, if
 * its heads in text are not a tree, if it is "(())", or if a record has no such field.
 */
void parses_tolerate(struct parses *p);

unsigned parses_has(const struct parses *p);	/* PARSES_DEPS, PARSES_TREES or both */
const char *parses_name(const struct parses *p);

/*
 * Reads the next sentence.  Returns 1, 0 at the end, or -1 and e, which names file and line, or
 * record.  Dependencies form a tree, which may have several roots.
 */
int parses_next(struct parses *p, struct err *e) MUST_USE;

/* Of the last sentence; all results are valid until the next one is read. */
const struct dep_sentence *parses_deps(const struct parses *p);	/* NULL without heads */
const struct tree *parses_tree(const struct parses *p);		/* NULL without a tree */
/* Why the heads are not a tree, with file and line, or NULL. */
const char *parses_fault(const struct parses *p);
const struct record *parses_record(const struct parses *p);	/* NULL for text */
/* The words, and their number in *n; see parses_open_heads(). */
const char *const *parses_words(const struct parses *p, int *n);
/* The same with the text of each word (conllu.h), which may be empty, except the first. */
const char *const *parses_surfaces(const struct parses *p, int *n);
/* The multi-word tokens of the words (conllu.h); NULL if the file cannot have any. */
const char *const *parses_tokens(const struct parses *p);
const char *parses_where(struct parses *p);	/* "a.conllu: line 17", "a.heed: record 3" */
/* The same with the line of a word, from 0, if it is known. */
const char *parses_where_word(struct parses *p, int word);

#endif
