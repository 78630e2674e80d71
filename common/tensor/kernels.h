/*
 * kernels: the loops over elements of which ops consist.
 *
 * Ops have the mathematics and the shapes.  All loops over elements are here, except large matrix
 * products (backend.h); each theme is a file.  Many kernels exist twice: a fast one, k_NAME, and a
 * plain one, slow_NAME, with which tests compare it.  A kernel runs on the calling thread; ops
 * split the work.  n and d are numbers of elements of a row.  Arrays named `back` or `g` are
 * gradients: "back" kernels compute the gradients of the inputs from those of the outputs.  Many
 * have a factor beta, by which the old contents of the result are multiplied before the addition;
 * with beta 0, they are not read.
 */
#ifndef KERNELS_H
#define KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tensor/bf16.h"
#include "tensor/real.h"

/* kernels-element.c: element by element, for n elements; y may be x. */
void k_zero(size_t n, real *y);
void k_copy(size_t n, const real *x, real *y);
void k_add(size_t n, const real *a, const real *b, real *y);		/* y = a + b */
void k_axpby(size_t n, real a, const real *x, real b, real *y);		/* y = a x + b y */
/* y = a b + beta y */
void k_multiply(size_t n, const real *a, const real *b, real beta, real *y);
void k_relu(size_t n, const real *x, real *y);
/* dx = beta dx + (g where y > 0, otherwise 0) */
void k_relu_back(size_t n, const real *y, const real *g, real beta, real *dx);
void k_tanh(size_t n, const real *x, real *y);				/* as accurate as k_exp */
void slow_tanh(size_t n, const real *x, real *y);
void k_tanh_back(size_t n, const real *y, const real *g, real beta, real *dx);
void k_sigmoid(size_t n, const real *x, real *y);
void slow_sigmoid(size_t n, const real *x, real *y);
void k_sigmoid_back(size_t n, const real *y, const real *g, real beta, real *dx);
/*
 * Activations: this list declares k_NAME(), k_NAME_back(), slow_NAME() and slow_NAME_back() for
 * each name: k_gelu() and so on.  The formula of the slow ones is in kernels-activation.c, that of
 * the fast ones, vec_NAME(), in fast-element.h.  swish is x sigmoid(x) (Ramachandran et al. 2017).
 * gelu is x Phi(x) (Hendrycks and Gimpel 2016), where Phi is the distribution function of the
 * standard normal distribution.  gelu_tanh is its approximation x (1 + tanh(sqrt(2 / pi) (x +
 * 0.044715 x^3))) / 2.  Back: dx = beta dx + g y'(x); x is the input, not y.
 */
#define ACTIVATIONS(A) A(swish) A(gelu) A(gelu_tanh)
#define DECLARE_ACTIVATION(name) \
	void k_##name(size_t n, const real *x, real *y); \
	void slow_##name(size_t n, const real *x, real *y); \
	void k_##name##_back(size_t n, const real *x, const real *g, real beta, real *dx); \
	void slow_##name##_back(size_t n, const real *x, const real *g, real beta, real *dx);
ACTIVATIONS(DECLARE_ACTIVATION)
/* y = x ln(factor x); 0 if x = 0 */
void k_divergence(size_t n, real factor, const real *x, real *y);
void k_divergence_back(size_t n, real factor, const real *x, const real *g, real beta, real *dx);
double k_sum(size_t n, const real *x);
double k_sum_squares(size_t n, const real *x);
bool k_finite(size_t n, const real *x);					/* no NaN or infinity? */

/*
 * kernels-rows.c: y[i] = x[i] + table[label[i]].  The table has n <= 255 elements (NULL: zeros);
 * y is -inf for labels of n and more.  Back: sum[label[i]] += g[i].
 */
void k_labels(size_t cells, const unsigned char *label, const real *table, int n, const real *x,
	      real *y);
void k_labels_back(size_t cells, const unsigned char *label, int n, const real *g, real *sum);

