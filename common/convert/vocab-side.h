/*
 * vocab-side: the vocabulary of one side of an imported model, and where its entries are in the
 * tables of the other toolkit.
 *
 * heed's four special tokens come first, with the rows that the other toolkit uses for them, if it
 * does; then all other rows in their order.  A row whose text cannot be in a vocabulary (there is
 * none, it occurs twice, or it has a line break) is called <row-N>, so that its probability counts
 * as it does there.
 */
#ifndef VOCAB_SIDE_H
#define VOCAB_SIDE_H

#include <stdbool.h>

#include "base/buf.h"
#include "convert/ids.h"
#include "text/vocab.h"

struct vocab_side {
	struct vocab vocab;
	int *row;			/* [n] the row of each entry, or -1 */
	unsigned char *valid;		/* [n] 1 for the first entry of each row, else 0 */
	int n;
	int rows;			/* of the tables */
	int nameless;			/* those without an entry, except special tokens */
};

struct special_rows { int pad, bos, eos, unk; };	/* -1: none */

/* Appends the text that heed has for one of the other vocabulary to out, which is empty. */
typedef void spell(const char *text, size_t n, struct buf *out);

/* rows: of the tables.  spelling: NULL if texts stay as they are.  s is overwritten. */
int vocab_side_build(struct vocab_side *s, const struct ids *ids, int rows,
		     const struct special_rows *special, spell *spelling, struct err *e) MUST_USE;
void vocab_side_release(struct vocab_side *s);

/* Are there entries without a probability? */
bool vocab_side_masks(const struct vocab_side *s);

#endif
