/*
 * export: writes a model of heed as a folder that Marian or Hugging Face transformers can load.
 *
 * In the other toolkit, the exported model has the same log-probabilities, apart from rounding.  If
 * the toolkit cannot express a setting of the model, this is an error that names the setting.
 */
#ifndef EXPORT_H
#define EXPORT_H

#include "base/buf.h"
#include "base/err.h"
#include "base/output.h"
#include "convert/layer-names.h"
#include "export/tensor-views.h"
#include "convert/vocab-side.h"
#include "model/model.h"

/*
 * The rows of the embedding table of a side, source or target, in the other toolkit.  Row r is that
 * of the vocabulary entry id[r] of heed.
 */
struct export_rows {
	int *id, n;			/* id is an array [n] */
	int pad, bos, eos, unk;		/* rows of the special tokens; -1: none */
};

enum { EXPORT_FILES = 8 };

/* The state of an export. */
struct export {
	const struct model *m;
	const char *folder;
	bool made;			/* the folder did not exist before, and has been made */
	struct output *file[EXPORT_FILES];
	const char *name[EXPORT_FILES];	/* names of the files in the folder */
	size_t n;			/* number of files */
	const char *kind;		/* of the exported model, such as "Marian" or "MarianMT",
					 * for messages */
	struct tensor_views views;
	struct export_rows rows[2];	/* [0] of the source, [1] of the target */
};

/*
 * How the files of a toolkit are written.  `to` is the name of the layout for nmt-export --to.
 * `all` has the names of all files that a model can have in this layout, then NULL; without the
 * first of these files, the toolkit cannot load the folder.
 */
struct export_layout {
	const char *name, *to, *const *all;
	/*
	 * check() makes x->rows for write(), and returns -1 with EXIT_INPUT if the toolkit cannot
	 * express the model.  write() writes the files into x->folder.
	 */
	int (*check)(struct export *x, struct err *e);
	int (*write)(struct export *x, struct err *e);
};

extern const struct export_layout export_marian, export_huggingface;

/*
 * Writes a model in a layout into a folder, which is made if it does not exist.  Returns -1 with
 * EXIT_INPUT if the layout cannot express the model.  Returns -1 with EXIT_INPUT also if the folder
 * already has a file of this layout that the exported model does not have: the toolkit would take
 * this file for a part of the model.  After these errors, the folder is unchanged.
 */
int export_model(const struct model *m, const struct export_layout *layout, const char *folder,
		 struct err *e) MUST_USE;

/*
 * The functions below are for the files that implement layouts.  `side` is 0 for the source and 1
 * for the target.  A row is one of struct export_rows; an entry, given by its id, is one of the
 * vocabulary.
 */

/*
 * For a setting of the model that x->kind cannot express: sets the error "KEY is VALUE, expected
 * EXPECTED" with EXIT_INPUT, and returns -1.
 */
int export_refuse(const struct export *x, const char *key, const char *expected, struct err *e);
/* Settings that x->kind asks for: calls export_refuse() for the first one that is not so. */
struct export_asked { const char *key, *expected; bool is; };
int export_ask(const struct export *x, const struct export_asked *asked, size_t n,
	       struct err *e) MUST_USE;
/*
 * Returns -1 with the error of export_refuse() if a setting that only T5 can vary does not have the
 * value that is fixed in all other kinds.
 */
int export_check_plain(const struct export *x, struct err *e) MUST_USE;

/* The parameter with the embeddings of a side. */
const struct param *export_embeddings(const struct model *m, int side);
/*
 * Whether the model's output_mask excludes the target entry `id`, so that its probability is always
 * 0.
 */
bool export_masked(const struct model *m, int id);
/*
 * The id of the target entry that the decoder of the other toolkit reads first.  This is <s> or
 * </s> if the decoder of `m` begins with this token, and the padding token if it begins with a
 * vector of zeros.  But if the decoder begins with <s>, and <s> is masked on output, the result is
 * the entry with the same embedding as <s>, if there is one: nmt-import makes both from one row.
 */
int export_start(const struct model *m);
/*
 * Whether the special token `special` is left out of the exported vocabulary, because it can never
 * be an output or has no embedding.
 */
bool export_drops(const struct export *x, int side, int special);
/*
 * Makes the rows of a side: first the `n` entries in `first`, then the other special tokens
 * for which export_drops() is false, and then all other entries.
 */
void export_rows(struct export *x, int side, const int *first, int n);
/*
 * Whether the rows of both sides have the same embeddings, so that one table is enough.  This may
 * be so even if the model has two tables, as nmt-import makes them for vocabularies that differ.
 */
bool export_one_table(const struct export *x);
/* The row of entry `id` of a side; -1 if there is no such row. */
int export_row(const struct export *x, int side, int id);
/*
 * Returns -1 with EXIT_INPUT if the toolkit could not tell rows apart by their texts, as
 * export_text() writes them: if two rows have the same text, or if an entry that is not special has
 * the text of one of the `n` special tokens in `special` that have rows.
 */
int export_check_texts(const struct export *x, int side, spell *spelling, const int *special, int n,
		       struct err *e) MUST_USE;
/*
 * Appends the text of a row.  `spelling` is a function that writes an entry as the toolkit does
 * (convert/vocab-side.h); NULL: as heed.  A special token whose text is also that of an entry
 * becomes <row-N>.
 */
void export_text(const struct export *x, int side, int row, spell *spelling, struct buf *out);
/*
 * Writes the file `name`, a map from the texts of a side to its rows, with a line for each row, as
 * YAML if `name` has ".yml", else as JSON.  Returns -1 if the file cannot be written.
 */
int export_vocab(struct export *x, int side, spell *spelling, const char *name,
		 struct err *e) MUST_USE;

/* Whether some rows of the target are masked on output. */
bool export_masks(const struct export *x);

/*
 * The length penalty for the other toolkit: log-probabilities are divided by the length to this
 * power.  If the search variant of the model has a penalty of another form, which the toolkits do
 * not have, the result is 1.
 */
double export_length_penalty(const struct export *x);

/*
 * Adds a tensor with the rows of the parameter `param` in the order of the rows of a side.  The
 * result is valid until the next tensor is added.
 */
struct tensor_view *export_table(struct export *x, const char *name, const char *param, int side,
				 bool transposed);
/*
 * Adds the bias of the output layer in the order of the rows of the target.  `valid` is that of
 * struct tensor_view (tensor-views.h), or NULL.
 */
void export_output_bias(struct export *x, const char *name, const unsigned char *valid);
/*
 * Adds the tensors of all layers, named by `names` (convert/layer-names.h).  `shape` is the shape
 * of biases and of the parameters of normalizations.
 */
void export_layers(struct export *x, const struct layer_names *names, enum view_shape shape);
/* Adds the tensor of a norm outside layers, of a side. */
void export_side(struct export *x, const struct layer_names *names, enum side_part part, int side,
		 enum view_shape shape);

/*
 * Makes x->folder unless it exists.  Call it when all checks have passed.  Returns -1 with
 * EXIT_SYSTEM if this fails.
 */
int export_folder(struct export *x, struct err *e) MUST_USE;
/*
 * Opens a new file of the folder, which `x` owns.  All files appear under their names together,
 * after write() has returned 0.  Returns NULL if the file cannot be opened.
 */
struct output *export_open(struct export *x, const char *name, struct err *e) MUST_USE;
/*
 * Writes a file with the `n` bytes at `p`, such as BPE codes or a SentencePiece model.  Returns -1
 * if the file cannot be written.
 */
int export_file(struct export *x, const char *name, const void *p, size_t n,
		struct err *e) MUST_USE;

#endif
