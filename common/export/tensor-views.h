/*
 * tensor-views: the tensors of another toolkit as views of a model's parameters, for nmt-export.
 *
 * A view selects rows of a parameter, perhaps in another order, and may transpose them.  Pruned
 * heads become zeros, because the other toolkits give every layer the same number of heads.  A view
 * computes its elements when they are written, some rows at a time.
 */
#ifndef TENSOR_VIEWS_H
#define TENSOR_VIEWS_H

#include <stdbool.h>
#include <stddef.h>

#include "model/model.h"

/* VIEW_LINE: a vector as a matrix of one row. */
enum view_shape { VIEW_MATRIX, VIEW_VECTOR, VIEW_LINE };

struct tensor_view {
	char *name;			/* of the tensor */
	const struct param *p;		/* NULL: zeros */
	enum view_shape shape;
	int rows, columns;		/* before transposition; columns is 1 for a vector */
	int first;			/* if row is NULL: the row of p that becomes row 0 */
	const int *row;			/* [rows] the row of p for each row, or -1 for zeros */
	bool transposed;
	real scale;			/* of the elements of p */
	const struct param *add;	/* a vector [columns], of which `factor` times is added to
					 * each row; or NULL */
	real factor;			/* of add */
	const unsigned char *valid;	/* [rows of p] 0: the element is VIEW_MASKED; or NULL */
};

/* The bias of a token that is masked: its probability is 0 in single precision. */
#define VIEW_MASKED ((real)-1e9)

/* How a tensor is made from a parameter; the members are those of struct tensor_view. */
struct tensor_view_layout { int first; const int *row; bool transposed; };

struct tensor_views { struct tensor_view *list; size_t n, room; };

void tensor_views_release(struct tensor_views *v);

/*
 * Adds a tensor of `rows` rows: those of p that `layout` selects, by default from row 0 on, with
 * the number of columns that p had before pruning; or zeros with `columns` columns if p is NULL.
 * `name` is copied; layout->row is the caller's and must outlive v.  The result is valid until the
 * next call.
 */
struct tensor_view *tensor_views_add(struct tensor_views *v, const char *name,
				     const struct param *p,
		       enum view_shape shape, int rows, int columns,
		       const struct tensor_view_layout *layout);

/* Stores the shape as it is written: *n_dim, 1 or 2, and the dimensions in d. */
void view_shape(const struct tensor_view *v, int *n_dim, int d[2]);
size_t tensor_view_elements(const struct tensor_view *v);
/*
 * Calls put(arg, bytes, n, e) for all bytes of the tensor in order, as little-endian numbers of
 * single precision.  Stops with -1 if put() returns that.
 */
typedef int tensor_view_put(void *arg, const void *p, size_t n, struct err *e);
int tensor_view_write(const struct tensor_view *v, tensor_view_put *put, void *arg,
		      struct err *e) MUST_USE;

#endif
