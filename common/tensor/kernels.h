/*
 * kernels: the loops over data that ops are made of.
 *
 * Ops hold mathematics and shapes; everything that walks over numbers, other than
 * a matrix product, is here, one theme a file.  Beside each fast kernel stands a
 * plain one, slow_NAME, which is its oracle in the tests.  A kernel runs on the
 * calling thread; ops cut the work.  n and d count numbers of a row.
 */
#ifndef KERNELS_H
#define KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tensor/bf16.h"
#include "tensor/real.h"

/* kernels-element.c: n numbers at a time; y may be x */
void k_zero(size_t n, real *y);
void k_copy(size_t n, const real *x, real *y);
void k_add(size_t n, const real *a, const real *b, real *y);		/* y = a + b */
void k_axpby(size_t n, real a, const real *x, real b, real *y);		/* y = a x + b y; b 0: y is not read */
void k_line(size_t n, real a, const real *x, real b, real *y);		/* y = a x + b */
void k_multiply(size_t n, const real *a, const real *b, real beta, real *y);	/* y = a b + beta y */
void k_relu(size_t n, const real *x, real *y);
void k_relu_back(size_t n, const real *y, const real *g, real beta, real *dx);	/* dx = beta dx + g where y > 0 */
void k_tanh(size_t n, const real *x, real *y);				/* as near as k_exp */
void slow_tanh(size_t n, const real *x, real *y);
void k_tanh_back(size_t n, const real *y, const real *g, real beta, real *dx);
void k_sigmoid(size_t n, const real *x, real *y);
void slow_sigmoid(size_t n, const real *x, real *y);
void k_sigmoid_back(size_t n, const real *y, const real *g, real beta, real *dx);
/*
 * Activations, with Phi(x) the standard normal distribution's share below x: swish is x sigmoid(x)
 * (Ramachandran et al. 2017), gelu x Phi(x) (Hendrycks and Gimpel 2016), and gelu_tanh its approximation
 * x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2.  Back: dx = beta dx + g y'(x), of x, not y.
 */
void k_swish(size_t n, const real *x, real *y);
void slow_swish(size_t n, const real *x, real *y);
void k_swish_back(size_t n, const real *x, const real *g, real beta, real *dx);
void slow_swish_back(size_t n, const real *x, const real *g, real beta, real *dx);
void k_gelu(size_t n, const real *x, real *y);
void slow_gelu(size_t n, const real *x, real *y);
void k_gelu_back(size_t n, const real *x, const real *g, real beta, real *dx);
void slow_gelu_back(size_t n, const real *x, const real *g, real beta, real *dx);
void k_gelu_tanh(size_t n, const real *x, real *y);
void slow_gelu_tanh(size_t n, const real *x, real *y);
void k_gelu_tanh_back(size_t n, const real *x, const real *g, real beta, real *dx);
void slow_gelu_tanh_back(size_t n, const real *x, const real *g, real beta, real *dx);
void k_divergence(size_t n, real by, const real *x, real *y);		/* y = x ln(by x), 0 for x = 0 */
void k_divergence_back(size_t n, real by, const real *x, const real *g, real beta, real *dx);
double k_sum(size_t n, const real *x);
double k_sum_squares(size_t n, const real *x);
bool k_finite(size_t n, const real *x);					/* no NaN, no infinity */

/*
 * kernels-labels.c: y[i] = x[i] + table[label[i]], n <= 255 numbers in the table (NULL: zeros); -inf for a
 * label that is not there.  Back: sum[label[i]] += g[i].
 */
void k_labels(size_t cells, const unsigned char *label, const real *table, int n, const real *x, real *y);
void k_labels_back(size_t cells, const unsigned char *label, int n, const real *g, real *sum);

/* kernels-bf16.c: n numbers at a time, see bf16.h */
void k_to_bf16(size_t n, const real *x, bf16 *y);
void slow_to_bf16(size_t n, const real *x, bf16 *y);
void k_from_bf16(size_t n, const bf16 *x, real *y);
void slow_from_bf16(size_t n, const bf16 *x, real *y);
void k_round_bf16(size_t n, const real *x, real *y);			/* to bf16 and back; y may be x */
void slow_round_bf16(size_t n, const real *x, real *y);
/* to[j,i] = from[i,j], i < m, j < n; this and the next only in single precision */
void k_transpose_bf16(int m, int n, const real *from, ptrdiff_t ld, bf16 *to, ptrdiff_t ldt);
/*
 * A matrix m by n, number (i, j) at from[i row + j column], one of both 1, as products of pairs read it:
 * to[(i / 2) 2 width + 2 j + i % 2]; zeros fill it up to an even m and to width, a multiple of 16.
 */
