/*
 * spm: segmentation by SentencePiece models (Kudo and Richardson 2018, SentencePiece), which
 * libsentencepiece applies.
 *
 * A model normalizes a text, replaces spaces by U+2581, and segments the text into subwords; those
 * that begin a word begin with U+2581.  Unlike with BPE codes the text is not tokenized.  A struct
 * spm is immutable, so threads may share it.
 */
#ifndef SPM_H
#define SPM_H

#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "stream/stream.h"

struct spm;

/*
 * Reads a model from n bytes, which the caller may then free.  The file of bytes.h is a model, too,
 * which needs no library, and whose segmentation is never random.  Fails with EXIT_INPUT for
 * malformed models.  Fails with EXIT_USAGE with a hint if heed is built without the library.
 */
struct spm *spm_read(const void *p, size_t n, struct err *e) MUST_USE;
/* Sets e and returns true if heed is built without the library. */
bool spm_unavailable(struct err *e);
struct spm *spm_open(const char *path, struct err *e) MUST_USE;		/* from a file */
void spm_free(struct spm *m);						/* m may be NULL */

bool spm_unigram(const struct spm *m);		/* false: BPE, or bytes */
bool spm_bytes(const struct spm *m);		/* is it that of bytes.h? */

/*
 * Returns the bytes of a file that spm_check() accepts (spm-file.h); the caller frees them.  Needs
 * no library.
 */
char *spm_load(const char *path, size_t *n, struct err *e) MUST_USE;

/*
 * Random segmentation, for training.  With a unigram model, one of the nbest segmentations with the
 * highest probabilities p is drawn, with a probability proportional to p to the power of alpha
 * (Kudo 2018, Subword regularization); nbest 0 or 1 means the best one, and SPM_ALL all
 * segmentations.  With a BPE model, each merge is skipped with probability alpha, and nbest has no
 * effect (Provilkov, Emelianenko and Voita 2020, BPE-dropout).  The random numbers are a function
 * of seed, purpose and number, the number of the sentence.
 */
struct spm_sampling { int nbest; double alpha; uint64_t seed; uint32_t purpose, number; };
enum { SPM_ALL = -1, SPM_MAX_NBEST = 512 };

/* A function that is called with a subword of n bytes, which begins at byte `begin` of the text. */
typedef void spm_add(void *arg, const char *s, size_t n, size_t begin);

/*
 * Calls `add` for the subwords of a text in UTF-8, in order: of the best segmentation, or of a
 * random one if `sampling` is not NULL.  Fails with EXIT_INPUT if the library cannot segment the
 * text with the model.
 */
int spm_cut(const struct spm *m, const char *s, size_t n, const struct spm_sampling *sampling,
	    spm_add *add, void *arg, struct err *e) MUST_USE;
/* The inverse: appends the text of subwords, which depends on the model. */
int spm_restore(const struct spm *m, const struct str *piece, size_t n, struct buf *out,
		struct err *e) MUST_USE;

/*
 * --- training ---
 *
 * The model is that of spm_train with the same settings, --hard_vocab_limit=false and
 * --num_threads=1, apart from the name of the input that it stores: U+2581 for spaces, and the
 * entries <unk>, <s> and </s>.
 */

/* Longer lines are left out, as by spm_train. */
enum { SPM_MAX_LINE = 4192 };

struct spm_train {
	bool bpe;			/* otherwise a unigram model */
	int64_t size;			/* maximum number of entries of the vocabulary */
	double coverage;		/* fraction of the characters that get entries */
	int normalization;		/* index of spm_normalizations */

	int64_t made;			/* set by spm_train(): number of entries */
};

/* The rules of normalization, by their names in SentencePiece; the first one is its default. */
extern const char *const spm_normalizations[];	/* NULL-terminated */

/*
 * Trains on lines of UTF-8, each with a newline, and appends the bytes of the model to `model`.
 * Fails with EXIT_USAGE with a hint if heed is built without the library; EXIT_INPUT if there is no
 * text, or if it has more characters than the vocabulary has room for.
 */
int spm_train(struct spm_train *t, const struct buf *lines, struct buf *model,
	      struct err *e) MUST_USE;

/* The number of lines of more than SPM_MAX_LINE bytes. */
int64_t spm_train_skips(const struct buf *lines);

#endif
