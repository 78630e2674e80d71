/*
 * spm: segmentation by SentencePiece models (Kudo and Richardson 2018, SentencePiece), with
 * libsentencepiece.
 *
 * A model normalizes a text, replaces spaces by U+2581, and segments the text into subwords.  The
 * first subword of a word begins with U+2581.  Unlike with BPE codes (bpe.h), the text need not be
 * tokenized before.  A struct spm is immutable, so threads may share it.
 */
#ifndef SPM_H
#define SPM_H

#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "stream/stream.h"

struct spm;

/*
 * Reads a model from the n bytes of its file at p, which the caller may then free.  Also reads the
 * file of bytes.h, a model that needs no library, and whose segmentation is never random.  Returns
 * NULL with EXIT_INPUT if the model is malformed, or with EXIT_USAGE and a hint if heed is built
 * without libsentencepiece.
 */
struct spm *spm_read(const void *p, size_t n, struct err *e) MUST_USE;
/* Like spm_read(), for the file at `path`; returns NULL with EXIT_SYSTEM if it cannot be read. */
struct spm *spm_open(const char *path, struct err *e) MUST_USE;
void spm_free(struct spm *m);						/* m may be NULL */

bool spm_unigram(const struct spm *m);		/* false: BPE, or bytes */
bool spm_bytes(const struct spm *m);		/* true: the segmentation of bytes.h */

/*
 * Reads the file at `path`, and checks it with spm_check() (spm-file.h).  Returns its *n bytes,
 * which the caller frees, or NULL with an error.  Needs no libsentencepiece.
 */
char *spm_load(const char *path, size_t *n, struct err *e) MUST_USE;

/*
 * Settings of random segmentation, for training.  With a unigram model, one of the `nbest` most
 * probable segmentations is drawn.  A segmentation with probability p is drawn with a probability
 * proportional to p to the power of `alpha` (Kudo 2018, Subword regularization).  `nbest` 0 or 1
 * means the most probable segmentation, and SPM_ALL means all segmentations.  With a BPE model,
 * each merge is skipped with probability `alpha`, and `nbest` has no effect (Provilkov, Emelianenko
 * and Voita 2020, BPE-dropout).  The random numbers are a function of `seed`, `purpose`
 * (rng_purpose(), in rng.h) and `number`, the number of the sentence.
 */
struct spm_sampling { int nbest; double alpha; uint64_t seed; uint32_t purpose, number; };
enum { SPM_ALL = -1, SPM_MAX_NBEST = 512 };	/* SPM_MAX_NBEST: the maximum of `nbest` */

/* A function that is called with a subword of n bytes, which begins at byte `begin` of the text. */
typedef void spm_add(void *arg, const char *s, size_t n, size_t begin);

/*
 * Segments a text of n bytes in UTF-8, and calls `add` for each subword in order.  The segmentation
 * is the best one, or a random one if `sampling` is not NULL.  Returns -1 with EXIT_INPUT if the
 * library cannot segment the text with the model.
 */
int spm_cut(const struct spm *m, const char *s, size_t n, const struct spm_sampling *sampling,
	    spm_add *add, void *arg, struct err *e) MUST_USE;
/*
 * The inverse of spm_cut(): appends the text of n subwords to `out`.  Returns -1 with EXIT_INPUT if
 * the library reports an error.
 */
int spm_restore(const struct spm *m, const struct str *piece, size_t n, struct buf *out,
		struct err *e) MUST_USE;

/*
 * --- training ---
 *
 * The model is that of SentencePiece's program spm_train with the same settings,
 * --hard_vocab_limit=false and --num_threads=1, except for the name of the input, which the model
 * stores.  It has the entries <unk>, <s> and </s>.
 */

/*
 * Lines of more than this number of bytes are left out of the training, as by the program
 * spm_train.
 */
enum { SPM_MAX_LINE = 4192 };

struct spm_train {
	bool bpe;			/* otherwise a unigram model */
	int64_t size;			/* maximum number of entries of the vocabulary */
	double coverage;		/* fraction of the characters that get entries, at
					 * least 0.98 */
	int normalization;		/* index of spm_normalizations */

	int64_t made;			/* set by spm_train(): number of entries */
};

/*
 * The names of SentencePiece's rules of normalization.  The first one is SentencePiece's default.
 */
extern const char *const spm_normalizations[];	/* NULL-terminated */

/*
 * Trains on `lines`, UTF-8 in which each line ends with a newline, and appends the bytes of the
 * model to `model`.  Returns -1 with EXIT_USAGE and a hint if heed is built without
 * libsentencepiece, or with EXIT_INPUT if all lines are too long or blank, perhaps only after
 * normalization, or if the text has more distinct characters than the vocabulary has room for.
 */
int spm_train(struct spm_train *t, const struct buf *lines, struct buf *model,
	      struct err *e) MUST_USE;

/* Returns the number of lines of more than SPM_MAX_LINE bytes. */
int64_t spm_train_skips(const struct buf *lines);

#endif