void k_pairs_bf16(int m, int n, const real *from, ptrdiff_t row, ptrdiff_t column, bf16 *to, int width);

/* kernels-int16.c: a row of n numbers in integers of 16 bits, see int16.h */
real k_unit_int16(int n, const real *x);
real slow_unit_int16(int n, const real *x);
void k_to_int16(int n, const real *x, real unit, int16_t *q);		/* unit NaN: zeros */
void slow_to_int16(int n, const real *x, real unit, int16_t *q);
void k_round_int16(int n, const real *x, real *y);			/* to integers and back; y may be x */

/* kernels-dropout.c: masks addressed by (key, step, node, row, column), see rng.h */
struct dropout {
	uint32_t key[2], step, node;
	uint64_t round_key[10][2];	/* of Philox, lanes of 64 bits wide */
	uint32_t threshold;		/* of 65536: what is below is dropped; 0: nothing is */
	real scale;			/* of what stays: 65536 / (65536 - threshold) */
};

enum { DROPOUT_CHUNK = 128 };		/* columns a time */

void dropout_init(struct dropout *d, uint64_t seed, uint32_t step, uint32_t node, double p);
/* m[0..n) = 0 or scale, for the columns 0 ... n-1 of a row. */
void k_dropout_mask(const struct dropout *d, uint32_t row, int n, real *m);
void slow_dropout_mask(const struct dropout *d, uint32_t row, int n, real *m);
/* y = x mask + beta y */
void k_dropout(const struct dropout *d, uint32_t row, int n, const real *x, real beta, real *y);

/* kernels-linear.c: what follows a product, on a row */
void k_bias(int n, const real *b, real *y);				/* y += b */
void k_bias_relu(int n, const real *b, real *y);			/* y = max(0, y + b); b may be NULL */
/* ... and dropout */
void k_bias_relu_dropout(const struct dropout *d, uint32_t row, int n, const real *b, real *y);
/* g = scale g where y > 0, else 0; sum += g if it is there */
void k_linear_relu_back(int n, real scale, const real *y, real *g, real *sum);

/* kernels-norm.c: y = (x - mean) rstd gain + bias; of a row */
struct norm_row { real mean, rstd; };
struct norm_row k_norm(int n, real eps, const real *x, const real *gain, const real *bias, real *y);
struct norm_row slow_norm(int n, real eps, const real *x, const real *gain, const real *bias, real *y);
/* dx = beta dx + gradient; dgain and dbias, if there, are added to */
void k_norm_back(int n, struct norm_row s, const real *x, const real *gain, const real *g,
		 real beta, real *dx, real *dgain, real *dbias);
void slow_norm_back(int n, struct norm_row s, const real *x, const real *gain, const real *g,
		    real beta, real *dx, real *dgain, real *dbias);
/* z = x + dropout(y); d may be NULL */
void k_residual(const struct dropout *d, uint32_t row, int n, const real *x, const real *y, real *z);

/* kernels-embed.c: y = scale row + bias + position; row NULL: y = position; the others may be NULL */
void k_embed(int n, real scale, const real *row, const real *bias, const real *position, real *y);

/* kernels-softmax.c */
void k_exp(size_t n, const real *x, real *y);	/* within 2 ulp; x below -87 gives 0, above 88 inf */
void slow_exp(size_t n, const real *x, real *y);
void k_softmax(int n, const real *x, real *y);		/* y may be x; all -inf gives zeros */
void slow_softmax(int n, const real *x, real *y);
/* dx = beta dx + y (g - sum g y) */
void k_softmax_back(int n, const real *y, const real *g, real beta, real *dx);

/*
 * Smoothed cross-entropy of one row of logits x [n] (b is added first; b may be NULL): q is
 * low for every type that counts and gold for the target.  With grad, x becomes p - q.
 */
