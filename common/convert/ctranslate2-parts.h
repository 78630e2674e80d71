/*
 * ctranslate2-parts: special tokens, vocabularies and settings of a model of CTranslate2, for the
 * files ctranslate2.c and ctranslate2-vocab.c.
 */
#ifndef CTRANSLATE2_PARTS_H
#define CTRANSLATE2_PARTS_H

#include "convert/ctranslate2-file.h"
#include "convert/import.h"

/*
 * The texts of the special tokens, and how the model uses them.  ct2_tokens_release() frees the
 * texts.
 */
struct ct2_tokens {
	char *unk, *bos, *eos, *start;	/* start: the first input of the decoder */
	bool source_bos, source_eos;	/* every source begins with bos; every source ends with
					 * eos */
	bool zero_start;		/* the decoder reads a zero vector instead of start */
};

/*
 * Sets t, which must be all zeros, to the special tokens in config.json (im->conf) or, for a
 * model.bin of a version before 6, in tensors.  Also sets `first` and `src_eos` of im->config.  The
 * caller releases t, also after an error.  Returns -1 with EXIT_INPUT if the files do not name the
 * start token; users of CTranslate2 then have to give it with each source.
 */
int ct2_tokens_read(struct ct2_tokens *t, struct import *im, const struct ct2_file *f,
		    struct err *e) MUST_USE;
void ct2_tokens_release(struct ct2_tokens *t);

/*
 * ct2_table() returns the name, a constant, of the tensor with the embeddings of a side: 0 is the
 * source, 1 the target.  CT2_OUTPUT is the name of the tensor of the output projection.  The file
 * may lack the tensors.
 */
const char *ct2_table(const struct import *im, int side);
#define CT2_OUTPUT "decoder/projection/weight"

/*
 * Reads the vocabularies into im->ids and im->side, and sets im->one_vocab and im->config.tie.
 * Returns -1 with EXIT_INPUT if a tensor of embeddings or a vocabulary is missing, or if a
 * vocabulary cannot be read or lacks a special token.
 */
int ct2_vocabs(struct import *im, const struct ct2_tokens *t, struct err *e) MUST_USE;

/*
 * Sets *x to an integer setting of a side: to the element of the tensor encoder/KEY or decoder/KEY
 * or, in revisions before 5, of the tensor KEY.  *x is unchanged if there is no such tensor.
 * Returns -1 with EXIT_INPUT if the tensor is not a single integer.
 */
int ct2_setting(const struct import *im, int side, const char *key, double *x,
		struct err *e) MUST_USE;
/* The same for the tensor with the name `tensor`. */
int ct2_integer(const struct import *im, const char *tensor, double *x, struct err *e) MUST_USE;

/* The function `map` of the layout import_ctranslate2 (import.h). */
int ct2_map(struct import *im, struct err *e) MUST_USE;

#endif
