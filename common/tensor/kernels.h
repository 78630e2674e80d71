/*
 * kernels: the loops over elements of which ops (tape/op.h) consist.  Those of relevance are in
 * relevance-kernels.h.
 *
 * Ops state the mathematics and the shapes.  All their loops over elements are kernels, except
 * large matrix products (backend/backend.h).  The comments below name the file of kernels/ for each
 * theme; it has the plain kernels, while fast ones that use vectors are in fast/.  Many kernels
 * exist twice: a fast one, k_NAME(), and a plain one, slow_NAME(), with which tests compare it.  A
 * kernel runs on the calling thread; ops divide the work among threads.
 *
 * n is the number of elements of a row or array.  Kernels called k_NAME_back() compute the
 * gradients of the inputs from the gradient g of the output.  Many have a factor beta, by which the
 * old contents of the result are multiplied before the gradient is added; with beta 0, the old
 * contents are not read.
 */
#ifndef KERNELS_H
#define KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tensor/bf16.h"
#include "tensor/real.h"

/* kernels-element.c: elementwise functions of n elements; y may be x. */
void k_zero(size_t n, real *y);
void k_copy(size_t n, const real *x, real *y);
void k_add(size_t n, const real *a, const real *b, real *y);		/* y = a + b */
void k_axpby(size_t n, real a, const real *x, real b, real *y);		/* y = a x + b y */
/* y = a b + beta y */
void k_multiply(size_t n, const real *a, const real *b, real beta, real *y);
void k_relu(size_t n, const real *x, real *y);
/* dx = beta dx + (g where y > 0, otherwise 0) */
void k_relu_back(size_t n, const real *y, const real *g, real beta, real *dx);
void k_tanh(size_t n, const real *x, real *y);				/* as accurate as k_exp() */
void slow_tanh(size_t n, const real *x, real *y);
void k_tanh_back(size_t n, const real *y, const real *g, real beta, real *dx);
void k_sigmoid(size_t n, const real *x, real *y);
void slow_sigmoid(size_t n, const real *x, real *y);
void k_sigmoid_back(size_t n, const real *y, const real *g, real beta, real *dx);
/*
 * Activations.  For each name in this list, k_NAME(), k_NAME_back(), slow_NAME() and
 * slow_NAME_back() are declared, such as k_gelu().  The formulas are in kernels-activation.c for
 * the slow functions, and in fast/fast-element.h, as vec_NAME(), for the fast ones.  swish is x
 * sigmoid(x) (Ramachandran et al. 2017).  gelu is x Phi(x) (Hendrycks and Gimpel 2016), where Phi
 * is the cumulative distribution function of the standard normal distribution.  gelu_tanh is its
 * approximation x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2.  k_NAME_back() computes dx =
 * beta dx + g y'(x) from the input x.
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
bool k_finite(size_t n, const real *x);					/* is no element NaN or
									 * infinite? */

/*
 * kernels-rows.c: y[i] = x[i] + table[label[i]] for `cells` elements.  The table has n elements, at
 * most 255; NULL means n zeros.  y[i] is -inf if label[i] >= n.  k_labels_back() computes
 * sum[label[i]] += g[i] for labels below n.
 */
void k_labels(size_t cells, const unsigned char *label, const real *table, int n, const real *x,
	      real *y);
void k_labels_back(size_t cells, const unsigned char *label, int n, const real *g, real *sum);

/*
 * kernels-bf16.c: conversion of n elements to bf16 (bf16.h) and back; k_to_bf16() may convert in
 * place.
 */
void k_to_bf16(size_t n, const real *x, bf16 *y);
void slow_to_bf16(size_t n, const real *x, bf16 *y);
void k_from_bf16(size_t n, const bf16 *x, real *y);
void slow_from_bf16(size_t n, const bf16 *x, real *y);
/* y = x converted to bf16 and back; y may be x */
void k_round_bf16(size_t n, const real *x, real *y);
void slow_round_bf16(size_t n, const real *x, real *y);
/*
 * Only in single precision: rounds an m by n matrix to bf16 and packs it for products of pairs
 * (bf16-tiles.h).  Element (i, j) is read from x[i * row + j * column], where `row` or `column` is
 * 1, and is written to y[(i / 2) * 2 * width + 2 * j + i % 2].  y is padded with zeros to an even m
 * and to `width` columns, a multiple of 16.
 */
void k_pairs_bf16(int m, int n, const real *x, ptrdiff_t row, ptrdiff_t column, bf16 *y, int width);
/*
 * Packs in the same way a matrix in bf16 whose rows are contiguous and `row` elements apart.  Each
 * element of y is a pair.
 */
void k_pairs_of_bf16(int m, int n, const bf16 *x, ptrdiff_t row, uint32_t *y, int width);

