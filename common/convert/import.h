/*
 * import: reads a model of another toolkit, and writes it as a model of heed.
 *
 * The models are Marian's .npz with its vocabularies and decoder.yml, folders of Hugging Face
 * transformers with safetensors (MarianMT, FSMT, M2M100 and NLLB, BART and mBART-50, T5 and its
 * successors), and folders of CTranslate2.  If the Transformer of heed does not support a setting
 * of the model, the import fails with a message that names the setting and its value.
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
	const char *first_src, *first_tgt;	/* first token of each source, of each target; or
						 * NULL */
	bool src_eos;			/* sources end with </s>, whatever the files say */
};

/*
 * A model while it is imported.  A layout (below) fills the members from the files of the other
 * toolkit.
 */
struct import {
	const struct import_settings *set;
	char *folder, *file;		/* file: the .npz, .safetensors or model.bin, or NULL */
	const struct import_layout *layout;
	const char *kind;		/* "marian", "MarianMT" ...: the model's preset */
	const struct hf_kind *hf;	/* for models of Hugging Face (huggingface-vocab.h) */
	struct conf conf;		/* model.yml or config.json */
	struct conf search;		/* decoder.yml or generation_config.json, if there is one */
	struct weights weights;		/* the tensors of the files */
	struct model_config config;
	struct recipe recipe;
	int first_row[2];		/* the row of the first token of each source and of each
					 * target, or -1 */
	bool one_vocab;			/* the target has the vocabulary of the source */
	bool bytes;			/* entries are bytes: ByT5 */
	char *attention;		/* an attention variant with its settings, or NULL */
	struct ids ids[2];		/* the texts of the rows of source and target */
	struct vocab_side side[2];	/* the vocabularies of source and target */
	struct model *m;		/* the imported model */
	struct mapping map;		/* how its parameters are made from the tensors */
	struct buf notes;		/* lines for the user */
	struct buf assumed;		/* names of settings that conf lacks, and whose defaults are
					 * used (struct conf in exchange/conf.h) */
	struct buf checked;		/* lines: facts that were checked, because two places of the
					 * files have them */
};

/* How the files of a toolkit are read.  The functions return -1 with an error. */
struct import_layout {
	const char *name;
	/*
	 * Opens the files, and sets the members kind, conf, weights, config, recipe, ids and side
	 * of im.
	 */
	int (*read)(struct import *im, struct err *e);
	/* Adds to im->map the tensors of which each parameter of im->m is made. */
	int (*map)(struct import *im, struct err *e);
	/* Adds the BPE codes and SentencePiece models of the files to im->m. */
	int (*segment)(struct import *im, struct err *e);
};

extern const struct import_layout import_marian, import_huggingface, import_ctranslate2;

/*
 * Reads everything except the values of tensors.  `set` must outlive im.  Afterwards, im->m is the
 * model, without values of its parameters, and im->weights has the tensors and the parameters that
 * are made of them.  After an error, im->weights has the tensors that were read before.  Call
 * import_close() in any case.
 */
int import_open(struct import *im, const struct import_settings *set, struct err *e) MUST_USE;
/*
 * Writes the model with its values to `path`.  If im->m->int8 is set, matrices are stored as 8-bit
 * integers (model-file/model-file.h).  Returns -1 if the file cannot be written, or if
 * mapping_fill() fails.
 */
int import_write(struct import *im, const char *path, struct err *e) MUST_USE;
void import_close(struct import *im);

/* The following functions are for layouts. */

#define POSITION_ERROR 2e-3		/* exceeds the rounding errors of sinusoids in 16 bits */

/* Sets the hint of e to a command that converts the PyTorch file `name` to safetensors. */
void import_hint_pickle(const char *name, struct err *e);
/* Adds a line to im->notes. */
void import_note(struct import *im, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* Adds a line to im->checked. */
void import_checked(struct import *im, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* Does im->folder have a file or folder with this name? */
bool import_has(const struct import *im, const char *name);
/*
 * Opens the settings in the file `name` of im->folder; without such a file, *c is empty.  Returns
 * -1 as conf_open_in() (exchange/conf.h), and *c is then empty, too.
 */
int import_conf(const struct import *im, struct conf *c, const char *name, struct err *e) MUST_USE;
/*
 * Reads a vocabulary into im->ids[side] by ids_open(): from the file that the user named for this
 * side, which may be of any kind, or else from the file `name`, of this kind, in im->folder.
 * Returns -1 if ids_open() fails or the file is missing.
 */
int import_ids(struct import *im, int side, const char *name, enum ids_kind kind, int rows,
	       struct err *e) MUST_USE;
/*
 * Call one of these functions after vocab_side_build().  If embeddings have rows for which the
 * vocabulary has no entry, import_note_rows() adds a note.  import_all_rows() is for toolkits whose
 * models never have such rows: it then returns -1 with EXIT_INPUT, unless the user named the
 * vocabulary.
 */
void import_note_rows(struct import *im, int side);
int import_all_rows(struct import *im, int side, struct err *e) MUST_USE;
/*
 * Sets the SentencePiece model of a side of im->m to the file `name` in im->folder.  Does nothing
 * if there is no such file.  Returns -1 with EXIT_SYSTEM if the file cannot be read, and with
 * EXIT_INPUT if it is malformed; the message names the file.
 */
int import_spm(struct import *im, int side, const char *name, struct err *e) MUST_USE;
/* The same for the file at `path`, which must exist. */
int import_spm_at(struct import *im, int side, const char *path, struct err *e) MUST_USE;
/*
 * Sets the BPE codes of im->m to the file `name` in im->folder, as import_spm() does.  If the file
 * begins without a "#version" line, `version`, such a line with its line end, is put before its
 * text.
 */
int import_codes(struct import *im, const char *name, const char *version,
		 struct err *e) MUST_USE;

/*
 * Adds the parameters of all layers to im->map, and of the parts of both sides that a model with
 * im->config has, with the tensors that have these names.  This function and the following ones
 * return -1 with EXIT_INPUT if mapping_add() fails: a tensor is missing, or does not fit its
 * parameter.
 */
int import_layers(struct import *im, const struct layer_names *names, struct err *e) MUST_USE;

/*
 * Adds the parameter `param` to im->map, whose rows are those of the tensor `tensor` in another
 * order.  The rows of the tensor are in the order of im->ids[side], and the rows of the parameter
 * in the order of the vocabulary of heed.  `transposed`: the tensor has a column for each entry,
 * not a row.
 */
int import_table(struct import *im, const char *param, const char *tensor, int side,
		 bool transposed, struct err *e) MUST_USE;
/*
 * Calls import_table() for the tensors `source`, `target` and `output`: source embeddings, target
 * embeddings and output projection.  Tensors that im->config.tie makes one parameter are added
 * once; `output` is used only with TIE_NONE.  `transposed`: the output tensor has a column for each
 * entry, not a row.
 */
int import_tables(struct import *im, const char *source, const char *target, const char *output,
		  bool transposed, struct err *e) MUST_USE;

#endif
