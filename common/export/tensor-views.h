/*
 * tensor-views: tensors of another toolkit as views of the parameters of a model, for
 * nmt-export(1).
 *
 * A view selects rows of a parameter, possibly in another order, and may transpose the result.
 * Pruned heads become zeros, because in the other toolkits all layers have the same number of
 * heads.  The elements of a view are computed when they are written, some rows at a time.
 */
#ifndef TENSOR_VIEWS_H
#define TENSOR_VIEWS_H

#include <stdbool.h>
#include <stddef.h>

#include "model/model.h"

/* VIEW_LINE is a vector that is written as a matrix of one row. */
enum view_shape { VIEW_MATRIX, VIEW_VECTOR, VIEW_LINE };

struct tensor_view {
	char *name;			/* name of the tensor */
	const struct param *p;		/* the parameter; NULL: all elements are 0 */
	enum view_shape shape;
	int rows, columns;		/* before transposition; `columns` is 1 for a vector */
	int first;			/* if `row` is NULL: rows `first`, `first` + 1, ... of p are
					 * selected */
	const int *row;			/* [rows] for each row of the tensor the row of p; -1: a row
					 * of zeros */
	bool transposed;
	real scale;			/* factor of the elements of p */
	const struct param *add;	/* NULL, or a vector [columns]: `factor` times this vector
					 * is added to each row */
	real factor;			/* factor of `add` */
	const unsigned char *valid;	/* [rows of p] 0: the element for this row of p is
					 * VIEW_MASKED; NULL: no such elements */
};

/* The bias of a token that is masked: its probability is then 0 in single precision. */
#define VIEW_MASKED ((real)-1e9)

/* Members of struct tensor_view that tell how a tensor is made from a parameter. */
struct tensor_view_layout { int first; const int *row; bool transposed; };

struct tensor_views { struct tensor_view *list; size_t n, room; };

void tensor_views_release(struct tensor_views *v);

/*
 * Adds a tensor with `rows` rows.  They are the rows of `p` that `layout` selects; NULL selects
 * rows from 0 on.  They have the number of columns of `p` before pruning.  If `p` is NULL, the
 * tensor has zeros in `columns` columns.  `name` is copied; layout->row is not copied and must
 * outlive `v`.  The result is valid until the next call; the caller may change its other members.
 */
struct tensor_view *tensor_views_add(struct tensor_views *v, const char *name,
				     const struct param *p,
		       enum view_shape shape, int rows, int columns,
		       const struct tensor_view_layout *layout);

/*
 * Stores the shape of the tensor as it is written, after transposition: the number of dimensions, 1
 * or 2, in *n_dim, and their lengths in `d`.
 */
void view_shape(const struct tensor_view *v, int *n_dim, int d[2]);
size_t tensor_view_elements(const struct tensor_view *v);
/*
 * Passes the elements of the tensor in order to put(), as little-endian float32.  put() gets `arg`
 * and the next `n` bytes at `p` in each call.  Stops and returns -1 if put() does.
 */
typedef int tensor_view_put(void *arg, const void *p, size_t n, struct err *e);
int tensor_view_write(const struct tensor_view *v, tensor_view_put *put, void *arg,
		      struct err *e) MUST_USE;

#endif