/*
 * kernels-int.c: conversion of a row of n elements to 16-bit integers with a unit (int16.h).
 * k_unit_int16() returns the unit.
 */
real k_unit_int16(int n, const real *x);
real slow_unit_int16(int n, const real *x);
/* Stores the integers in q, int16_t [n]; zeros if `unit` is NaN.  `shift` is not used */
void k_to_int16(int n, const real *x, real unit, int shift, void *q);
void slow_to_int16(int n, const real *x, real unit, int16_t *q);
/* y = x converted to integers and back; y may be x */
void k_round_int16(int n, const real *x, real *y);

/*
 * kernels-int.c: conversion of a row of n elements to 8-bit integers with a unit (int8.h).  The
 * plain version of k_to_int8() is slow_to_int16().
 */
real k_unit_int8(int n, const real *x);
real slow_unit_int8(int n, const real *x);
/* Stores each integer plus `shift`, modulo 256, in the bytes q [n] */
void k_to_int8(int n, const real *x, real unit, int shift, void *q);
/* y = x converted to integers and back; y may be x */
void k_round_int8(int n, const real *x, real *y);
int k_largest_int8(int n, const int8_t *q);	/* the largest magnitude of n integers */

/*
 * kernels-element.c: dropout.  The mask of an element is a function of seed, step, node, row and
 * column (base/rng.h).
 */
struct dropout {
	uint32_t key[2], step, node;
	uint64_t round_key[10][2];	/* round keys of the generator Philox, in 64-bit lanes */
	uint32_t threshold;		/* an element is dropped if its 16-bit random number is
					 * below this value */
	real scale;			/* factor of retained elements: 65536 / (65536 -
					 * threshold) */
};

enum { DROPOUT_CHUNK = 128 };		/* columns whose random numbers are drawn together */

void dropout_init(struct dropout *d, uint64_t seed, uint32_t step, uint32_t node, double p);
/* m[j] = 0 or d->scale for the columns j = 0 to n - 1 of a row */
void k_dropout_mask(const struct dropout *d, uint32_t row, int n, real *m);
void slow_dropout_mask(const struct dropout *d, uint32_t row, int n, real *m);
/* y = x m + beta y, with this mask m */
void k_dropout(const struct dropout *d, uint32_t row, int n, const real *x, real beta, real *y);
/*
 * k_dropout() in two steps, for masks that are used more than once.  k_dropout_draw() sets a bit in
 * `kept` [dropout_bytes(n)] for each retained element of a row: bit k of byte 16 c + l is that of
 * column 128 c + 16 k + l.  k_dropout_again() computes y = x m + beta y from these bits.
 */
size_t dropout_bytes(int n);
void k_dropout_draw(const struct dropout *d, uint32_t row, int n, uint8_t *kept);
void k_dropout_again(const struct dropout *d, const uint8_t *kept, int n, const real *x, real beta,
		     real *y);

/* kernels-element.c: operations on a row of n elements after a matrix product */
void k_bias(int n, const real *b, real *y);				/* y += b */
/* y = max(0, y + b), and y = dropout(max(0, y + b)); b may be NULL */
void k_bias_relu(int n, const real *b, real *y);
void k_bias_relu_dropout(const struct dropout *d, uint32_t row, int n, const real *b, real *y);
/* g = scale g where y > 0, otherwise 0; then sum += g, unless `sum` is NULL */
void k_linear_relu_back(int n, real scale, const real *y, real *g, real *sum);
void k_linear_relu_back_bf16(int n, real scale, const bf16 *y, real *g, real *sum);

/*
 * kernels-rows.c: layer normalization of a row, y = (x - mean) rstd gain + bias, where rstd is 1 /
 * sqrt(variance + eps).
 */
struct norm_row { real mean, rstd; };
struct norm_row k_norm(int n, real eps, const real *x, const real *gain, const real *bias, real *y);
struct norm_row slow_norm(int n, real eps, const real *x, const real *gain, const real *bias,
			  real *y);
/*
 * dx = beta dx + gradient of x, unless dx is NULL; adds the gradients of gain and bias to dgain and
 * dbias, which may be NULL.
 */
void k_norm_back(int n, struct norm_row s, const real *x, const real *gain, const real *g,
		 real beta, real *dx, real *dgain, real *dbias);
void slow_norm_back(int n, struct norm_row s, const real *x, const real *gain, const real *g,
		    real beta, real *dx, real *dgain, real *dbias);
/*
 * y = x rstd gain, where rstd is 1 / sqrt(mean of squares + eps), which is returned (RMSNorm, Zhang
 * and Sennrich 2019).
 */
real k_rms_norm(int n, real eps, const real *x, const real *gain, real *y);
void k_rms_norm_back(int n, real rstd, const real *x, const real *gain, const real *g, real beta,
		     real *dx, real *dgain);