struct smooth {
	real low, gold, constant;	/* constant: what is subtracted from the loss */
	int n_counted;			/* types that have low */
	int skip;			/* a type that has q = 0, or -1 */
	const unsigned char *valid;	/* or NULL */
};
struct loss_row { real loss, nll; };
struct loss_row k_cross_entropy(int n, const struct smooth *s, int target, const real *b, bool grad, real *x);
struct loss_row slow_cross_entropy(int n, const struct smooth *s, int target, const real *b, bool grad, real *x);

/* kernels-small.c: c[m,n] = alpha a b + beta c, tiny; a(i,p) is a[i*as + p*ap], b [k,n], rows ldb apart */
struct small {
	int m, n, k;
	const real *a, *b;
	real *c;
	ptrdiff_t as, ap, ldb, ldc;
	real alpha, beta;
};
void k_small(const struct small *s);
void slow_small(const struct small *s);
/* c[m,n] = alpha a b' + beta c with few rows: rows of a and b are contiguous, as and ldb apart; ap is 1 */
void k_small_dots(const struct small *s);
/* to[j,i] = from[i,j], i < m, j < n; columns m ... pad of to are zeroed */
void k_transpose(int m, int n, const real *from, ptrdiff_t ld, real *to, ptrdiff_t ldt, int pad);
void slow_transpose(int m, int n, const real *from, ptrdiff_t ld, real *to, ptrdiff_t ldt, int pad);

/*
 * kernels-attention.c: one sentence and head: T queries, S keys, d numbers each; q, k, v point at the
 * head's first number of the sentence's first row.  Scores, weights and their gradients are dense
 * [T,S].  room: k_attention_room() numbers.
 */
struct head {
	int T, S, d;
	int d_v;			/* of values; k_attend() and k_attend_back() alone look at it */
	const real *q, *k, *v;
	ptrdiff_t ldq, ldk, ldv;
	real scale;
	bool causal;
};
int k_attention_pad(int S);
size_t k_attention_room(int T, int S, int d);
void k_mask_future(int T, int S, real *scores, ptrdiff_t ld);	/* -inf where s > t + S - T */
void k_attention_scores(const struct head *h, real *scores, real *room);
void k_attention_scores_back(const struct head *h, const real *g, real *dq, real *dk);	/* add; may be NULL */
void k_attention_context(const struct head *h, const real *weights, real *out, ptrdiff_t ld);
/* dw is written, dv added to; either may be NULL */
void k_attention_context_back(const struct head *h, const real *weights, const real *g, ptrdiff_t ld,
			      real *dw, real *dv, real *room);

/*
 * All of it at once, and back.  mask: multipliers of the weights, rows ld apart, or m NULL.  Gradients are
 * beta times what is there and more, rows as q, k and v have them; in this order, for they may be one; each may be NULL.
 */
struct head_mask { const real *m; ptrdiff_t ld; };
struct head_back { real *q, *k, *v, beta_q, beta_k, beta_v; };
void k_attend(const struct head *h, struct head_mask mask, real *weights, real *out, ptrdiff_t ld, real *room);
void slow_attend(const struct head *h, struct head_mask mask, real *weights, real *out, ptrdiff_t ld);
void k_attend_back(const struct head *h, struct head_mask mask, const real *weights, const real *g, ptrdiff_t ld,
		   const struct head_back *to, real *room);
void slow_attend_back(const struct head *h, struct head_mask mask, const real *weights, const real *g, ptrdiff_t ld,
		      const struct head_back *to);

/*
 * kernels-distance.c: n keys of a query that stands where key `at` does (at < n; maybe before all of them),
 * and score[0 ... 2 reach], whose number for key j is reach + j - at, or the one at the end nearest to it.
 */
void k_add_by_distance(int n, int at, int reach, const real *score, const real *x, real *y);	/* y = x + score */
void slow_add_by_distance(int n, int at, int reach, const real *score, const real *x, real *y);
void k_sum_by_distance(int n, int at, int reach, const real *x, real *score);	/* score = sums of x */
void slow_sum_by_distance(int n, int at, int reach, const real *x, real *score);

/*
 * kernels-gaussian.c: y[j] = x[j] - 2 ((j - centre) / width)^2, and what gradients g of y say of centre and width
 */
