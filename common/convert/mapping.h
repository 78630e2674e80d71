/*
 * mapping: which tensors of another toolkit the parameters of a model are made of.
 *
 * A parameter is made of up to three tensors, one below the other (query, key and value), each
 * perhaps transposed, or with its rows in another order.  Values are converted some rows at a time
 * while the model is written, so that memory need not hold them.
 */
#ifndef MAPPING_H
#define MAPPING_H

#include <stdbool.h>

#include "convert/weights.h"
#include "model/model.h"

struct mapping {
	struct weights *w;
	struct model *m;
	struct mapped_param *list;	/* [n] */
	size_t n, room;
};

void mapping_init(struct mapping *g, struct weights *w, struct model *m);
void mapping_release(struct mapping *g);

/* How a tensor is laid out. */
struct tensor_layout {
	bool transposed;		/* a matrix is [in, out], a parameter [out, in] */
	const int *row;			/* the tensor's row of each parameter row; -1: zeros */
	int first;			/* without row: the tensor's row for the first one */
};

/*
 * The parameter is made of these n tensors, all in this layout.  Fails with EXIT_INPUT if one is
 * not there, has an unsupported type, or does not have the shape of the parameter; a vector may be
 * a matrix of one row.  The model must have the parameter.
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