/* kernels-bf16.c: conversion of n elements, see bf16.h; k_to_bf16() may convert in place */
void k_to_bf16(size_t n, const real *x, bf16 *y);
void slow_to_bf16(size_t n, const real *x, bf16 *y);
void k_from_bf16(size_t n, const bf16 *x, real *y);
void slow_from_bf16(size_t n, const bf16 *x, real *y);
/* to bf16 and back; y may be x */
void k_round_bf16(size_t n, const real *x, real *y);
void slow_round_bf16(size_t n, const real *x, real *y);
/*
 * Only in single precision: packs a matrix m by n for products of pairs.  Element (i, j) is read
 * from x[i row + j column], where `row` or `column` is 1, and written to y[(i / 2) 2 width + 2 j +
 * i % 2].  Pads with zeros to an even m and to `width`, a multiple of 16.
 */
void k_pairs_bf16(int m, int n, const real *x, ptrdiff_t row, ptrdiff_t column, bf16 *y, int width);
/* The same from elements in bf16 whose rows are contiguous; a pair is one element of y. */
void k_pairs_of_bf16(int m, int n, const bf16 *x, ptrdiff_t row, uint32_t *y, int width);

/* kernels-int.c: conversion of a row of n elements to 16-bit integers, see int16.h */
real k_unit_int16(int n, const real *x);
real slow_unit_int16(int n, const real *x);
/* q: int16_t [n]; `shift` is not used.  Zeros if `unit` is NaN */
void k_to_int16(int n, const real *x, real unit, int shift, void *q);
void slow_to_int16(int n, const real *x, real unit, int16_t *q);
void k_round_int16(int n, const real *x, real *y);	/* and back; y may be x */

/* kernels-int.c: the same for 8-bit integers, see int8.h.  slow_to_int16() serves both. */
real k_unit_int8(int n, const real *x);
real slow_unit_int8(int n, const real *x);
/* q: bytes [n], each an integer plus shift, modulo 256 */
void k_to_int8(int n, const real *x, real unit, int shift, void *q);
void k_round_int8(int n, const real *x, real *y);
int k_largest_int8(int n, const int8_t *q);	/* the largest magnitude */

/* kernels-element.c: masks are a function of (key, step, node, row, column), see rng.h. */
struct dropout {
	uint32_t key[2], step, node;
	uint64_t round_key[10][2];	/* of Philox, in 64-bit lanes */
	uint32_t threshold;		/* 16-bit random numbers below it drop an element */
	real scale;			/* of retained elements: 65536 / (65536 - threshold) */
};

enum { DROPOUT_CHUNK = 128 };		/* columns per chunk */

void dropout_init(struct dropout *d, uint64_t seed, uint32_t step, uint32_t node, double p);
/* m[0..n) = 0 or scale, for columns 0 ... n - 1 of a row */
void k_dropout_mask(const struct dropout *d, uint32_t row, int n, real *m);
void slow_dropout_mask(const struct dropout *d, uint32_t row, int n, real *m);
/* y = x mask + beta y */
void k_dropout(const struct dropout *d, uint32_t row, int n, const real *x, real beta, real *y);
/*
 * The same in two steps, for masks that are used more than once.  k_dropout_draw() sets `kept`
 * [dropout_bytes(n)] to the elements of a row that are kept, where bit k of byte 16 c + l is that
 * of column 128 c + 16 k + l.  k_dropout_again() computes the rest.
 */
size_t dropout_bytes(int n);
void k_dropout_draw(const struct dropout *d, uint32_t row, int n, uint8_t *kept);
void k_dropout_again(const struct dropout *d, const uint8_t *kept, int n, const real *x, real beta,
		     real *y);

/* kernels-element.c: operations on a row after a matrix product */
void k_bias(int n, const real *b, real *y);				/* y += b */
/* y = max(0, y + b), the second with dropout; b may be NULL */
void k_bias_relu(int n, const real *b, real *y);
void k_bias_relu_dropout(const struct dropout *d, uint32_t row, int n, const real *b, real *y);
/* g = scale g where y > 0, otherwise 0; sum += g; sum may be NULL */
void k_linear_relu_back(int n, real scale, const real *y, real *g, real *sum);
void k_linear_relu_back_bf16(int n, real scale, const bf16 *y, real *g, real *sum);