void k_gaussian(int n, real centre, real width, const real *x, real *y);
void slow_gaussian(int n, real centre, real width, const real *x, real *y);
struct gaussian_back { real centre, width; };
struct gaussian_back k_gaussian_back(int n, real centre, real width, const real *g);
struct gaussian_back slow_gaussian_back(int n, real centre, real width, const real *g);

/*
 * kernels-decode.c: one step of decoding.  One query, all its heads; keys and values lie anywhere:
 * key s begins at row[s] + key, its value at row[s] + value.  room: n numbers.
 */
struct query {
	int heads, d, n;		/* numbers of a head; keys */
	const real *q;			/* [heads * d] */
	const real *const *row;		/* [n] */
	ptrdiff_t key, value;
	real scale;
	real *out;			/* [heads * d] softmax(scale q k') v */
};
void k_query(const struct query *q, real *room);
void slow_query(const struct query *q, real *room);

/* The largest of a row's numbers, and the sum of exp(x - max) over all of them; taken in part by part. */
struct scored { real x; int id; };
struct best {
	struct scored *list;		/* [width], n so far: largest first, of equal ones the lower id */
	int width, n;
	real max;
	double sum;
};
void best_init(struct best *b, struct scored *list, int width);
/* Numbers x[0..n) of the ids from `first` on, in rising order; only ids of [from, to) come into the list. */
void k_best(struct best *b, int first, int n, const real *x, int from, int to);
void slow_best(struct best *b, int first, int n, const real *x, int from, int to);
void best_log_probs(struct best *b);	/* x becomes x - log sum exp; an empty list if that is no number */

/*
 * kernels-relevance.c: how an output's relevance is shared among the inputs of one unit (methods
 * 6.2).  Input i contributed z_i.  Epsilon: R z_i / (z + eps sign z), z the sum of all.  With signs:
 * alpha of R among the positive by size, beta among the negative; all of it among those of one sign
 * if the other is missing, but with halves, where that has its part alone and sums are taken eps away from 0.
 * Where nothing contributed, everyone gets the same.
 */
struct share {
	bool signs, halves;
	real eps, alpha, beta;		/* alpha + beta = 1 */
	struct flow *flow;		/* [planes] of epsilon, what is shared is counted here; or NULL */
};
/*
 * What becomes of a seed: what eps has taken of it, r eps / (|z| + eps) of each output, and the sum of the sizes of
 * what an op gave its inputs, of the one at work and the largest of those before.  Rounding is relative to these.
 */
struct flow { double absorbed, magnitude, max_magnitude; };
/* As s, of planes from `plane` on. */
static inline struct share
k_share_from(const struct share *s, int plane)
{
	struct share from = *s;

	from.flow = s->flow ? s->flow + plane : NULL;
	return from;
}
/* What each unit of a positive and of a negative contribution gets of r; sums of each, n inputs. */
struct shares { real positive, negative, everyone; };
struct shares k_shares(const struct share *s, int n, real positive, real negative, real r);
/* Counts what epsilon's shares k of 1, of those sums, make of r[0], r[step], ... of the planes. */
void k_add_flow(const struct share *s, const struct shares *k, real positive, real negative, int planes, const real *r,
		ptrdiff_t step);
static inline void
k_count_flow(const struct share *s, const struct shares *k, real positive, real negative, int planes, const real *r,
	     ptrdiff_t step)
{
	if (s->flow)
		k_add_flow(s, k, positive, negative, planes, r, step);
}
/* rel[i] += the share of z_i = w_i x_i + bias / n; w NULL: all 1 */
void k_share(const struct share *s, int n, const real *w, const real *x, real bias, real r, real *rel);
void slow_share(const struct share *s, int n, const real *w, const real *x, real bias, real r, real *rel);
/* The sums of the positive and of the negative ones of w_i x_i + add. */
struct signs { real positive, negative; };
struct signs k_signs(int n, const real *w, const real *x, real add);
struct signs slow_signs(int n, const real *w, const real *x, real add);
/* Pairs are units of two inputs, x[i] and y[i]: what each gets of 1.  What shares are of, planes of rel, is counted. */
void k_share_pairs(const struct share *s, int n, const real *x, const real *y, int planes, const real *rel,
		   ptrdiff_t step, real *of_x, real *of_y);

