/*
 * vocab-side: the vocabulary of one side of an imported model, and where its entries are in the
 * tables of the other toolkit.
 *
 * heed's four special tokens come first, with the rows that the other toolkit uses for them, if
 * any; then all other rows in their order.  The row that decoders read first is <s>, and also an
 * entry, unless it is one of the other three: <s> is only read, and the entry can be produced and
 * be part of a source.  Both have the same embeddings.
 *
 * A row whose text cannot be in a vocabulary (there is none, it occurs twice, or it has a line
 * break) is called <row-N>, so that its probability counts as in the other toolkit.
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
	unsigned char *valid;		/* [n] 1 for the entry that is the output of its row */
	int n;
	int rows;			/* of the tables */
	int nameless;			/* those without an entry, except special tokens */
};

/* Rows, or -1.  `start`: what decoders read first, if it is neither the end nor a zero vector. */
struct special_rows { int pad, start, eos, unk; };

/* Appends heed's spelling of an entry of the other vocabulary to `out`, which is empty. */
typedef void spell(const char *text, size_t n, struct buf *out);

/*
 * Builds s, which is overwritten, for tables of `rows` rows.  `spelling` is NULL if texts stay as
 * they are.
 */
int vocab_side_build(struct vocab_side *s, const struct ids *ids, int rows,
		     const struct special_rows *special, spell *spelling, struct err *e) MUST_USE;
void vocab_side_release(struct vocab_side *s);

/* Are there entries that are never predicted, with valid 0? */
bool vocab_side_masks(const struct vocab_side *s);

#endif
