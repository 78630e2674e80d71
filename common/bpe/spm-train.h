/*
 * spm-train: trains SentencePiece models with libsentencepiece.
 *
 * The model is that of spm_train with the same settings, --hard_vocab_limit=false and
 * --num_threads=1, apart from the name of the input that it stores: U+2581 for spaces, and the
 * entries <unk>, <s> and </s>.
 */
#ifndef SPM_TRAIN_H
#define SPM_TRAIN_H

#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

/* Longer lines are left out, as by spm_train. */
enum { SPM_MAX_LINE = 4192 };

struct spm_train {
	bool bpe;			/* otherwise a unigram model */
	int64_t size;			/* maximum number of entries of the vocabulary */
	double coverage;		/* fraction of the characters that get entries */
	int normalization;		/* of spm_normalizations */

	int64_t made;			/* out: entries */
};

/* The rules of normalization, by their names in SentencePiece; the first one is its default. */
extern const char *const spm_normalizations[];	/* NULL-terminated */

/*
 * Trains on lines of UTF-8, each with a newline, and appends the bytes of the model to `model`.
 * EXIT_USAGE with a hint if heed is built without the library; EXIT_INPUT if there is no text, or
 * if it has more characters than the vocabulary has room for.
 */
int spm_train(struct spm_train *t, const struct buf *lines, struct buf *model,
	      struct err *e) MUST_USE;

/* The number of lines of more than SPM_MAX_LINE bytes. */
int64_t spm_train_skips(const struct buf *lines);

#endif
