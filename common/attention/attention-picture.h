/*
 * attention-picture: figures that an attention variant (attention.h) provides for head-map(1).
 *
 * A picture is a function of the variant that computes matrices of values.  The program labels,
 * combines and draws the matrices without knowing the variant.
 */
#ifndef ATTENTION_PICTURE_H
#define ATTENTION_PICTURE_H

#include "attention/attention.h"

/*
 * A matrix that draw() sets, with what its rows and columns are.  All members are 0 before draw().
 * draw() allocates `x`, and its caller frees `x`, also after an error.
 */
struct picture_matrix {
	enum picture_axis { AXIS_SOURCE, AXIS_TARGET, AXIS_HEADS, AXIS_NAMES } rows, columns;
	int n_rows, n_columns;
	float *x;			/* [n_rows, n_columns]; NaN: a cell without a value */
	const char *title;		/* of this matrix in the figure; or NULL */
};

/*
 * What draw() may read: the model and, if the picture needs a sentence, the results of a pass over
 * the sentence without dropout or other randomness.
 */
struct picture_view {
	const struct attention_set *set;	/* all variants of the model */
	const struct attention *a;	/* the variant at `site` or, if it is not active there, at
					 * its first active site; NULL if it is active at no site */
	const struct site *sites, *site;	/* [n_sites] all attention layers of the model; the
						 * one to draw, for PICTURE_MODEL the first */
	size_t n_sites;
	int head;			/* the head to draw, from 1, for PICTURE_HEAD */
	const struct batch *batch;	/* the batch of the sentence; NULL without one */
	/*
	 * Sets a matrix to the attention weights [queries, keys] of a head.  The site is given by
	 * its kind and layer; layers and heads count from 1.  Head 0 means the mean of all heads,
	 * and a pruned head has zeros.  Calls bug() if there is no such layer.  Returns -1 with
	 * EXIT_USAGE if there is no such head, and with EXIT_INPUT if the site needs a target and
	 * the sentence is without.
	 */
	int (*weights)(const struct picture_view *v, enum site_where where, int64_t layer,
		       int64_t head, struct picture_matrix *to, struct err *e);
	void *arg;			/* private to weights() */
};

struct attention_picture {
	const char *name;		/* the name for --draw of head-map(1) */
	const char *title, *caption, *unit;	/* of the figure; `unit` is that of its values */
	/* draw() is called once for the model, once per site, or once per head of each site. */
	enum picture_of { PICTURE_MODEL, PICTURE_SITE, PICTURE_HEAD } of;
	int n;				/* number of matrices that each call sets */
	const char *const *names;	/* labels of rows or columns of AXIS_NAMES, then NULL; or
					 * NULL */
	unsigned sentence:1;		/* draw() reads a sentence; otherwise it reads only
					 * parameters */
	unsigned words:1;		/* the values are attention weights of subwords, which may
					 * be summed into those of words */
	unsigned own_range:1;		/* each matrix has its own color scale */
	/*
	 * Sets the matrices to[0] ... to[n - 1].  Returns -1 with EXIT_USAGE if the model or the
	 * site has nothing to draw.
	 */
	int (*draw)(const struct picture_view *v, struct picture_matrix *to, struct err *e);
};

#endif