/*
 * z = x + dropout(y), with the bits `kept` of k_dropout_draw(), which are not read if d drops
 * nothing.
 */
void k_residual(const struct dropout *d, const uint8_t *kept, int n, const real *x, const real *y,
		real *z);

/*
 * kernels-rows.c: an embedding of n elements, y = scale row + bias + position.  `bias` and
 * `position` may be NULL.  If `row` is NULL, y = position.
 */
void k_embed(int n, real scale, const real *row, const real *bias, const real *position, real *y);

/* kernels-rows.c: exponential function, and softmax of a row */
void k_exp(size_t n, const real *x, real *y);	/* error at most 2 units in the last place; 0 for x
						 * below -87.3, inf above 88.7 */
void slow_exp(size_t n, const real *x, real *y);
void k_softmax(int n, const real *x, real *y);	/* y may be x; zeros if all x are -inf */
void slow_softmax(int n, const real *x, real *y);
/* dx = beta dx + y (g - sum g y) */
void k_softmax_back(int n, const real *y, const real *g, real beta, real *dx);

/*
 * Label-smoothed cross-entropy -sum_i q_i log p_i of a row of n logits, where p is the softmax of x
 * + b; b may be NULL.  The target distribution q is `gold` for the entry `target`, and `low` for
 * all other entries, but 0 for masked entries and for `skip`.  struct loss_row has this loss minus
 * `constant`, and the unsmoothed loss -log p_target.  x is overwritten: by the gradient p - q if
 * `grad` is true.
 */
struct smooth {
	real low, gold, constant;	/* constant: is subtracted from the loss */
	int n_counted;			/* number of entries with q = low, before `target` gets
					 * `gold` */
	int skip;			/* an entry with q = 0 unless it is the target; -1: none */
	const unsigned char *valid;	/* [n] 0 for masked entries, whose p is 0; NULL: none is
					 * masked */
};
struct loss_row { real loss, nll; };
struct loss_row k_cross_entropy(int n, const struct smooth *s, int target, const real *b, bool grad,
				real *x);
struct loss_row slow_cross_entropy(int n, const struct smooth *s, int target, const real *b,
				   bool grad, real *x);

/*
 * kernels-element.c: small matrix products c[m,n] = alpha a b + beta c.  Element (i, p) of a [m,k]
 * is a[i * as + p * ap].  The rows of b [k,n] are ldb elements apart, and those of c are ldc apart.
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
 * c[m,n] = alpha a b' + beta c, for small m.  The rows of a [m,k] and b [n,k] are contiguous, and
 * `as` and ldb elements apart; ap is 1.
 */
void k_small_dots(const struct small *s);
/*
 * y[j,i] = x[i,j] for i < m and j < n.  The rows of x and y are ld and ldt elements apart.  Columns
 * m to pad - 1 of y are set to 0.
 */
void k_transpose(int m, int n, const real *x, ptrdiff_t ld, real *y, ptrdiff_t ldt, int pad);
void slow_transpose(int m, int n, const real *x, ptrdiff_t ld, real *y, ptrdiff_t ldt, int pad);

/*
 * kernels-attention.c: attention of one head in one sentence, with T queries, S keys, and d
 * elements in a query or key.  q, k and v point to the first element of the head in the first row
 * of the sentence; rows are ldq, ldk and ldv elements apart.  Scores, weights and their gradients
 * are [T,S] without gaps.  `room` is memory for k_attention_room() elements.
 */
struct head {
	int T, S, d;
	int d_v;			/* elements of a value, for k_attend() and
					 * k_attend_back() */
	const real *q, *k, *v;
	ptrdiff_t ldq, ldk, ldv;
	real scale;
	bool causal;
	const struct ahead *ahead;	/* for k_attend() and k_attend_back(); may be NULL */
	const real *bias;		/* for k_attend(), k_attend_back() and k_attnlrp(): points
					 * to the bias of distance 0 in an array of biases by the
					 * distance from query to key, which are added to the
					 * scores; may be NULL */
};
/*
 * The biases of the scores of query t, [S], or NULL if there are none.  If S is larger than T, the
 * last query is at the position of the last key.
 */
static inline const real *
k_head_bias(const struct head *h, int t)
{
	return h->bias ? h->bias - (t + h->S - h->T) : NULL;
}
/*
 * The matrices of the next head, which are prefetched while the current head is computed, some rows
 * with each query.  `rows` lists n matrices, each with its own number of rows, which are ld
 * elements apart and have `width` elements.  The rows of a head are so far apart that the processor
 * does not prefetch them by itself.  Fetching all of them at once would delay other loads.
 */
