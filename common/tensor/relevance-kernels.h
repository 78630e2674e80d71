/*
 * relevance-kernels: kernels (kernels.h) of layer-wise relevance propagation (struct lrp of
 * tape/op.h).  Those without another file name are in kernels-relevance.c.  The relevance R of an
 * output is distributed over its n inputs in proportion to their contributions z_i.  z is the
 * sum of all contributions.
 *
 *   epsilon     Input i gets R z_i / (z + eps sign z).
 *   signs       alpha R is distributed over the positive contributions in proportion to their
 *               size, and beta R over the negative ones.  If all have the same sign, they get all
 *               of R.
 *   halves      Like signs, but the part of a missing sign is lost, and sums are moved away from 0
 *               by eps.
 *
 * If z is 0 (epsilon), or all contributions are 0 (signs, halves), every input gets R / n.  epsilon
 * is the rule if `signs` and `halves` are false.  The share of an input in an output is the
 * relevance that it receives if R is 1.  A plane has the relevance of one seed, that is, of one
 * output element of the model at which relevance starts.
 */
#ifndef RELEVANCE_KERNELS_H
#define RELEVANCE_KERNELS_H

#include <stdbool.h>
#include <stddef.h>

#include "tensor/kernels.h"

struct share {
	bool signs, halves;
	real eps, alpha, beta;		/* alpha + beta = 1 */
	struct flow *flow;		/* [planes] for epsilon: statistics of each seed; or NULL */
};
/*
 * Statistics of the relevance of a seed, for the epsilon rule.  `absorbed` is the relevance that
 * eps has absorbed, R eps / (|z| + eps) for each output, plus that of biases (k_count_bias()) and
 * softmax (k_attnlrp_softmax()).  `magnitude` is the sum of the absolute relevances of the inputs
 * of the current op, and `max_magnitude` the maximum of this sum over earlier ops.  Rounding errors
 * are proportional to these magnitudes.
 */
struct flow { double absorbed, magnitude, max_magnitude; };
/* The rule s for the planes from `plane` on. */
static inline struct share
k_share_from(const struct share *s, int plane)
{
	struct share from = *s;

	from.flow = s->flow ? s->flow + plane : NULL;
	return from;
}
/*
 * How the relevance r of an output is distributed over its n inputs: a positive contribution z_i
 * gets z_i * positive, a negative one z_i * negative, and every input gets `uniform` in addition,
 * which is 0 unless all inputs get the same.  The arguments `positive` and `negative` of k_shares()
 * are the sums of the positive and of the negative contributions.
 */
struct shares { real positive, negative, uniform; };
struct shares k_shares(const struct share *s, int n, real positive, real negative, real r);
/*
 * Updates the statistics of all planes by an output that has the relevance r[p * step] in plane p.
 * k has the shares in this output, and `positive` and `negative` are the sums of its contributions.
 * k_count_flow() does this only if there are statistics.
 */
void k_add_flow(const struct share *s, const struct shares *k, real positive, real negative,
		int planes, const real *r, ptrdiff_t step);
static inline void
k_count_flow(const struct share *s, const struct shares *k, real positive, real negative,
	     int planes, const real *r, ptrdiff_t step)
{
	if (s->flow)
		k_add_flow(s, k, positive, negative, planes, r, step);
}
/*
 * k_shares() for r = 1, and k_count_flow(), for an output with a bias that keeps its share.  `sum`
 * has the sums of the other contributions.  The statistics count the share of the bias as absorbed.
 */
struct signs { real positive, negative; };
struct shares k_shares_bias(const struct share *s, int n, struct signs sum, real bias);
void k_count_bias(const struct share *s, const struct shares *k, struct signs sum, real bias,
		  int planes, const real *r, ptrdiff_t step);
/*
 * Distributes the relevance r of an output: adds to rel[i] what input i receives, whose
 * contribution is z_i = w_i x_i + bias / n.  w may be NULL: all w_i are 1.
 */
void k_share(const struct share *s, int n, const real *w, const real *x, real bias, real r,
	     real *rel);
void slow_share(const struct share *s, int n, const real *w, const real *x, real bias, real r,
		real *rel);
/* The sums of the positive and of the negative contributions w_i x_i + add; w may be NULL. */
struct signs k_signs(int n, const real *w, const real *x, real add);
struct signs slow_signs(int n, const real *w, const real *x, real add);
/*
 * For n outputs, of which output i has the two contributions x[i] and y[i], sets `of_x[i]` and
 * `of_y[i]` to the shares of these two inputs.  Updates the statistics of all planes; the relevance
 * of output i in plane p is `rel[p * step + i]`.
 */
void k_share_pairs(const struct share *s, int n, const real *x, const real *y, int planes,
		   const real *rel, ptrdiff_t step, real *of_x, real *of_y);

/*
 * k_signs() for SHARE_SUMS outputs k at once, with weights w[k] and constants `add[k]`, into s[k].
 */
enum { SHARE_SUMS = 4 };
void k_signs_of(int n, const real *const *w, const real *x, const real *add, struct signs *s);
void slow_signs_of(int n, const real *const *w, const real *x, const real *add, struct signs *s);

