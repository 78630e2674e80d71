/*
 * import: a model of another toolkit as a model of heed.
 *
 * It reads Marian's .npz with its vocabularies and decoder.yml, folders of Hugging Face
 * transformers with safetensors (MarianMT, FSMT, M2M100 and NLLB, BART and mBART-50, T5 and its
 * successors), and folders of CTranslate2.  A setting that the Transformer of heed does not have is
 * an error, which names it and its value.
 */
#ifndef IMPORT_H
#define IMPORT_H

#include "convert/ids.h"
#include "convert/layer-names.h"
#include "convert/mapping.h"
#include "convert/vocab-side.h"
#include "exchange/conf.h"
#include "model/model.h"

/* The arguments of nmt-import. */
struct import_settings {
	const char *path;		/* a file or a folder */
	const char *const *vocab;	/* [n_vocab] files: one for both sides, or one for each;
					 * n_vocab 0: those of the model */
	size_t n_vocab;
	const char *first_src, *first_tgt;	/* or NULL */
	bool src_eos;			/* sources end with </s>, whatever the files say */
};

/* Facts of a model while it is read; a layout fills them from the other toolkit's files. */
struct import {
	const struct import_settings *set;
	char *folder, *file;		/* file: the .npz, .safetensors or model.bin, or NULL */
	const struct import_layout *layout;
	const char *kind;		/* "marian", "MarianMT" ...: the model's preset */
	const struct hf_kind *hf;	/* of Hugging Face; huggingface-vocab.h */
	struct conf conf;		/* model.yml or config.json */
	struct conf search;		/* decoder.yml or generation_config.json, if there is one */
	struct weights weights;		/* the tensors of the files */
	struct model_config config;
	struct recipe recipe;
	int first_row[2];		/* the first token of each source and target, or -1 */
	bool one_vocab;			/* the target has the vocabulary of the source */
	bool bytes;			/* entries are bytes: ByT5 */
	char *attention;		/* spec of an attention variant, or NULL */
	struct ids ids[2];		/* the texts of the rows of source and target */
	struct vocab_side side[2];	/* the vocabularies of source and target */
	struct model *m;		/* the imported model */
	struct mapping map;		/* how its parameters are made from the tensors */
	struct buf notes;		/* lines for the user */
	struct buf assumed;		/* names of settings that conf lacks, and whose defaults are
					 * used; see struct conf */
	struct buf checked;		/* lines: facts on which two places of the files agree */
};

/* How the files of a toolkit are read. */
struct import_layout {
	const char *name;
	/* Opens files; fills kind, conf, weights, config, recipe, ids and side. */
	int (*read)(struct import *im, struct err *e);
	/* Maps all tensors to parameters of im->m, which exists, but has no values yet. */
	int (*map)(struct import *im, struct err *e);
	/* Adds BPE codes and SentencePiece models to im->m. */
	int (*segment)(struct import *im, struct err *e);
};

extern const struct import_layout import_marian, import_huggingface, import_ctranslate2;

/*
 * Reads everything except the values of tensors.  Then im->m is the model without values, and
 * im->weights lists the tensors with the parameters they become.  After an error, im->weights has
 * what was read before it.  Call import_close() in any case.
 */
int import_open(struct import *im, const struct import_settings *set, struct err *e) MUST_USE;
/*
 * Writes the model, with the values of the tensors; im->m->int8 chooses 8-bit integers
 * (model-file.h).  Returns -1 if the file cannot be written, and as mapping_fill().
 */
int import_write(struct import *im, const char *path, struct err *e) MUST_USE;
void import_close(struct import *im);

/* For layouts. */

#define POSITION_ERROR 2e-3		/* the errors of sinusoids stored in 16 bits are smaller */

/* Adds a hint with the line of Python that converts a file of PyTorch. */
void import_hint_pickle(const char *name, struct err *e);
/* Adds a line to im->notes. */
void import_note(struct import *im, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* Adds a line to im->checked. */
void import_checked(struct import *im, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* Is there a file or folder of this name in the folder? */
bool import_has(const struct import *im, const char *name);
/*
 * Calls ids_open() for im->ids[side] and the file `name` in the folder, of this kind, or the file
 * that the user named for this side, which may be of any kind.  Returns -1 as ids_open(), or if the
 * file is missing.
 */
int import_ids(struct import *im, int side, const char *name, enum ids_kind kind, int rows,
	       struct err *e) MUST_USE;
/*
 * Call one of these after vocab_side_build(), for rows of the embeddings without an entry in the
 * vocabulary.  import_note_rows() adds a note.  import_all_rows() is for toolkits whose models
 * never have such rows: it returns -1 with EXIT_INPUT, unless the user named the vocabulary.
 */
void import_note_rows(struct import *im, int side);
int import_all_rows(struct import *im, int side, struct err *e) MUST_USE;
/*
 * Sets the SentencePiece model of a side of im->m from a file in the folder; does nothing if there
 * is no such file.  Returns -1 and e, which names the file, if it cannot be read, or is malformed
 * (EXIT_INPUT).
 */
int import_spm(struct import *im, int side, const char *name, struct err *e) MUST_USE;
/* The same for a file with this path, which must exist. */
int import_spm_at(struct import *im, int side, const char *path, struct err *e) MUST_USE;
/*
 * Sets the BPE codes of im->m in the same way.  `version` is put before the text as the first line
 * if the file begins with a merge.
 */
int import_codes(struct import *im, const char *name, const char *version,
		 struct err *e) MUST_USE;

/*
 * Maps the tensors of all layers.  This function and the next ones return -1 as mapping_add(), with
 * EXIT_INPUT if a tensor is missing or does not fit.
 */
int import_layers(struct import *im, const struct layer_names *names, struct err *e) MUST_USE;

/* The ends of the names of the tensors that a side has outside its layers. */
struct side_tensors {
	const char *gain, *bias;	/* of the final norm; bias may be NULL */
	const char *embed_gain, *embed_bias;	/* of the norm after the embeddings */
	const char *positions;		/* if they are trained */
	int first;			/* the row of the first position */
};
/*
 * Maps those of these tensors that a model with im->config needs.  The names of the tensors of the
 * encoder begin with side[0], those of the decoder with side[1].
 */
int import_sides(struct import *im, const char *const side[2], const struct side_tensors *t,
		 struct err *e) MUST_USE;

/*
 * Maps the tensor of a table, whose rows are in the order of im->ids[side], to the parameter
 * `param`, whose rows are in the order of the vocabulary of heed.
 */
int import_table(struct import *im, const char *param, const char *tensor, int side,
		 bool transposed, struct err *e) MUST_USE;
/*
 * Maps the tables of source embeddings, target embeddings and output to their parameters, or fewer
 * where config.tie makes them one; see import_table().  `output` is used only with TIE_NONE.
 * `transposed`: the output table has a column, not a row, for each entry.
 */
int import_tables(struct import *im, const char *source, const char *target, const char *output,
		  bool transposed, struct err *e) MUST_USE;

#endif
