/* huggingface-vocab: vocabularies and special tokens of folders of Hugging Face transformers. */
#ifndef HUGGINGFACE_VOCAB_H
#define HUGGINGFACE_VOCAB_H

#include "convert/import.h"

#define HF_POSITION_OFFSET 2		/* rows before the first position of a BART table */

/* A model_type of config.json: how such models are built, and the values of absent settings. */
struct hf_kind {
	const char *type, *name;	/* model_type; `kind` of struct import */
	int positions, activation;	/* POSITIONS_* and ACTIVATION_* of struct model_config */
	bool pre_norm, embed_norm, scale;	/* scale: embeddings times sqrt(width) */
	bool t5, per_layer;		/* huggingface-t5.h; per_layer: position biases of each
					 * layer, not shared */
	bool untied;			/* the output has a table of its own */
	bool two_tables;		/* source and target never share one */
	bool pad_first;			/* decoders read padding first, not the end token */
	bool source_bos;		/* sources begin with bos_token_id */
	bool forces;			/* the search can be forced to begin with a token */
};

struct hf_special;			/* below */

/*
 * hf_vocab_open() reads the vocabulary of a side, 0 or 1, whose tables have `rows` rows, into
 * im->ids; hf_vocab_build() then builds im->side from it.  They return -1 as import_ids() and
 * vocab_side_build().
 */
int hf_vocab_open(struct import *im, int side, int rows, struct err *e) MUST_USE;
int hf_vocab_build(struct import *im, int side, int rows, const struct hf_special *s,
		   struct err *e) MUST_USE;

/* The segment function of import_huggingface. */
int hf_segment(struct import *im, struct err *e) MUST_USE;

/*
 * Spells a subword of heed as FSMT does: the inverse of what nmt-import does with the subwords of
 * FSMT.
 */
spell hf_unspell_fsmt;

/*
 * The special tokens of a folder of Hugging Face transformers: which rows they
 * are, and which of them begin sources and targets.
 *
 * The files have them twice: config.json and generation_config.json as row numbers, and
 * special_tokens_map.json and tokenizer.json as texts.  Both must agree.
 */

/*
 * The rows of the special tokens, or -1.  `start` is what the decoder reads first, and `forced`
 * what it must produce first.
 */
struct hf_special { int pad, bos, eos, unk, start, forced; };

/*
 * Sets *s to the row numbers, with defaults for those that the files lack; s->unk remains -1 until
 * hf_special_check().  Returns -1 with EXIT_INPUT if a number is not one of `rows` rows, if the
 * start is unknown, or if the search is forced to end with another token than the end token.
 */
int hf_special_read(const struct import *im, int rows, struct hf_special *s,
		    struct err *e) MUST_USE;
/*
 * Checks that the row numbers agree with the texts, by the vocabulary of the side, and sets s->unk
 * and im->first_row.  Returns -1 with EXIT_INPUT if they differ.
 */
int hf_special_check(struct import *im, int side, struct hf_special *s, struct err *e) MUST_USE;

#endif