/* kernels-rows.c: layer normalization of a row, y = (x - mean) rstd gain + bias */
struct norm_row { real mean, rstd; };
struct norm_row k_norm(int n, real eps, const real *x, const real *gain, const real *bias, real *y);
struct norm_row slow_norm(int n, real eps, const real *x, const real *gain, const real *bias,
			  real *y);
/* dx = beta dx + gradient; adds to dgain and dbias, which may be NULL */
void k_norm_back(int n, struct norm_row s, const real *x, const real *gain, const real *g,
		 real beta, real *dx, real *dgain, real *dbias);
void slow_norm_back(int n, struct norm_row s, const real *x, const real *gain, const real *g,
		    real beta, real *dx, real *dgain, real *dbias);
/* y = x rstd gain, with the root of the mean of squares; returns rstd (Zhang and Sennrich 2019) */
real k_rms_norm(int n, real eps, const real *x, const real *gain, real *y);
void k_rms_norm_back(int n, real rstd, const real *x, const real *gain, const real *g, real beta,
		     real *dx, real *dgain);
/* z = x + dropout(y), with the mask of k_dropout_draw(); kept is not read if d drops nothing */
void k_residual(const struct dropout *d, const uint8_t *kept, int n, const real *x, const real *y,
		real *z);

/*
 * kernels-rows.c: y = scale row + bias + position.  bias and position may be NULL.  If row is
 * NULL, y = position.
 */
void k_embed(int n, real scale, const real *row, const real *bias, const real *position, real *y);

/* kernels-rows.c */
void k_exp(size_t n, const real *x, real *y);	/* within 2 ulp; 0 below -87.3, inf above 88.7 */
void slow_exp(size_t n, const real *x, real *y);
void k_softmax(int n, const real *x, real *y);	/* y may be x; zeros if all x are -inf */
void slow_softmax(int n, const real *x, real *y);
/* dx = beta dx + y (g - sum g y) */
void k_softmax_back(int n, const real *y, const real *g, real beta, real *dx);

/*
 * Label-smoothed cross-entropy of a row of n logits x.  b is added to x first; it may be NULL.  The
 * target distribution q is `gold` for the target and `low` for n_counted vocabulary entries.  If
 * grad is true, x is replaced by the gradient p - q.
 */
struct smooth {
	real low, gold, constant;	/* constant: subtracted from the loss */
	int n_counted;			/* entries with q = low */
	int skip;			/* an entry with q = 0, or -1 */
	const unsigned char *valid;	/* [n] 0: masked entries; NULL: none is masked */
};
struct loss_row { real loss, nll; };
struct loss_row k_cross_entropy(int n, const struct smooth *s, int target, const real *b, bool grad,
				real *x);
struct loss_row slow_cross_entropy(int n, const struct smooth *s, int target, const real *b,
				   bool grad, real *x);

/*
 * kernels-element.c: small matrix products c[m,n] = alpha a b + beta c.  Element (i, p) of a is
 * a[i * as + p * ap]; b is [k,n] with rows ldb apart.
 */
struct small {
	int m, n, k;
	const real *a, *b;
	real *c;
	ptrdiff_t as, ap, ldb, ldc;
	real alpha, beta;
};
void k_small(const struct small *s);
void slow_small(const struct small *s);
/*
 * c[m,n] = alpha a b' + beta c with few rows.  Rows of a and b are contiguous, as and ldb apart; ap
 * is 1.
 */
void k_small_dots(const struct small *s);
/* y[j,i] = x[i,j], i < m, j < n; columns m ... pad - 1 of y are set to 0 */
void k_transpose(int m, int n, const real *x, ptrdiff_t ld, real *y, ptrdiff_t ldt, int pad);
void slow_transpose(int m, int n, const real *x, ptrdiff_t ld, real *y, ptrdiff_t ldt, int pad);

/*
 * kernels-attention.c: attention of one sentence and one head: T queries, S keys, d elements per
 * query and key.  q, k and v point to the head's first element in the sentence's first row.
 * Scores, weights and their gradients are dense [T,S].  room has k_attention_room() elements.
 */
