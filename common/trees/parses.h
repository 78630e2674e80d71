/*
 * parses: reads sentences with their trees from any of three formats.
 *
 * CoNLL-U text has dependencies (conllu.h).  Bracketed trees are constituency trees (ptb.h).  A
 * stream has src.heads, with or without src.rels and src.upos, for dependencies; src.tree, which is
 * empty for a sentence without words, for constituency trees; or both.  For the side tgt, it has
 * tgt.heads and so on.  The first bytes of a file determine its format; an empty file counts as
 * CoNLL-U and as bracketed trees.  Compressed files and members of archives can be read, too
 * (input.h).
 */
#ifndef PARSES_H
#define PARSES_H

#include "trees/conllu.h"
#include "trees/tree.h"

struct parses;

enum { PARSES_DEPS = 1, PARSES_TREES = 2 };

/*
 * Opens the file at `path`.  `side` is "src" or "tgt": the side of a stream that is read.  Function
 * labels of bracketed trees are kept.  Returns NULL with the error of input_open(), or with
 * EXIT_INPUT if a stream has no trees of this side.
 *
 * With `side` NULL, the file has heads only: each line has the heads of a sentence, from 1, or 0
 * for a root, separated by spaces.  The line of a sentence without words is empty.  The words are
 * unknown: parses_words() returns NULL, with the number of words in *n.
 */
struct parses *parses_open(const char *path, const char *side, struct err *e) MUST_USE;
/*
 * The same with an input that was opened with INPUT_UTF8 (input.h).  The function takes over the
 * input: parses_close() closes it, or the function itself on error.
 */
struct parses *parses_from(struct input *input, const char *side, struct err *e) MUST_USE;
void parses_close(struct parses *p);		/* p may be NULL */

/*
 * Must be called before the first sentence is read.  In three cases, a sentence then has no tree,
 * where otherwise parses_next() would fail: its heads, in CoNLL-U or a file of heads, are not a
 * tree; its bracketed tree is "(())"; its record lacks the field of the heads or the tree, or has
 * an empty tree.
 */
void parses_tolerate(struct parses *p);

unsigned parses_has(const struct parses *p);	/* PARSES_DEPS, PARSES_TREES or both */
bool parses_is_stream(const struct parses *p);		/* no text */
const char *parses_name(const struct parses *p);	/* the name of the file, for messages */

/*
 * Reads the next sentence.  Returns 1, 0 at the end of the file, or -1 with an error that names the
 * file, and the line or the record.  The dependencies of a sentence form a tree, which may have
 * several roots.
 */
int parses_next(struct parses *p, struct err *e) MUST_USE;

/*
 * The following functions return properties of the sentence that was read last.  Their results are
 * valid until the next sentence is read.
 */
const struct dep_sentence *parses_deps(const struct parses *p);	/* NULL without heads */
const struct tree *parses_tree(const struct parses *p);		/* NULL without a tree */
/* After parses_tolerate(): why the heads are not a tree, with file and line, or NULL. */
const char *parses_fault(const struct parses *p);
const struct record *parses_record(const struct parses *p);	/* NULL for text */
/* Returns the words, and sets *n to their number.  Returns NULL for a file of heads only. */
const char *const *parses_words(const struct parses *p, int *n);
/*
 * The same with the member `surface` of struct dep_word (conllu.h) for each word.  The surface of
 * any word but the first may be empty.
 */
const char *const *parses_surfaces(const struct parses *p, int *n);
/*
 * The member `token` of struct dep_word (conllu.h) for each word; NULL if the file is not in
 * CoNLL-U.
 */
const char *const *parses_tokens(const struct parses *p);
/* The place of the sentence, for messages: "a.conllu: line 17", "a.heed: record 3". */
const char *parses_where(struct parses *p);
/* The same with the line of a word, which counts from 0, if the file is in CoNLL-U. */
const char *parses_where_word(struct parses *p, int word);

#endif
