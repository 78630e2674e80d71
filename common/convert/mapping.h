/*
 * mapping: from which tensors of another toolkit the parameters of a model are made.
 *
 * A parameter consists of the rows of up to three tensors, one after the other, such as those for
 * queries, keys and values.  A tensor may be transposed, or have its rows in another order.  Values
 * are converted a few rows at a time while the model is written, so that they need not all be in
 * memory.
 */
#ifndef MAPPING_H
#define MAPPING_H

#include <stdbool.h>

#include "convert/weights.h"
#include "model/model.h"

struct mapping {
	struct weights *w;		/* the tensors; not owned */
	struct model *m;		/* the model with the parameters; not owned */
	struct mapped_param *list;	/* [n] */
	size_t n, room;
};

void mapping_init(struct mapping *g, struct weights *w, struct model *m);
void mapping_release(struct mapping *g);

/* How a tensor is laid out. */
struct tensor_layout {
	bool transposed;		/* the tensor is [in, out]; parameters are [out, in] */
	const int *row;			/* [rows of the parameter] for each row, the row of the
					 * tensor that it has, or -1 for zeros; NULL: the rows of
					 * the tensor from `first` on */
	int first;
};

/*
 * Makes the parameter `param`, which the model must have, from the n tensors with the names
 * `tensor[n]`, which all have this layout and give equal shares of the rows.  The layout is copied,
 * but layout->row must outlive g.  Returns -1 with EXIT_INPUT if a tensor is missing or has an
 * unsupported type, or if the shapes do not fit the parameter; a vector may be stored as a matrix
 * with one row or one column.
 */
int mapping_add(struct mapping *g, const char *param, const char *const *tensor, int n,
		const struct tensor_layout *layout, struct err *e) MUST_USE;
/* The same for one tensor that has the layout of the parameter. */
int mapping_add_one(struct mapping *g, const char *param, const char *tensor,
		    struct err *e) MUST_USE;

/*
 * Notes that no parameter is made of a tensor.  `why` is the reason, which the option --list of
 * nmt-import prints.  Does nothing if there is no such tensor, or if it is used.
 */
void mapping_ignore(struct mapping *g, const char *tensor, const char *why);

/*
 * Returns -1 with EXIT_INPUT if a tensor is neither a part of a parameter nor ignored.  Calls bug()
 * if a parameter was not added.
 */
int mapping_check(const struct mapping *g, struct err *e) MUST_USE;

/*
 * Sets `out` to elements `start` to `start` + n - 1 of parameter p, whole rows.  `arg` is the
 * struct mapping: the function is for model_save_filled() (model-file/model-file.h).  Returns -1
 * with EXIT_INPUT if a value is not finite.
 */
int mapping_fill(void *arg, const struct param *p, size_t start, size_t n, real *out,
		 struct err *e) MUST_USE;

/*
 * Appends a line for each tensor to `out`, for the option --list of nmt-import: "tensor", name,
 * type, shape and use (struct weight), separated by tabs.
 */
void mapping_list(const struct weights *w, struct buf *out);

#endif