struct head {
	int T, S, d;
	int d_v;			/* elements per value; for k_attend() and its back */
	const real *q, *k, *v;
	ptrdiff_t ldq, ldk, ldv;
	real scale;
	bool causal;
	const struct ahead *ahead;	/* for k_attend() and its back; may be NULL */
	const real *bias;		/* added to scores by distance: the one of distance 0; for
					 * k_attend(), its back and k_attnlrp(); may be NULL */
};
/* The biases of query t, [S], or NULL.  If S is not T, the last query is at the last key. */
static inline const real *
k_head_bias(const struct head *h, int t)
{
	return h->bias ? h->bias - (t + h->S - h->T) : NULL;
}
/*
 * Matrices of the next head, of n rows, which are brought into the cache while the current head is
 * computed, some rows for each query.  Rows of a head are far apart, so that the processor does not
 * prefetch them by itself.  Fetching all rows at once would delay other loads.
 */
struct ahead { struct ahead_rows { const real *x; ptrdiff_t ld; int n, width; } rows[5]; int n; };
int k_attention_pad(int S);			/* S rounded up to whole vectors */
size_t k_attention_room(int T, int S, int d);
void k_mask_future(int T, int S, real *scores, ptrdiff_t ld);	/* -inf where s > t + S - T */
void k_attention_scores(const struct head *h, real *scores, real *room);
/* adds to `dq` and `dk`, which may be NULL */
void k_attention_scores_back(const struct head *h, const real *g, real *dq, real *dk);
void k_attention_context(const struct head *h, const real *weights, real *out, ptrdiff_t ld);
/* writes dw and adds to `dv`; either may be NULL */
void k_attention_context_back(const struct head *h, const real *weights, const real *g,
			      ptrdiff_t ld, real *dw, real *dv, real *room);

/*
 * Scores, softmax, dropout and context vectors at once; k_attend_back() computes their gradients.
 * `mask`: multipliers of the weights, with rows ld apart; mask.m may be NULL.  The gradients of q,
 * k and v have the layout of q, k and v, and are computed in this order, because they may be the
 * same array; each may be NULL.  `bias`: the gradients of the biases are added here, laid out as
 * those of the head; NULL: they are not needed.
 */
struct head_mask { const real *m; ptrdiff_t ld; };
struct head_back { real *q, *k, *v, beta_q, beta_k, beta_v, *bias; };
void k_attend(const struct head *h, struct head_mask mask, real *weights, real *out, ptrdiff_t ld,
	      real *room);
void slow_attend(const struct head *h, struct head_mask mask, real *weights, real *out,
		 ptrdiff_t ld);
void k_attend_back(const struct head *h, struct head_mask mask, const real *weights, const real *g,
		   ptrdiff_t ld, const struct head_back *back, real *room);
void slow_attend_back(const struct head *h, struct head_mask mask, const real *weights,
		      const real *g, ptrdiff_t ld, const struct head_back *back);

/*
 * kernels-distance.c: scores by the distance between key and query, clipped to reach.  There are n
 * keys, and the query is at the position of key `at` < n, which may be negative.  The score of key
 * j is score[reach + j - at], with the index clipped to 0 ... 2 reach.
 */
/* y = x + score */
void k_add_by_distance(int n, int at, int reach, const real *score, const real *x, real *y);
void slow_add_by_distance(int n, int at, int reach, const real *score, const real *x, real *y);
/* score = sums of x over the keys of each distance */
void k_sum_by_distance(int n, int at, int reach, const real *x, real *score);
void slow_sum_by_distance(int n, int at, int reach, const real *x, real *score);

/*
 * kernels-distance.c: y[j] = x[j] - 2 ((j - center) / width)^2, and the gradients of center and
 * `width` from the gradient g of y.
 */
void k_gaussian(int n, real center, real width, const real *x, real *y);
void slow_gaussian(int n, real center, real width, const real *x, real *y);
struct gaussian_back { real center, width; };
struct gaussian_back k_gaussian_back(int n, real center, real width, const real *g);
struct gaussian_back slow_gaussian_back(int n, real center, real width, const real *g);

/*
 * kernels-decode.c: the largest elements of a row, and the sum of exp(x - max) over all of it.  The
 * row is passed in parts.
 */
struct scored { real x; int id; };
struct best {
	struct scored *list;		/* [n <= width] largest first, then by lower id */
	int width, n;
	real max;
	double sum;
};
void best_init(struct best *b, struct scored *list, int width);
/*
 * Adds elements x[0..n) with the ids first, first + 1, ...  Ids must increase from call to call.
 * Only ids in [from, to) are put into the list.
 */
