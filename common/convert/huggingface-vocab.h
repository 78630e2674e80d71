/* huggingface-vocab: the vocabularies and tokenizers of folders of Hugging Face transformers. */
#ifndef HUGGINGFACE_VOCAB_H
#define HUGGINGFACE_VOCAB_H

#include "convert/import.h"

#define HF_POSITION_OFFSET 2		/* rows of BART's tables of positions before the first */

/* A model_type of config.json: how such models are built, and the values of absent settings. */
struct hf_kind {
	const char *type, *name;
	int positions, activation;
	bool pre_norm, embed_norm, scale;
	bool two_tables;		/* source and target never share one */
	bool pad_first;			/* decoders read padding first, not the end token */
	bool source_bos;		/* sources begin with bos_token_id */
	bool forces;			/* the search can be forced to begin with a token */
};

struct hf_special;			/* huggingface-special.h */

/* Read the vocabulary of a side, whose tables have this number of rows, and build im->side. */
int hf_vocab_open(struct import *im, int side, int rows, struct err *e) MUST_USE;
int hf_vocab_build(struct import *im, int side, int rows, const struct hf_special *s,
		   struct err *e) MUST_USE;

/* The segment function of import_huggingface. */
int hf_segment(struct import *im, struct err *e) MUST_USE;

/* A subword as FSMT writes it: the inverse of how nmt-import spells FSMT's. */
spell hf_unspell_fsmt;

#endif
