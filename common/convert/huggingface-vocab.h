/*
 * huggingface-vocab: reads vocabularies and special tokens from folders of Hugging Face
 * transformers.
 */
#ifndef HUGGINGFACE_VOCAB_H
#define HUGGINGFACE_VOCAB_H

#include "convert/import.h"

/*
 * What follows from the model_type in config.json: how models of this type are built, and the
 * values of settings that config.json lacks.
 */
struct hf_kind {
	const char *type, *name;	/* model_type; `kind` of struct import */
	int positions, activation;	/* POSITIONS_* and ACTIVATION_* of struct model_config */
	bool pre_norm, embed_norm, scale;	/* scale: embeddings times sqrt(width) */
	bool t5, per_layer;		/* t5: see huggingface-t5.h; per_layer: each layer has
					 * position biases of its own */
	bool untied;			/* the output has a table of its own */
	bool two_tables;		/* source and target never share one */
	bool pad_first;			/* decoders read padding first, not the end token */
	bool source_bos;		/* sources begin with bos_token_id */
	bool forces;			/* the search can be forced to begin with a token */
};

struct hf_special;			/* below */

/*
 * hf_vocab_open() reads the vocabulary of `side`, 0 for the source or 1 for the target, into
 * im->ids[side].  `rows` is the number of rows of its embeddings.  hf_vocab_build() then builds
 * im->side[side] from it, with the special tokens s.  Both return -1 if import_ids() or
 * vocab_side_build() fails.
 */
int hf_vocab_open(struct import *im, int side, int rows, struct err *e) MUST_USE;
int hf_vocab_build(struct import *im, int side, int rows, const struct hf_special *s,
		   struct err *e) MUST_USE;

/* The function `segment` of the layout import_huggingface (import.h). */
int hf_segment(struct import *im, struct err *e) MUST_USE;

/*
 * Spells a subword of heed as FSMT does: FSMT marks the last subword of a word by </w>, where heed
 * marks all other subwords by @@.  nmt-import does the inverse.
 */
spell hf_unspell_fsmt;

/*
 * The special tokens of a model: which rows of the embeddings they have, and which of them begin
 * sources and targets.
 *
 * A folder has the special tokens twice: as row numbers in config.json and generation_config.json,
 * and as texts in special_tokens_map.json and tokenizer.json.  Row numbers and texts must agree.
 */

/*
 * The rows of the special tokens; -1 for a token that the model does not have.  `start` is the
 * token that the decoder reads first, and `forced` the token that the search must produce first.
 */
struct hf_special { int pad, bos, eos, unk, start, forced; };

/*
 * Sets *s to the row numbers in the files, or to defaults where the files lack them, except s->unk,
 * which hf_special_check() sets.  `rows` is the number of rows of the embeddings.  Returns -1 with
 * EXIT_INPUT if a number is not that of a row, if the start token is unknown, or if the search is
 * forced to end with another token than the end token.
 */
int hf_special_read(const struct import *im, int rows, struct hf_special *s,
		    struct err *e) MUST_USE;
/*
 * Checks that the row numbers agree with the texts, which the vocabulary im->ids[side] maps to
 * rows.  Sets s->unk and im->first_row.  Returns -1 with EXIT_INPUT if they do not agree.
 */
int hf_special_check(struct import *im, int side, struct hf_special *s, struct err *e) MUST_USE;

#endif