void k_best(struct best *b, int first, int n, const real *x, int from, int to);
void slow_best(struct best *b, int first, int n, const real *x, int from, int to);
/* The logarithm of the sum of exp(x) over the whole row. */
real best_log_sum(const struct best *b);
/* Replaces each x by x - log sum exp; empties the list if the sum is not finite. */
void best_log_probs(struct best *b);

/*
 * kernels-relevance.c: distributes the relevance R of an output over the n inputs of one unit, in
 * proportion to their contributions z_i.  z is the sum of all contributions.
 *
 *   epsilon     Input i gets R z_i / (z + eps sign z).
 *   signs       alpha R is distributed over the positive contributions in proportion to their
 *               size, and beta R over the negative ones.  If all have the same sign, they get all
 *               of R.
 *   halves      Like signs, but the part of a missing sign is lost, and sums are moved away from 0
 *               by eps.
 *
 * If the sum of the contributions is 0 (epsilon), or all of them are 0 (signs, halves), every input
 * gets the same.  A plane is the relevance of one seed, the output element at which it starts.
 */
struct share {
	bool signs, halves;
	real eps, alpha, beta;		/* alpha + beta = 1 */
	struct flow *flow;		/* [planes] epsilon: statistics of each seed; or NULL */
};
/*
 * Statistics of the relevance of a seed, for the epsilon rule.  `absorbed`: the relevance that eps
 * has absorbed, R eps / (|z| + eps) per output.  `magnitude`: the sum of absolute relevances of the
 * inputs of the current op.  `max_magnitude`: its maximum over the ops before.  Rounding errors are
 * relative to the magnitudes.
 */
struct flow { double absorbed, magnitude, max_magnitude; };
/* s for the planes from `plane` on. */
static inline struct share
k_share_from(const struct share *s, int plane)
{
	struct share from = *s;

	from.flow = s->flow ? s->flow + plane : NULL;
	return from;
}
/*
 * The relevance per unit of a positive and of a negative contribution, and the part that each of n
 * inputs gets if all contributions are 0.  `positive` and `negative` are the sums of contributions,
 * r is the relevance of the output.
 */
struct shares { real positive, negative, uniform; };
struct shares k_shares(const struct share *s, int n, real positive, real negative, real r);
/*
 * Updates the statistics of all planes.  k are the shares of relevance 1 for these sums; plane p
 * has the relevance r[p * step].
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
 * k_shares() for relevance 1, and k_count_flow(), if a bias keeps its share in addition to
 * contributions with the given sums.  The statistics count that share as absorbed.
 */
struct signs { real positive, negative; };
struct shares k_shares_bias(const struct share *s, int n, struct signs sum, real bias);
void k_count_bias(const struct share *s, const struct shares *k, struct signs sum, real bias,
		  int planes, const real *r, ptrdiff_t step);
/* rel[i] += the share of z_i = w_i x_i + bias / n; w may be NULL: all 1 */
void k_share(const struct share *s, int n, const real *w, const real *x, real bias, real r,
	     real *rel);
void slow_share(const struct share *s, int n, const real *w, const real *x, real bias, real r,
		real *rel);
/* The sums of the positive and of the negative values of w_i x_i + add. */
struct signs k_signs(int n, const real *w, const real *x, real add);
struct signs slow_signs(int n, const real *w, const real *x, real add);
/*
 * For n units with the two inputs x[i] and y[i], sets `of_x` and `of_y` to their shares of
 * relevance 1.  Updates the statistics of all planes, whose relevance of unit i is `rel[p * step +
 * i]`.
 */
void k_share_pairs(const struct share *s, int n, const real *x, const real *y, int planes,
		   const real *rel, ptrdiff_t step, real *of_x, real *of_y);

/* k_signs() for SHARE_SUMS outputs with their weights w[] and constants `add[]`. */
enum { SHARE_SUMS = 4 };
void k_signs_of(int n, const real *const *w, const real *x, const real *add, struct signs *s);
void slow_signs_of(int n, const real *const *w, const real *x, const real *add, struct signs *s);

