/*
 * segmenter: the segmentation that a model file contains, from text to subwords and back.
 *
 * A model file may contain BPE codes, for tokenized text, or SentencePiece models, for raw text.
 * For a model without either, the subwords are the words of the text, separated by spaces.
 */
#ifndef SEGMENTER_H
#define SEGMENTER_H

#include "bpe/subwords.h"
#include "model/model.h"

struct segmenter {
	struct bpe *codes;
	struct bpe_coder *coder;
	struct spm *spm[2];		/* SentencePiece models of source and target, which may be
					 * the same one; or NULL */
	struct subwords subwords;
	struct buf text;
};

/*
 * Initializes *s for model m, which must outlive s.  `name` is the name of the model file, for
 * messages.  Fails with EXIT_INPUT if its codes or SentencePiece models are malformed, and with
 * EXIT_USAGE if it has SentencePiece models and heed is built without libsentencepiece.
 */
int segmenter_init(struct segmenter *s, const struct model *m, const char *name,
		   struct err *e) MUST_USE;
void segmenter_release(struct segmenter *s);

/*
 * Segments a text of n bytes, of the source or target, into s->subwords, which is valid until the
 * next call.  Tabs and carriage returns count as spaces, except with SentencePiece.
 */
int segmenter_cut(struct segmenter *s, const char *text, size_t n, bool target,
		  struct err *e) MUST_USE;
/* Joins n subwords of the target, and appends the text to `out`. */
int segmenter_join(struct segmenter *s, const struct str *v, size_t n, struct buf *out,
		   struct err *e) MUST_USE;

#endif
