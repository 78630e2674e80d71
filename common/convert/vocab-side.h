/*
 * vocab-side: the vocabulary of one side of an imported model, and where its entries are in the
 * tables of the other toolkit.
 *
 * The four special tokens of heed come first, with the rows that the other toolkit uses for them,
 * if any; all other rows follow in their order.  The row that decoders read first becomes <s>.
 * Unless it is that of another special token, it becomes an ordinary entry, too, with the same
 * embeddings: <s> is only read, while the entry can be produced and can be part of a source.
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
	unsigned char *valid;		/* [n] 1 if the entry can be produced; of two entries with
					 * one row, only one can */
	int n;
	int rows;			/* number of rows of the tables */
	int nameless;			/* number of rows that are called <row-N>, except special
					 * tokens */
};

/*
 * The rows of the special tokens, or -1.  `start` is what decoders read first, or -1 if that is the
 * end token or a zero vector.
 */
struct special_rows { int pad, start, eos, unk; };

/* Appends heed's spelling of an entry of the other vocabulary to `out`, which is empty. */
typedef void spell(const char *text, size_t n, struct buf *out);

/*
 * Builds s, which is overwritten, for tables of `rows` rows.  `spelling` is NULL if texts are not
 * changed.  Returns -1 with EXIT_INPUT if the texts are longer than a model file can have.  Release
 * s in any case.
 */
int vocab_side_build(struct vocab_side *s, const struct ids *ids, int rows,
		     const struct special_rows *special, spell *spelling, struct err *e) MUST_USE;
void vocab_side_release(struct vocab_side *s);

/* Are there entries that are never predicted, with valid 0? */
bool vocab_side_masks(const struct vocab_side *s);

#endif
