/*
 * attention-picture: figures that a variant provides for head-map(1); see attention.h.
 *
 * A picture computes matrices of values.  The program labels, combines and draws them, and knows no
 * variant by name.
 */
#ifndef ATTENTION_PICTURE_H
#define ATTENTION_PICTURE_H

#include "attention/attention.h"

/* A matrix.  All members are 0 before draw(); the caller frees x, also after an error. */
struct picture_matrix {
	enum picture_axis { AXIS_SOURCE, AXIS_TARGET, AXIS_HEADS, AXIS_NAMES } rows, columns;
	int n_rows, n_columns;
	float *x;			/* [n_rows, n_columns]; NaN: a cell without a value */
	const char *title;		/* or NULL */
};

/*
 * The model that is drawn.  If the picture reads a sentence, the model has just read it, without
 * dropout or other randomness.
 */
struct picture_view {
	const struct attention_set *set;	/* all variants of the model */
	const struct attention *a;	/* the variant at this site or, if it is not active there,
					 * at its first active site; NULL if it is active at none */
	const struct site *sites, *site;	/* sites: [n_sites] all sites; site: the one to
						 * draw, or the first one for PICTURE_MODEL */
	size_t n_sites;
	int head;			/* for PICTURE_HEAD, from 1 */
	const struct batch *batch;	/* of the sentence; NULL without one */
	/*
	 * Sets a matrix to the weights [queries, keys] of a head at a site; layers and heads count
	 * from 1, and head 0 is the mean of all heads.  A pruned head has zeros.  Returns -1 with
	 * EXIT_USAGE if there is no such head, EXIT_INPUT if the sentence has no target and needs
	 * one.
	 */
	int (*weights)(const struct picture_view *v, enum site_where where, int64_t layer,
		       int64_t head, struct picture_matrix *to, struct err *e);
	void *arg;			/* of weights() */
};

struct attention_picture {
	const char *name;		/* the word after --draw */
	const char *title, *caption, *unit;	/* title and caption of the figure, and unit of its
						 * values */
	/* draw() is called once for the model, once per site, or once per head of each site. */
	enum picture_of { PICTURE_MODEL, PICTURE_SITE, PICTURE_HEAD } of;
	int n;				/* matrices of each call */
	const char *const *names;	/* labels of AXIS_NAMES, NULL-terminated; or NULL */
	unsigned sentence:1;		/* reads a sentence, otherwise only parameters */
	unsigned words:1;		/* the values are weights, which may be summed into words */
	unsigned own_range:1;		/* each matrix has its own color scale */
	/*
	 * Sets the n matrices to[0] ... to[n - 1].  Returns -1 with EXIT_USAGE if the model, or the
	 * site, has nothing to draw.
	 */
	int (*draw)(const struct picture_view *v, struct picture_matrix *to, struct err *e);
};

#endif
