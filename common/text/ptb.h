/*
 * ptb: trees in brackets as the Penn Treebank writes them (Marcus et al. 1993).
 *
 * A tree is (LABEL child ...), a child a tree or a word; blanks and line ends anywhere between.
 * -LRB- -RRB- -LCB- -RCB- -LSB- -RSB- in a word, also inside of it, stand for brackets and come out
 * as those; going out, only ( and ) are escaped.  A wrapper around the whole without a label, or
 * labelled TOP, ROOT or VROOT, is taken off if its one child is a phrase, another one inside of it
 * too; only the first phrase may be without a label, and has no words then.  -NONE- and what is
 * empty without it is deleted. Labels are cut before the first - or = behind their first character
 * (functions and indices: NP-SBJ=2), those of words too; a label that begins with - (-LRB-) stays
 * whole.
 */
#ifndef PTB_H
#define PTB_H

#include <stdint.h>

#include "base/err.h"
#include "stream/input.h"
#include "text/tree.h"

enum {
	PTB_KEEP_FUNCTIONS = 1,	/* leave NP-SBJ as it is; else NP */
	PTB_NO_TREE = 2		/* "(())" or "()", a parser's failure, is an empty tree, no error */
};

struct ptb_reader;

/* path as for input_open(). */
struct ptb_reader *ptb_open(const char *path, unsigned flags, struct err *e) MUST_USE;
struct ptb_reader *ptb_open_memory(const char *name, const void *p, size_t n, unsigned flags,
				   struct err *e) MUST_USE;
/* An input that is already open; the reader closes it in the end. */
struct ptb_reader *ptb_from(struct input *in, unsigned flags) MUST_USE;

/*
 * 1 and the next tree, 0 at the end, -1 and e with file, line and column (of characters, from 1):
 * brackets that do not match, text outside of them, a phrase without label or children, a tree
 * without words, what is not UTF-8.  Nothing can be read behind an error.
 */
int ptb_next(struct ptb_reader *r, struct tree *t, struct err *e) MUST_USE;
void ptb_tolerate(struct ptb_reader *r);	/* PTB_NO_TREE from now on */
int64_t ptb_line(const struct ptb_reader *r);	/* where the tree last returned began, from 1 */
void ptb_close(struct ptb_reader *r);		/* NULL is fine */

/* How many bytes of a label are left without functions and indices: 2 of NP-SBJ=2. */
size_t ptb_category(const char *label, size_t n);

void ptb_strip(struct tree *t);			/* of all phrases */

/* One tree from a text that holds nothing else: a field of a record.  Errors name the column. */
int ptb_parse(struct tree *t, const char *text, size_t n, unsigned flags, struct err *e) MUST_USE;

#endif
