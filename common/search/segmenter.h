/*
 * segmenter: the segmentation that a model file contains, from text to subwords and back.
 *
 * It is BPE codes, for tokenized text, or SentencePiece models, for raw text.  A model without
 * either takes words separated by spaces.
 */
#ifndef SEGMENTER_H
#define SEGMENTER_H

#include "bpe/subwords.h"
#include "model/model.h"

struct segmenter {
	struct bpe *codes;
	struct bpe_coder *coder;
	struct spm *spm[2];		/* of source and target, perhaps the same one; or NULL */
	struct subwords subwords;
	struct buf text;
};

/*
 * m must outlive s; `name` is the name of its file, for messages.  Fails with EXIT_INPUT if its
 * codes or SentencePiece models are malformed; EXIT_USAGE if it has SentencePiece models, and heed
 * is built without libsentencepiece.
 */
int segmenter_init(struct segmenter *s, const struct model *m, const char *name,
		   struct err *e) MUST_USE;
void segmenter_release(struct segmenter *s);

/*
 * Segments a text of one side into s->subwords.  Tabs and CRs count as spaces, except with
 * SentencePiece.
 */
int segmenter_cut(struct segmenter *s, const char *text, size_t n, bool target,
		  struct err *e) MUST_USE;
/* Appends the text of n subwords of the target. */
int segmenter_join(struct segmenter *s, const struct str *v, size_t n, struct buf *out,
		   struct err *e) MUST_USE;

#endif
