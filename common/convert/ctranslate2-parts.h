/*
 * ctranslate2-parts: the tokens and the tables of a model of CTranslate2, which ctranslate2.c and
 * ctranslate2-vocab.c share.
 */
#ifndef CTRANSLATE2_PARTS_H
#define CTRANSLATE2_PARTS_H

#include "convert/ctranslate2-file.h"
#include "convert/import.h"

/* Texts of the special tokens, which ct2_tokens_release() frees. */
struct ct2_tokens {
	char *unk, *bos, *eos, *start;	/* start: the first input of the decoder */
	bool source_bos, source_eos;	/* every source begins with bos, ends with eos */
	bool zero_start;		/* the decoder reads a zero vector instead of start */
};

/*
 * Reads the special tokens into t, which must be zeros, from config.json (im->conf) or, in files of
 * versions before 6, from tensors.  The caller releases t, also after an error.  Fails with
 * EXIT_INPUT if the files do not name the start token, which users of CTranslate2 then have to
 * give.  Also sets first and src_eos of im->config.
 */
int ct2_tokens_read(struct ct2_tokens *t, struct import *im, const struct ct2_file *f,
		    struct err *e) MUST_USE;
void ct2_tokens_release(struct ct2_tokens *t);

/*
 * The names of the tensors of the embeddings of a side, 0 for source and 1 for target, and of the
 * output projection: constants.  The file may lack the tensors.
 */
const char *ct2_table(const struct import *im, int side);
#define CT2_OUTPUT "decoder/projection/weight"

/*
 * Reads the vocabularies into im->ids and im->side, and sets im->one_vocab and im->config.tie.
 * Returns -1 with EXIT_INPUT if a table or a vocabulary is missing, or if a vocabulary cannot be
 * read or lacks a special token.
 */
int ct2_vocabs(struct import *im, const struct ct2_tokens *t, struct err *e) MUST_USE;

/*
 * Reads an integer setting of a side: the tensor SIDE/KEY, or, in revisions before 5, KEY.  *x is
 * unchanged if there is no such tensor.  Returns -1 with EXIT_INPUT if the tensor is not one
 * integer.
 */
int ct2_setting(const struct import *im, int side, const char *key, double *x,
		struct err *e) MUST_USE;
/* The same for a tensor of this name. */
int ct2_integer(const struct import *im, const char *tensor, double *x, struct err *e) MUST_USE;

/* The map function of import_ctranslate2. */
int ct2_map(struct import *im, struct err *e) MUST_USE;

#endif