struct ahead { struct ahead_rows { const real *x; ptrdiff_t ld; int n, width; } rows[5]; int n; };
int k_attention_pad(int S);			/* S rounded up to a multiple of LANES (simd.h) */
size_t k_attention_room(int T, int S, int d);
void k_mask_future(int T, int S, real *scores, ptrdiff_t ld);	/* sets scores[t,s] to -inf where s
								 * > t + S - T */
void k_attention_scores(const struct head *h, real *scores, real *room);
/* adds the gradients of q and k to `dq` and `dk`, which may be NULL */
void k_attention_scores_back(const struct head *h, const real *g, real *dq, real *dk);
void k_attention_context(const struct head *h, const real *weights, real *out, ptrdiff_t ld);
/* writes the gradient of the weights to `dw` and adds that of v to `dv`; either may be NULL */
void k_attention_context_back(const struct head *h, const real *weights, const real *g,
			      ptrdiff_t ld, real *dw, real *dv, real *room);

/*
 * k_attend() computes scores, softmax, dropout and context vectors at once: `weights` [T,S], before
 * dropout, and `out` [T,d_v] with rows ld elements apart.  `mask.m` [T,S] has the factors of
 * dropout, with rows mask.ld apart; it may be NULL.
 *
 * k_attend_back() computes the gradients of q, k and v from the gradient g of `out`, laid out like
 * q, k and v.  They are computed in this order, because they may be parts of the same array.  Each
 * may be NULL, and has its own factor beta.  The gradients of the biases are added to back->bias,
 * laid out like the biases of the head; NULL: they are not needed.
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
 * kernels-distance.c: a table of scores by the distance between key and query, [2 reach + 1].
 * There are n keys, and the query is at the position of key `at`, which is less than n and may be
 * negative.  The score of key j is score[reach + j - at], with the index clipped to the range 0 to
 * 2 * reach.
 */
/* y[j] = x[j] + the score of key j */
void k_add_by_distance(int n, int at, int reach, const real *score, const real *x, real *y);
void slow_add_by_distance(int n, int at, int reach, const real *score, const real *x, real *y);
/* sets each element of `score` to the sum of x[j] over the keys j that have this score */
void k_sum_by_distance(int n, int at, int reach, const real *x, real *score);
void slow_sum_by_distance(int n, int at, int reach, const real *x, real *score);

/*
 * kernels-distance.c: k_gaussian() computes y[j] = x[j] - 2 ((j - center) / width)^2 for n
 * elements.  k_gaussian_back() returns the gradients of `center` and `width`, given the gradient g
 * of y.
 */
void k_gaussian(int n, real center, real width, const real *x, real *y);
void slow_gaussian(int n, real center, real width, const real *x, real *y);
struct gaussian_back { real center, width; };
struct gaussian_back k_gaussian_back(int n, real center, real width, const real *g);
struct gaussian_back slow_gaussian_back(int n, real center, real width, const real *g);

/*
 * kernels-decode.c: the largest elements x of a row, such as logits of a vocabulary, and the sum of
 * exp(x - max) over the whole row, which is passed in parts.
 */
struct scored { real x; int id; };
struct best {
	struct scored *list;		/* [n] largest elements so far, in descending order; equal
					 * ones by ascending id */
	int width, n;			/* maximum length of the list; length */
	real max;			/* of the row so far, as is `sum` */
	double sum;
};
void best_init(struct best *b, struct scored *list, int width);
/*
 * Adds the n elements x, whose ids are first, first + 1 and so on.  Ids must increase from call to
 * call.  All elements count in the sum, but only those that have ids from `from` to `to` - 1 and
 * are larger than -inf are put into the list.
 */
void k_best(struct best *b, int first, int n, const real *x, int from, int to);
void slow_best(struct best *b, int first, int n, const real *x, int from, int to);
/*
 * The logarithm of the sum of exp(x) over all elements added; NaN if this sum is not a finite
 * number.
 */
real best_log_sum(const struct best *b);
/*
 * Replaces each x in the list by its log-probability x - best_log_sum(); empties the list if that
 * is NaN.
 */
void best_log_probs(struct best *b);

/*
 * kernels-spans.c: binary trees over a sentence of n words.  Span (i, j) has the words i to j - 1,
 * counted from 0.  The score of a span with at least two words is `score[i * ld + j]`, and the
 * score of a tree is the sum over its spans.  k_inside() returns the log of the sum of exp(score)
 * over all binary trees (inside algorithm; Baker 1979).  It fills `chart` [n+1,n+1] for
 * k_inside_back(); `room` is memory for n elements.
 */
real k_inside(int n, const real *score, ptrdiff_t ld, real *chart, real *room);
/*
 * Sets `prob[i * (n + 1) + j]` to the probability that a tree has span (i, j), for spans of at
 * least two words.  Other elements are undefined.
 */
void k_inside_back(int n, const real *chart, real *prob, real *room);

#endif
