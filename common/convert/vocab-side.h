/*
 * vocab-side: the vocabulary of one side of an imported model, and the rows that its entries have
 * in the embeddings of the original model.
 *
 * The first entries are the four special tokens of heed, with the rows that the original uses for
 * them, if any; entries for all other rows follow in the order of the rows.  The row of the token
 * that the decoder reads first becomes <s>.  Unless this is also the row of another special token,
 * the row becomes an ordinary entry, too: <s> is only read, while the entry can be produced, and
 * can be part of a source.
 *
 * A row gets the text <row-N> if its own text cannot be in a vocabulary: the row has no text, the
 * text occurs twice, is not UTF-8, or has a line break or a NUL byte.  So the row is not lost, and
 * its probability counts as in the original.
 */
#ifndef VOCAB_SIDE_H
#define VOCAB_SIDE_H

#include <stdbool.h>

#include "base/buf.h"
#include "convert/ids.h"
#include "text/vocab.h"

struct vocab_side {
	struct vocab vocab;		/* the vocabulary of heed */
	int *row;			/* [n] the row of each entry, or -1 */
	unsigned char *valid;		/* [n] 1 if the entry can be produced; of two entries with
					 * one row, only one can */
	int n;				/* number of entries */
	int rows;			/* number of rows of the embeddings */
	int nameless;			/* number of rows without a text, except those of special
					 * tokens */
};

/*
 * The rows of the special tokens, or -1.  `start` is the row of the token that the decoder reads
 * first, or -1 if the decoder reads the end token or a zero vector first.
 */
struct special_rows { int pad, start, eos, unk; };

/*
 * A function that appends heed's spelling of a text of n bytes of the original to `out`, which is
 * empty.
 */
typedef void spell(const char *text, size_t n, struct buf *out);

/*
 * Initializes s for embeddings with `rows` rows, whose texts are in `ids`.  `spelling` is NULL if
 * texts are not changed.  Returns -1 with EXIT_INPUT if all texts together are longer than a model
 * file can have.  Call vocab_side_release() in any case.
 */
int vocab_side_build(struct vocab_side *s, const struct ids *ids, int rows,
		     const struct special_rows *special, spell *spelling, struct err *e) MUST_USE;
void vocab_side_release(struct vocab_side *s);

/* Does s have entries that cannot be produced, with `valid` 0? */
bool vocab_side_masks(const struct vocab_side *s);

#endif
