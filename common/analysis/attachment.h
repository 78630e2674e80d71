/*
 * attachment: unlabeled attachment scores (UAS) of the heads that an attention variant trains on
 * dependency trees.  These are the first head of the first layer of the encoder, for source words,
 * and the first head of the first layer of self-attention of the decoder, for target words (dbsa,
 * Deguchi, Tamura and Ninomiya 2019).
 *
 * A word is correct if the attention head attends most to the word's syntactic head.  The row of a
 * word is that of its last subword; the maximum of this row may be in the column of any subword of
 * the syntactic head.  The root word is its own syntactic head.  In the encoder, each subword has
 * its own row and column.  In the decoder, the row and the column of a subword are those of the
 * step that predicts the subword or, if the model is trained with dbsa:align=input, those of the
 * next step, which reads the subword.  In the decoder, a word is left out if its syntactic head
 * begins after the last subword of the word, because the row cannot attend there.
 */
#ifndef ATTACHMENT_H
#define ATTACHMENT_H

#include <stdint.h>

#include "analysis/attention-sums.h"
#include "base/buf.h"
#include "model/model.h"
#include "trees/record-pieces.h"

enum { ATTACHMENT_SIDES = 2 };

struct attachment {
	const struct model *m;
	struct attachment_side {
		int site;			/* index of the attention layer in m->sites; -1: the
						 * side is not scored */
		int shift;			/* row and column of subword 0 in the weights */
		struct side_fields fields;
		int64_t words, correct;		/* number of scored words, and of the correct ones
						 * among them */
	} side[ATTACHMENT_SIDES];		/* source, target */
	struct piece_words pieces;
};

/*
 * Overwrites *a.  A side is scored if its head in the first layer has not been pruned, and if the
 * stream with header `h` has the fields of syntactic heads and of the word of each subword.  The
 * model must outlive `a`.
 */
void attachment_begin(struct attachment *a, const struct model *m, const struct header *h);
void attachment_release(struct attachment *a);

/*
 * Adds the sentences of a batch that the model has just processed on tape `t`, except those without
 * a tree.  Returns -1 with EXIT_INPUT, naming the record, if a tree or its words do not fit the
 * subwords.
 */
int attachment_add(struct attachment *a, struct tape *t, const struct batch *b,
		   struct err *e) MUST_USE;

/*
 * Appends a line for each side with scored words: "uas.src" or "uas.tgt", a tab, and the score in
 * percent.
 */
void attachment_put(const struct attachment *a, struct buf *out);

/*
 * Returns the number of correct words in a sentence of `n_words` words, and sets *counted to the
 * number of scored words.  `head` [n_words] has the number of the syntactic head of each word, from
 * 1, and 0 for the root.  `p` has the word of each subword.  In the weights `w`, `shift` rows and
 * columns precede those of the first subword, and others may follow those of the last one.
 * w->causal is true for the decoder.
 */
int attachment_count(const struct head_weights *w, const int32_t *head, int n_words,
		     const struct piece_words *p, int shift, int *counted);

#endif