/* The same of SHARE_SUMS outputs, weights of each at w[], what is added to each in add[]. */
enum { SHARE_SUMS = 4 };
void k_signs_of(int n, const real *const *w, const real *x, const real *add, struct signs *s);
void slow_signs_of(int n, const real *const *w, const real *x, const real *add, struct signs *s);

/* The planes [from, to) outside of which x [n], planes step apart, is 0; none: from = to. */
struct planes { int from, to; };
struct planes k_planes(int planes, int n, const real *x, ptrdiff_t step);

/*
 * Many outputs j of the same inputs, contributions w_ji x_i + add, and many relevances c of each, a plane
 * each: to[plane step + i] += sum_j c_j,plane T_ji, T what input i gets of 1.  Outputs whose relevance is the
 * same in all planes need not be told apart: their T are added up first.
 */
enum { SHARE_TILE = (int)(128 / sizeof(real)), SHARE_OUTPUTS = 128 };
struct unit { real add; struct shares k; };	/* of one output, of relevance 1 */
struct share_tile {
	int n, planes;			/* at most SHARE_TILE inputs */
	int outputs, alike;		/* at most SHARE_OUTPUTS together */
	const int *output;		/* [outputs + alike] their rows of w and unit, the alike behind the others */
	const struct unit *unit;
	const real *w;			/* SHARE_TILE of a row can be read, ldw apart */
	ptrdiff_t ldw;
	const real *x;			/* [n] */
	const real *c;			/* [outputs + 1 if any are alike, planes] */
	real *to;
	ptrdiff_t step;
};
void k_share_tile(const struct share_tile *t);
void slow_share_tile(const struct share_tile *t);
/*
 * Of n columns, those that are to be kept, at most SHARE_WIDE of each row of from, side by side in to;
 * rows ld apart in both, of which SHARE_WIDE numbers can be read and written.
 */
enum { SHARE_WIDE = 4 * SHARE_TILE };
void k_pick(int rows, const int *row, const bool *keep, int n, const real *from, real *to, ptrdiff_t ld);
void slow_pick(int rows, const int *row, const bool *keep, int n, const real *from, real *to, ptrdiff_t ld);

/*
 * kernels-norm-relevance.c: of y = gain xhat + bias of a row, by the Jacobian
 * J_ji = gain_j rstd (delta_ij - 1/n - xhat_j xhat_i / n), the last without `frozen`; bias, if there, is spread.
 * to[plane step + i] += sum_j rel[plane step + j] T_ji.  room: k_norm_share_room() bytes.
 */
struct norm_share {
	int n, planes;
	struct norm_row row;
	bool frozen;
	const real *x, *gain, *bias;	/* [n] */
	const real *rel;
	real *to;
	ptrdiff_t step;
};
size_t k_norm_share_room(int n, int planes);
void k_norm_share(const struct norm_share *n, const struct share *s, void *room);

/*
 * The core of attention (methods 6.2): of out_ic = sum_j A_ij v_jc through q, k and v jointly; with constant,
 * through v alone.  Plane p's relevance of query i begins at rel + p step + i ld, what q, k and v get at
 * to.q + p to.step_q and so on, with rows as they have them.  room: k_core_room() numbers.
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
/* How many keys query i may see. */
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
 * kernels-spans.c: a sentence of n words, fenceposts 0 ... n.  score[i ld + j] of span (i,j), j >= i + 2; a
 * tree's score is the sum of its spans'.  The log of the sum over all binary trees of exp of it; chart
 * [n+1,n+1] is for the way back; room: n numbers.
 */
real k_inside(int n, const real *score, ptrdiff_t ld, real *chart, real *room);
/* prob[i (n+1) + j] is the share of the trees that have span (i,j); below the diagonal is noise. */
void k_inside_back(int n, const real *chart, real *prob, real *room);

/* kernels-adam.c: Kingma and Ba 2015, with decay of the weights apart from it: x -= lr decay x, as fairseq */
struct adam {
	real lr, beta1, beta2, eps, decay;
	real scale;			/* of the gradients: clipping, number of tokens */
	real correct1, correct2;	/* 1 / (1 - beta^t) */
};
void k_adam(size_t n, const struct adam *a, const real *grad, real *x, real *m, real *v);
void slow_adam(size_t n, const struct adam *a, const real *grad, real *x, real *m, real *v);

#endif
