/*
 * export: a model of heed as a folder that Marian or Hugging Face transformers loads.
 *
 * The tensors give the same log-probabilities there, apart from rounding.  A model that computes
 * something that the other toolkit does not have is an error, which names the setting.
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

/* The rows of the tables of a side in the other toolkit: row r has the vocabulary entry id[r]. */
struct export_rows {
	int *id, n;			/* id[n] */
	int pad, bos, eos, unk;		/* rows of these, or -1 */
};

enum { EXPORT_FILES = 8 };

/* What the layouts share. */
struct export {
	const struct model *m;
	const char *folder;
	bool made;			/* the folder did not exist before */
	struct output *file[EXPORT_FILES];
	const char *name[EXPORT_FILES];	/* their names in the folder */
	size_t n;			/* number of files */
	const char *kind;		/* "Marian", "MarianMT" and the like, for messages */
	struct tensor_views views;
	struct export_rows rows[2];	/* of the source and of the target */
};

/*
 * How the files of a toolkit are written into x->folder.  `to` is the layout's name in nmt-export
 * --to.  `all` has the names of all files that a model can have, NULL-terminated; the toolkit loads
 * nothing without the first.
 */
struct export_layout {
	const char *name, *to, *const *all;
	/*
	 * Makes x->rows for write(); returns -1 with EXIT_INPUT if the toolkit cannot express the
	 * model.
	 */
	int (*check)(struct export *x, struct err *e);
	int (*write)(struct export *x, struct err *e);
};

extern const struct export_layout export_marian, export_huggingface;

/*
 * Writes the model in this layout into a folder, which is made if it is not there.  Fails with
 * EXIT_INPUT if the layout cannot express the model, or if the folder has a file of this layout
 * that the model does not have, which the toolkit would take for a part of it.  An error leaves the
 * folder unchanged.
 */
int export_model(const struct model *m, const struct export_layout *layout, const char *folder,
		 struct err *e) MUST_USE;

/* For layouts. */

/*
 * Returns -1 with the error "KEY is VALUE, expected EXPECTED" (EXIT_INPUT), for a setting of which
 * x->kind has no other value.
 */
int export_refuse(const struct export *x, const char *key, const char *expected, struct err *e);
/*
 * Returns this error if a setting that only T5 varies does not have the value that all other models
 * have.
 */
int export_check_plain(const struct export *x, struct err *e) MUST_USE;

/* The embeddings of a side. */
const struct param *export_embeddings(const struct model *m, int side);
/* Is the entry of the target masked on output? */
bool export_masked(const struct model *m, int id);
/*
 * The entry that decoders read first.  It is the padding token if they read a zero vector.  If <s>
 * is masked on output, it is the entry with the same embedding, if there is one: nmt-import makes
 * <s> and such an entry of one row.
 */
int export_start(const struct model *m);
/*
 * Is a special token left out of the exported vocabulary, since it is never an output or has no
 * embedding?
 */
bool export_drops(const struct export *x, int side, int special);
/*
 * Makes the rows of a side: the n special tokens at `first`, then the other special tokens that
 * export_drops() does not leave out, and then all other entries.
 */
void export_rows(struct export *x, int side, const int *first, int n);
/*
 * Do the rows of both sides have the same embeddings, so that one table is enough?  Vocabularies
 * may differ: nmt-import gives them two tables.
 */
bool export_one_table(const struct export *x);
/* The row of an entry of the side's vocabulary, or -1. */
int export_row(const struct export *x, int side, int id);
/*
 * Returns -1 with EXIT_INPUT if the toolkit cannot tell rows apart: if two rows have the same text,
 * or an entry has the text of one of these n special tokens, which have rows.
 */
int export_check_texts(const struct export *x, int side, spell *spelling, const int *special, int n,
		       struct err *e) MUST_USE;
/* The text of a row; `spelling`: how the toolkit writes an entry, or NULL. */
void export_text(const struct export *x, int side, int row, spell *spelling, struct buf *out);
/* Writes a map from texts to rows as JSON with a line for each, which is also YAML. */
int export_vocab(struct export *x, int side, spell *spelling, const char *name,
		 struct err *e) MUST_USE;

/* Does the output have a table of its own, in which some entries are masked? */
bool export_masks(const struct export *x);

/*
 * The length penalty: the exponent of the length by which log-probabilities are divided.  It is 1
 * if the search variant of the model has another penalty, because other toolkits have only this
 * one.
 */
double export_length_penalty(const struct export *x);

/*
 * Adds a tensor [n] that is the parameter `param`, or zeros if `param` is NULL or the model does
 * not have it.
 */
void export_vector(struct export *x, const char *name, const char *param, enum view_shape shape,
		   int n);
/* Adds a tensor with the rows of the parameter `param` in the order of the rows of a side. */
struct tensor_view *export_table(struct export *x, const char *name, const char *param, int side,
				 bool transposed);
/*
 * Adds the bias of the output in the order of the rows of the target; `valid` is that of struct
 * tensor_view, or NULL.
 */
void export_output_bias(struct export *x, const char *name, const unsigned char *valid);
/* Adds the tensors of all layers; `shape` is that of biases and of parameters of norms. */
void export_layers(struct export *x, const struct layer_names *names, enum view_shape shape);

/* Makes the folder unless it exists; called when the checks have passed. */
int export_folder(struct export *x, struct err *e) MUST_USE;
/* Opens a file, which x owns.  All files get their names together, when the layout is written. */
struct output *export_open(struct export *x, const char *name, struct err *e) MUST_USE;
/* Writes a file of n bytes, such as BPE codes or a SentencePiece model. */
int export_file(struct export *x, const char *name, const void *p, size_t n,
		struct err *e) MUST_USE;

#endif
