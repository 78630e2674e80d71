/*
 * mapping: from which tensors of another toolkit the parameters of a model are made.
 *
 * A parameter consists of the rows of up to three tensors, one after the other, such as query, key
 * and value.  Each may be transposed, or have its rows in another order.  Values are converted some
 * rows at a time while the model is written, so that memory need not hold them.
 */
#ifndef MAPPING_H
#define MAPPING_H

#include <stdbool.h>

#include "convert/weights.h"
#include "model/model.h"

struct mapping {
	struct weights *w;		/* the tensors; the caller's, as is m */
	struct model *m;
	struct mapped_param *list;	/* [n] */
	size_t n, room;
};

void mapping_init(struct mapping *g, struct weights *w, struct model *m);
void mapping_release(struct mapping *g);

/* How a tensor is laid out. */
struct tensor_layout {
	bool transposed;		/* a matrix is [in, out], a parameter [out, in] */
	const int *row;			/* [rows of the parameter] the row of the tensor that each
					 * of its rows is, or -1 for zeros; NULL: the rows from
					 * `first` on */
	int first;			/* if row is NULL: the row of the tensor that is the first
					 * row of the parameter */
};

/*
 * Makes the parameter `param`, which the model must have, from n tensors with the same layout,
 * which is copied; layout->row must outlive g.  Fails with EXIT_INPUT if a tensor is missing or has
 * an unsupported type, or if their shapes do not fit the parameter; a vector may be stored as a
 * matrix with one row.
 */
int mapping_add(struct mapping *g, const char *param, const char *const *tensor, int n,
		const struct tensor_layout *layout, struct err *e) MUST_USE;
/* The same for one tensor, whose layout is that of the parameter. */
int mapping_add_one(struct mapping *g, const char *param, const char *tensor,
		    struct err *e) MUST_USE;

/*
 * Notes that a tensor is not needed, with the reason `why` that --list prints.  Does nothing if
 * there is no such tensor.
 */
void mapping_ignore(struct mapping *g, const char *tensor, const char *why);

/*
 * Returns -1 with EXIT_INPUT if a tensor is neither mapped nor ignored; bug() if a parameter is not
 * mapped.
 */
int mapping_check(const struct mapping *g, struct err *e) MUST_USE;

/*
 * For model_save_filled(); `arg` is the mapping.  Fails with EXIT_INPUT if a value is not finite.
 */
int mapping_fill(void *arg, const struct param *p, size_t start, size_t n, real *out,
		 struct err *e) MUST_USE;

/* Lines for --list: "tensor", name, type, shape and use, separated by tabs. */
void mapping_list(const struct weights *w, struct buf *out);

#endif
