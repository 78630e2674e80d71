/*
 * ptb: reads bracketed trees as in the Penn Treebank (Marcus et al. 1993).
 *
 * A tree is (LABEL child ...); a child is a tree or a word.  Spaces and line ends may be anywhere
 * between brackets, labels and words.
 *
 *	- In words, -LRB- -RRB- -LCB- -RCB- -LSB- -RSB- stand for brackets and are replaced by
 *	  them, also inside a word; \/ and \* are replaced by / and *.  tree_write() escapes only
 *	  ( and ), and / and * after a backslash.
 *	- An outermost node without a label, or labeled TOP, ROOT or VROOT, is removed if its only
 *	  child is a phrase; this is repeated.  Only the outermost node may have no label, and then
 *	  it must not have words as children.
 *	- -NONE- and phrases that contain nothing else are removed.
 *	- Between trees, lines that begin with *x*, #, ; or % are comments, as in the files of the
 *	  Penn Treebank (*x*) and of other treebanks.
 *	- Function labels and indices are removed, unless PTB_KEEP_FUNCTIONS is set: a label ends
 *	  before the first - or = after its first character (NP-SBJ=2), tags included.  A label
 *	  that begins with - (-LRB-) is kept.
 */
#ifndef PTB_H
#define PTB_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "stream/input.h"
#include "trees/tree.h"

enum {
	PTB_KEEP_FUNCTIONS = 1,	/* keep NP-SBJ, instead of NP */
	PTB_NO_TREE = 2		/* "(())" and "()", a failed parse, are an empty tree */
};

struct ptb_reader;

/*
 * Opens a reader of the n bytes at p, which are not copied and must outlive the reader.  `name` is
 * the name of the file for messages, and `flags` are of the enum above.  Returns NULL with the
 * error of input_memory() (input.h).
 */
struct ptb_reader *ptb_open_memory(const char *name, const void *p, size_t n, unsigned flags,
				   struct err *e) MUST_USE;
/* Opens a reader of an open input (input.h), which ptb_close() closes.  Never fails. */
struct ptb_reader *ptb_from(struct input *input, unsigned flags) MUST_USE;

/*
 * Reads the next tree into t, which must be initialized and is overwritten.  Returns 1, 0 at the
 * end of the file, or -1 with an error that names file, line and column (in characters, from 1).
 * Errors with EXIT_INPUT are unbalanced brackets, text outside brackets, a phrase without a label
 * or children, a tree without words, and text that is not UTF-8.  After an error, no further tree
 * can be read.
 */
int ptb_next(struct ptb_reader *r, struct tree *t, struct err *e) MUST_USE;
void ptb_tolerate(struct ptb_reader *r);	/* sets the flag PTB_NO_TREE from now on */
int64_t ptb_line(const struct ptb_reader *r);	/* the first line of the last tree, from 1 */
void ptb_close(struct ptb_reader *r);		/* r may be NULL */

/*
 * Returns the first character of an input, like input_first() (input.h), but skips comments.  The
 * result is '(' if the text is bracketed trees.  If the comments have more than 16 KiB, returns the
 * first character of a comment.  ptb_next() still reads all of the text.
 */
int ptb_first(struct input *input, struct err *e) MUST_USE;

/*
 * Sets `out` to the word of n bytes at s, with -LRB- and the other escapes of the first item above
 * replaced.
 */
void ptb_unescape(const char *s, size_t n, struct buf *out);
/*
 * The same, but \/ and \* remain.  This is the word that ptb_next() reads where tree_write() has
 * written the word of n bytes at s: it protects \/ and \*, but cannot protect -LRB-.
 */
void ptb_unescape_brackets(const char *s, size_t n, struct buf *out);

/* Returns the length of a label of n bytes without function labels and indices: 2 for NP-SBJ=2. */
size_t ptb_category(const char *label, size_t n);

/* Removes function labels and indices from all labels of a tree. */
void ptb_strip(struct tree *t);

/*
 * Sets t, which must be initialized, to the only tree of a text of n bytes, such as a field of a
 * record.  Returns -1 with EXIT_INPUT and a message with the column if the text is not exactly one
 * tree.  `flags` are of the enum above.
 */
int ptb_parse(struct tree *t, const char *text, size_t n, unsigned flags, struct err *e) MUST_USE;

#endif