/*
 * The smallest range [from, to) of planes outside of which x [n], with planes step apart, is 0;
 * from = to if all of x is 0.
 */
struct planes { int from, to; };
struct planes k_planes(int planes, int n, const real *x, ptrdiff_t step);

/*
 * Distributes the relevance of many outputs j over their common inputs, for many planes: to[plane
 * step + i] += sum_j c_j,plane T_ji, where T_ji is the share of contribution w_ji x_i + add of
 * relevance 1.  Outputs whose relevance is the same in all planes ("alike") are summed first.
 */
enum { SHARE_TILE = (int)(128 / sizeof(real)), SHARE_OUTPUTS = 128 };
struct unit { real add; struct shares k; };	/* an output; its shares of relevance 1 */
struct share_tile {
	int n, planes;			/* n <= SHARE_TILE inputs */
	int outputs, alike;		/* outputs + alike <= SHARE_OUTPUTS */
	const int *output;		/* [outputs + alike] their rows of w and unit, alike last */
	const struct unit *unit;
	const real *w;			/* SHARE_TILE elements of each row are readable */
	ptrdiff_t ldw;
	const real *x;			/* [n] */
	const real *c;			/* [outputs + (alike > 0), planes] */
	real *to;
	ptrdiff_t step;
};
void k_share_tile(const struct share_tile *t);
void slow_share_tile(const struct share_tile *t);
/*
 * Copies those of the n <= SHARE_WIDE columns for which `kept[j]` is true, in the given rows of x,
 * to adjacent columns of y.  Rows are ld apart in both; SHARE_WIDE elements of each must be
 * readable and writable.
 */
enum { SHARE_WIDE = 4 * SHARE_TILE };
void k_pick(int rows, const int *row, const bool *kept, int n, const real *x, real *y,
	    ptrdiff_t ld);
void slow_pick(int rows, const int *row, const bool *kept, int n, const real *x, real *y,
	       ptrdiff_t ld);

/*
 * kernels-norm-relevance.c: relevance through the layer normalization y = gain xhat + bias of a
 * row, with its Jacobian J_ji = gain_j rstd (delta_ij - 1/n - xhat_j xhat_i / n).  If `frozen`, the
 * last term is left out; if `rms`, the term 1/n, as in k_rms_norm().  bias may be NULL; it is
 * distributed evenly over the inputs.  to[plane step + i] += sum_j rel[plane step + j] T_ji.  room
 * has k_norm_share_room() bytes.
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
 * Relevance through the core of attention, out_ic = sum_j A_ij v_jc, to q, k and v jointly; if
 * constant, only to v.  In plane p, the relevance of query i starts at rel + p step + i ld.  The
 * results for q, k and v are added at q + p step_q and so on, with rows as in h.  room has
 * k_core_room() elements.
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
 * kernels-attnlrp.c: the same by AttnLRP (Achtibat et al. 2024), with shares of the epsilon rule.
 * A product of two activations passes half of the relevance to each factor (equations 14, 15), and
 * y = softmax(x) the part x_i (rel_i - y_i sum_j rel_j) to x_i (13), 0 if x_i is -inf.  The
 * difference of the sums is counted as absorbed.  `flow` may be NULL, and `rel_scores` may be rel.
 */
size_t k_attnlrp_room(int S, int d, int planes);
void k_attnlrp(const struct core *c, const struct share *s, real *room);
void k_attnlrp_softmax(int n, const real *x, const real *y, const real *rel, real *rel_scores,
		       struct flow *flow);

/*
 * kernels-spans.c: a sentence of n words with fenceposts 0 ... n.  The score of span (i,j), j >= i
 * + 2, is `score`[i ld + j]; the score of a tree is the sum over its spans.  k_inside() returns the
 * log of the sum of exp(score) over all binary trees (inside algorithm; Baker 1979).  `chart`
 * [n+1,n+1] is kept for the backward pass; `room` has n elements.
 */
real k_inside(int n, const real *score, ptrdiff_t ld, real *chart, real *room);
/* `prob`[i (n+1) + j] is the probability of span (i,j); values below the diagonal are undefined. */
void k_inside_back(int n, const real *chart, real *prob, real *room);

#endif
