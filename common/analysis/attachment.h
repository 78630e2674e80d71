/*
 * attachment: unlabeled attachment scores of the heads that attention variants supervise with
 * trees: the first head of the first layer, in the encoder for the source and in the decoder for
 * the target (dbsa, Deguchi, Tamura and Ninomiya 2019).
 *
 * A word is correct if the head attends most to its head word.  The row of a word is that of its
 * last subword; the maximum may be in any subword of the head word.  The root is its own head.  In
 * the decoder, the row and the column of a subword are those of the step that predicts it or, if
 * the model is trained with dbsa:align=input, of the step that reads it, which is the next one.  In
 * the decoder, words whose head begins after their last subword are not counted.
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
		int site;			/* index in m->sites; -1: no such head, or no trees
						 * in the stream */
		int shift;			/* row and column of subword 0 */
		struct side_fields fields;
		int64_t words, correct;		/* numbers of words that were scored, and of those
						 * that are correct */
	} side[ATTACHMENT_SIDES];		/* source, target */
	struct piece_words pieces;
};

/*
 * Overwrites a, and chooses the sides for which the model has such a head, and the stream with
 * header h has head words and the word of each subword.  The model must outlive a.
 */
void attachment_begin(struct attachment *a, const struct model *m, const struct header *h);
void attachment_release(struct attachment *a);

/*
 * Adds a batch that the model has run on the tape.  Sentences without a tree are left out.  Errors
 * are EXIT_INPUT and name the record.
 */
int attachment_add(struct attachment *a, struct tape *t, const struct batch *b,
		   struct err *e) MUST_USE;

/*
 * Appends a line for each side that has words: "uas.src" or "uas.tgt", a tab, the score in percent.
 */
void attachment_put(const struct attachment *a, struct buf *out);

/*
 * The number of correct words in a sentence of n_words words; *counted is set to the number of
 * words that were scored.  `head` [n_words] is the head word of each word, from 1, and 0 for the
 * root.  p has the word of each subword.  The weights w have `shift` rows and columns before those
 * of the subwords, and may have more after them.  w->causal is true for the decoder.
 */
int attachment_count(const struct head_weights *w, const int32_t *head, int n_words,
		     const struct piece_words *p, int shift, int *counted);

#endif