/*
 * The smallest range of planes, `from` to `to` - 1, outside of which all elements are 0; `from` is
 * `to` if all planes are 0.  A plane has the n elements x[p * step] and following.
 */
struct planes { int from, to; };
struct planes k_planes(int planes, int n, const real *x, ptrdiff_t step);

/*
 * Distributes the relevance c of many outputs j over their common inputs i, for all planes p: adds
 * sum_j c[j,p] T_ji to to[p * step + i], where T_ji is the share of input i in output j, with the
 * contribution w_ji x_i + add_j.  Outputs that have the same relevance as each other in each plane
 * ("alike") share the last row of c, so that their T_ji are summed first.
 */
enum { SHARE_TILE = (int)(128 / sizeof(real)), SHARE_OUTPUTS = 128 };
struct unit { real add; struct shares k; };	/* an output: its constant, and the shares in it */
struct share_tile {
	int n, planes;			/* number of inputs, at most SHARE_TILE; of planes */
	int outputs, alike;		/* number of other outputs; of outputs that are alike;
					 * together at most SHARE_OUTPUTS */
	const int *output;		/* [outputs + alike] their indices in w and `unit`, those
					 * that are alike last */
	const struct unit *unit;
	const real *w;			/* rows are ldw elements apart; SHARE_TILE elements of each
					 * are readable */
	ptrdiff_t ldw;
	const real *x;			/* [n] */
	const real *c;			/* [outputs + (alike > 0), planes] */
	real *to;
	ptrdiff_t step;
};
void k_share_tile(const struct share_tile *t);
void slow_share_tile(const struct share_tile *t);
/*
 * Copies those of n columns j for which `kept[j]` is true to adjacent columns of y, in those rows
 * of x and y whose indices are in `row` [rows].  n is at most SHARE_WIDE.  The rows of x and y are
 * ld elements apart, and SHARE_WIDE elements of each must be readable and writable.
 */
enum { SHARE_WIDE = 4 * SHARE_TILE };
void k_pick(int rows, const int *row, const bool *kept, int n, const real *x, real *y,
	    ptrdiff_t ld);
void slow_pick(int rows, const int *row, const bool *kept, int n, const real *x, real *y,
	       ptrdiff_t ld);

/*
 * kernels-norm-relevance.c: relevance through the layer normalization y = gain xhat + bias of a
 * row, with xhat = (x - mean) rstd.  The contribution of input i to output j is J_ji x_i, with the
 * Jacobian J_ji = gain_j rstd (delta_ij - 1/n - xhat_j xhat_i / n).  If `frozen` is true, the term
 * with xhat is left out; if `rms` is true, the term 1/n, as for k_rms_norm().  The bias, which may
 * be NULL, is distributed evenly over the inputs unless `absorb` is true.  For all planes p, adds
 * sum_j rel[p * step + j] T_ji to to[p * step + i], where T_ji is the share of input i in output j.
 * `room` is memory of k_norm_share_room() bytes.
 */
struct norm_share {
	int n, planes;
	struct norm_row row;
	bool frozen, rms;
	const real *x, *gain, *bias;	/* [n] */
	bool absorb;			/* the bias keeps its share */
	const real *rel;
	real *to;
	ptrdiff_t step;
};
size_t k_norm_share_room(int n, int planes);
void k_norm_share(const struct norm_share *n, const struct share *s, void *room);

/*
 * Relevance through the core of attention, out_ic = sum_j A_ij v_jc with weights A, to q, k and v
 * jointly or, if `constant` is true, only to v.  The relevance of the head output of query i in
 * plane p is rel[p * step + i * ld] and following.  Relevance is added to that of q, k and v: in
 * plane p at q + p * step_q, k + p * step_k and v + p * step_v, with rows as in h.  `room` is
 * memory for k_core_room() elements.
 */
struct core {
	struct head h;
	const real *weights;		/* [T,S] */
	bool constant;
	int planes;
	const real *rel;
	ptrdiff_t ld, step;
	real *q, *k, *v;
	ptrdiff_t step_q, step_k, step_v;
};
/* The number of keys that query i is allowed to attend to. */
static inline int
k_core_keys(const struct head *h, int i)
{
	const int n = h->causal ? i + 1 + h->S - h->T : h->S;

	return n < h->S ? n : h->S;
}
size_t k_core_room(int S, int d, int planes);
void k_core(const struct core *c, const struct share *s, real *room);
void slow_core(const struct core *c, const struct share *s, real *room);
/*
 * kernels-attnlrp.c: k_attnlrp() is k_core() by the rules of AttnLRP (Achtibat et al. 2024), with
 * shares of the epsilon rule.  A product of two activations passes half of the relevance to each
 * factor (equations 14 and 15).  k_attnlrp_softmax() propagates relevance through y = softmax(x):
 * x_i gets x_i (rel_i - y_i sum_j rel_j) (equation 13), or 0 if x_i is -inf.  The relevance that is
 * lost is counted as absorbed in `flow`, which may be NULL.  `rel_scores` may be `rel`.
 */
size_t k_attnlrp_room(int S, int d, int planes);
void k_attnlrp(const struct core *c, const struct share *s, real *room);
void k_attnlrp_softmax(int n, const real *x, const real *y, const real *rel, real *rel_scores,
		       struct flow *flow);

#endif
