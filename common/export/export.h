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

/* The rows of a side's tables there: the entry of the vocabulary in each. */
struct export_rows {
	int *id, n;			/* id[n] */
	int pad, bos, eos, unk;		/* rows of these, or -1 */
};

enum { EXPORT_FILES = 8 };

/* What the layouts share. */
struct export {
	const struct model *m;
	const char *folder;
	bool made;			/* the folder was not there */
	struct output *file[EXPORT_FILES];
	const char *name[EXPORT_FILES];	/* their names in the folder */
	size_t n;			/* number of files */
	const char *kind;		/* "Marian", "MarianMT" ...: for messages */
	struct tensor_views views;
	struct export_rows rows[2];	/* of the source and of the target */
};

/*
 * How the files of a toolkit are written into x->folder.  to: what nmt-export --to calls it.  all:
 * the names of all files that a model can have, NULL-terminated; the toolkit loads nothing without
 * the first.
 */
struct export_layout {
	const char *name, *to, *const *all;
	/* Makes x->rows for write(); EXIT_INPUT if the toolkit cannot express the model. */
	int (*check)(struct export *x, struct err *e);
	int (*write)(struct export *x, struct err *e);
};

extern const struct export_layout export_marian, export_huggingface;

/*
 * Writes the model in this layout into a folder, which is made if it is not there.  EXIT_INPUT if
 * the layout cannot express the model, or if the folder has a file of this layout that the model
 * does not have, which the toolkit would take for a part of it.  After an error, the folder is as
 * it was.
 */
int export_model(const struct model *m, const struct export_layout *layout, const char *folder,
		 struct err *e) MUST_USE;

/* For layouts. */

/* EXIT_INPUT: the setting KEY of the model is another one than x->kind has; returns -1. */
int export_refuse(const struct export *x, const char *key, const char *expected, struct err *e);
/* The same for the settings of T5, unless all have the values of other models. */
int export_check_plain(const struct export *x, struct err *e) MUST_USE;

/* The embeddings of a side. */
const struct param *export_embeddings(const struct model *m, int side);
/* Is the entry of the target masked on output? */
bool export_masked(const struct model *m, int id);
/*
 * The entry that decoders read first: padding stands for the zero vector, and an entry that has the
 * same embedding for a <s> that is only read.
 */
int export_start(const struct model *m);
/* Is the special token left out there, since it is never an output or has no embedding? */
bool export_drops(const struct export *x, int side, int special);
/* The rows of a side: these n special tokens first, the others that are not dropped, entries. */
void export_rows(struct export *x, int side, const int *first, int n);
/*
 * Do the rows of both sides have the same embeddings, so that one table is enough?  Vocabularies
 * may differ: nmt-import gives them two tables.
 */
bool export_one_table(const struct export *x);
/* The row of an entry of the side's vocabulary, or -1. */
int export_row(const struct export *x, int side, int id);
/*
 * EXIT_INPUT if the toolkit cannot tell rows apart: if two rows have the same text, or an entry has
 * the text of one of these n special tokens, which have rows.
 */
int export_check_texts(const struct export *x, int side, spell *spelling, const int *special, int n,
		       struct err *e) MUST_USE;
/* The text of a row; `spelling`: how the toolkit writes an entry, or NULL. */
void export_text(const struct export *x, int side, int row, spell *spelling, struct buf *out);
/* A map from texts to rows, as JSON, which is also YAML if there is a line for each. */
int export_vocab(struct export *x, int side, spell *spelling, const char *name,
		 struct err *e) MUST_USE;

/* Does the output have a table of its own, and are some of its entries masked? */
bool export_masks(const struct export *x);

/*
 * The power of the length that divides log-probabilities, 1 if the search variant of the model does
 * something else: other toolkits know only this penalty.
 */
double export_length_penalty(const struct export *x);

/* A tensor that is a parameter as it is; `param` NULL or unknown: zeros. */
void export_vector(struct export *x, const char *name, const char *param, enum view_shape shape,
		   int n);
/* A table by the rows of a side. */
struct tensor_view *export_table(struct export *x, const char *name, const char *param, int side,
				 bool transposed);
/* The bias of the output by the rows of the target; `valid`: of struct tensor_view, or NULL. */
void export_output_bias(struct export *x, const char *name, const unsigned char *valid);
/* `shape`: of biases and norms. */
void export_layers(struct export *x, const struct layer_names *names, enum view_shape shape);

/* Makes the folder, if it is not there, once the model is known to fit. */
int export_folder(struct export *x, struct err *e) MUST_USE;
/* Opens a file, which x owns.  All files get their names together, when the layout is written. */
struct output *export_open(struct export *x, const char *name, struct err *e) MUST_USE;
/* Writes a small file, or a member of the model's file: codes, SentencePiece. */
int export_file(struct export *x, const char *name, const void *p, size_t n,
		struct err *e) MUST_USE;

#endif
