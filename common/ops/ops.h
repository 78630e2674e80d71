/*
 * ops: the operations, as functions that apply them.
 *
 * Shapes: R rows of tokens, D and E widths, H heads, V types; weights of a
 * projection are [out, in].  "blocks" are one [H, T_i, S_i] a sentence.
 * p is a dropout probability, in force while training.  Each function is in its
 * op's file, with formula, gradient, relevance and cases.
 */
#ifndef OPS_H
#define OPS_H

#include <stdbool.h>

#include "tape/tape.h"

/* element by element, any equal shapes */
struct node *op_add(struct tape *t, struct node *a, struct node *b);
struct node *op_multiply(struct tape *t, struct node *a, struct node *b);
struct node *op_scale(struct tape *t, struct node *a, real factor);
struct node *op_relu(struct tape *t, struct node *a);
struct node *op_tanh(struct tape *t, struct node *a);
struct node *op_sigmoid(struct tape *t, struct node *a);
struct node *op_swish(struct tape *t, struct node *a);
struct node *op_gelu(struct tape *t, struct node *a, bool by_tanh);	/* by_tanh: the approximation */
struct node *op_exp(struct tape *t, struct node *a, real limit);	/* exp(min(a, limit)) */
struct node *op_abs(struct tape *t, struct node *a);
struct node *op_dropout(struct tape *t, struct node *a, real p);
struct node *op_sum(struct tape *t, struct node *a);			/* to a scalar */

/*
 * x[r] = dropout(scale * table[id[r]] + position[pos[r]] (+ bias)); table [V,D], bias [D] or NULL,
 * positions [P,D] constant or, as learned, a parameter.  ids and pos, one a row of the layout, must
 * outlive the tape.  An id of -1 gives a zero vector before positions are added.
 * The gradients of the tables touch only rows that occur.
 */
struct embed {
	const struct layout *rows;
	const int *id, *pos;
	const real *positions;		/* or NULL */
	struct node *learned;		/* [P,D]: positions that are a parameter, or NULL */
	real scale, p;
};
struct node *op_embed(struct tape *t, struct node *table, struct node *bias, const struct embed *e);

/*
 * y[r] = sum of table[id[k]] for k in start[r] ... start[r+1] - 1; start has one more entry than rows has
 * rows.  Both must outlive the tape; the table's gradient touches only rows that occur.
 */
struct bag { const struct layout *rows; const int *start, *id; };
struct node *op_bag(struct tape *t, struct node *table, const struct bag *b);

/* [x_{r-before} ... x_{r+after}], [R,(before+1+after)*D]; zeros where a sentence has no such row. */
struct node *op_neighbours(struct tape *t, struct node *x, int before, int after);

struct node *op_average(struct tape *t, struct node *x);	/* each row becomes the mean of its sentence's */

/* x w' of each head's part of a row: x [R,H*d], w [e,d] -> [R,H*e] */
struct node *op_linear_heads(struct tape *t, struct node *x, struct node *w);
struct node *op_linear(struct tape *t, struct node *x, struct node *w, struct node *b);	/* x w' + b; b may be NULL */
/* dropout(relu(x w' + b)) */
struct node *op_linear_relu(struct tape *t, struct node *x, struct node *w, struct node *b, real p);
struct node *op_constant(struct tape *t, struct node *x,
			 struct node *b);	/* b [E] for each row of x: [R,E] */
struct node *op_norm(struct tape *t, struct node *x, struct node *gain, struct node *bias, real eps);
struct node *op_residual(struct tape *t, struct node *x, struct node *y, real p);	/* x + dropout(y) */
/* norm(x + dropout(y)) */
struct node *op_residual_norm(struct tape *t, struct node *x, struct node *y, struct node *gain,
			      struct node *bias, real eps, real p);

struct node *op_columns(struct tape *t, struct node *x, int from, int n);	/* a view of columns [from, from+n) */
struct node *op_replace(struct tape *t, struct node *x, struct node *part, int from);	/* those replaced, in a copy */

/*
 * Attention in its parts.  q [R,H*d], k and v [M,H*d], which may be views.
 * Causal: query i of T_i may see key j of S_i iff j <= i + S_i - T_i, the rest is
 * -inf; so the same rule serves training and decoding with a cache.
 */
struct node *op_scores(struct tape *t, struct node *q, struct node *k, const struct layout *queries,
		       const struct layout *keys, int heads, real scale, bool causal);	/* q k' */
/*
 * scores + scale q_i . table[j - i], j - i clipped to what the table [2k+1,d] has rows for, its middle row
 * for 0 and shared by the heads; where S_i is not T_i, the last query stands where the last key does.
 */
struct node *op_relative(struct tape *t, struct node *scores, struct node *q, struct node *table, real scale);
/* context [R,H*d] + sum_j weights_ij table[j - i], the same way */
struct node *op_relative_values(struct tape *t, struct node *context, struct node *weights, struct node *table);
/*
 * scores_ij - 2 ((j - P_i) / D_i)^2, P_i = (S-1) sigmoid(center_i), D_i = S sigmoid(width_i) + 0.1 of a sentence
 * with S keys; center and width [R,H], or width NULL: D_i = fixed.
 */
struct node *op_gaussian(struct tape *t, struct node *scores, struct node *center, struct node *width, real fixed);
/*
 * A small number for each pair of rows of one sentence: of[i] is [len, len] for sentence i, NULL if it has
 * none; LABEL_NEVER marks a pair that may not be.  All of it must outlive the tape.
 */
struct labels {
	const unsigned char *const *of;
	int n;				/* labels are less */
};
enum { LABEL_NEVER = 255 };
/*
 * scores + table[label], -inf for pairs that may not be; sentences without labels stay as they are.  The table
 * has n numbers for all heads or n for each, [H, n]; NULL: zeros.  Queries are the keys.
 */
struct node *op_labels(struct tape *t, struct node *scores, struct node *table, const struct labels *l);
/*
 * Which heads are redundant in a sentence, by their plain weights (redundant.c): scores [blocks] as they
 * are for important heads, biased ones for redundant heads.  biased NULL: plain for all, and only the tests
 * are wanted.  Sentences without labels have important heads only.  Each sentence and head has a test,
 * [sentences, heads], which lives as long as the node.
 */
struct redundancy {
	const struct labels *labels;	/* pairs with a label are syntax */
	enum gate { GATE_SIGMOID, GATE_CONFIDENCE, GATE_FIXED } gate;
	real fixed;			/* of GATE_FIXED */
	bool diagonal;			/* a row's own weight counts as syntax */
	int ends;			/* rows at the end of a sentence that are no words: 0 or 1 */
};
struct head_test { real confidence, syntax; bool important; };
struct node *op_redundant(struct tape *t, struct node *plain, struct node *biased, const struct redundancy *r);
const struct head_test *op_redundant_tests(const struct node *n);
/* Columns of important heads from one context [R,H*d], those of redundant ones from another (NULL: zeros). */
struct node *op_choose(struct tape *t, struct node *important, struct node *redundant, struct node *tests);
/* over keys, or over the columns of a matrix that is no view; a row all -inf gives zeros */
struct node *op_softmax(struct tape *t, struct node *blocks);
/* Queries and keys of a sentence and head of scores (tensor/kernels.h). */
struct head;
struct head op_scores_head(const struct node *scores, int sentence, int head);
struct node *op_context(struct tape *t, struct node *weights, struct node *v);	/* -> [R,H*d] */

/*
 * Of heads [R,H*d], row by row: scale u . head_h of u [R,d], [R,H]; the sum of the heads times weights [R,H], [R,d].
 */
struct node *op_head_scores(struct tape *t, struct node *u, struct node *heads, real scale);
struct node *op_head_mix(struct tape *t, struct node *weights, struct node *heads);
/*
 * Gates of [H] from their log alpha: a sample while training, addressed by seed, step and
 * place, the same for all batches of an update; else the test gate (hard-concrete.h), which
 * round makes 0 or 1.
 */
struct gates { uint32_t place; bool round; };
struct node *op_hard_concrete(struct tape *t, struct node *log_alpha, const struct gates *how);
/* Each head of [R,H*d] times its gate of [H].  Gates take no relevance. */
struct node *op_gate(struct tape *t, struct node *heads, struct node *gates);
/* x ln(n x) of a matrix with n columns: a row's sum is the Kullback-Leibler divergence from 1/n each. */
struct node *op_divergence(struct tape *t, struct node *x);

/* All of it at once: context = dropout(softmax(scale q k')) v.  Keeps the weights (before dropout). */
struct attend {
	const struct layout *queries, *keys;
	int heads;
	real scale, p;
	bool causal;
};
struct node *op_attention(struct tape *t, struct node *q, struct node *k, struct node *v, const struct attend *a);
/* The weights an op_attention node kept: blocks laid out like op_softmax's result. */
const real *op_attention_weights(const struct node *n, const ptrdiff_t **block);

/*
 * Label-smoothed cross-entropy of logits = h w' + b over the rows of h, summed; the
 * logits never exist at once.  Variants of methods 1.2; SMOOTHING_T2T subtracts the
 * constant entropy of the smoothed target, so that its least loss is 0.  w [V,D], b [V] or NULL.
 * target one a row; a type with valid[v] == 0 gets -inf (valid may be NULL).
 * op_cross_entropy_rows(): per row -log p(target), without smoothing, whatever the variant.
 */
enum smoothing { SMOOTHING_FAIRSEQ_OLD, SMOOTHING_FAIRSEQ_NEW, SMOOTHING_ONMT, SMOOTHING_T2T };
struct cross_entropy {
	const int *target;
	const unsigned char *valid;
	enum smoothing variant;
	real smoothing;
	int pad;			/* the type SMOOTHING_ONMT leaves out */
};
struct node *op_cross_entropy(struct tape *t, struct node *h, struct node *w, struct node *b,
			      const struct cross_entropy *c);
const real *op_cross_entropy_rows(const struct node *n);	/* [R], alive as long as the node */

/*
 * Losses of attention that is told where to look, summed over the batch (pointers.c, synchrony.c).
 * Pointers: row start + t of head `head` of the scores should look at key target[start + t] of its sentence,
 * -1: wherever it likes.  Synchrony: C E C' against D, of weights; cross_head -1: the mean of all heads.
 */
struct pointers { int head; const int *target; };	/* target must outlive the tape */
struct node *op_pointers(struct tape *t, struct node *scores, const struct pointers *a);
struct synchrony {
	int cross_head, source_head, target_head;
	enum { SYNC_SOFTMAX, SYNC_RENORM } map;
	real temperature;		/* of SYNC_SOFTMAX */
	enum { SYNC_STOP_NONE, SYNC_STOP_MAPPED, SYNC_STOP_TARGET } stop;	/* where no gradient goes: D', D */
};
struct node *op_synchrony(struct tape *t, struct node *cross, struct node *source, struct node *target,
			  const struct synchrony *a);

/*
 * Losses of trees, over blocks [1,n+1,n+1] of op_scores() with one layout on both sides, summed.
 * Arcs: row i > 0 of a sentence is word i, whose head[start + i] is 0 ... n, or -1 if it is not known.
 * Spans: (i,j) is words i+1 ... j.  A conditional random field over binary trees (Stern, Andreas and Klein
 * 2017; Zhang, Zhou and Li 2020, Fast and accurate neural CRF constituency parsing, equation 3): the log of
 * the sum over all trees less the score of the gold spans.  Sentence i's are from[k], to[k], k in
 * first[i] ... first[i+1] - 1: those of a whole binary tree but for single words, or none if it has no
 * tree.  All arrays must outlive the tape.
 */
struct arcs { const int *head; };
struct node *op_arcs(struct tape *t, struct node *scores, const struct arcs *a);
struct spans { const int *first, *from, *to; };
struct node *op_spans(struct tape *t, struct node *scores, const struct spans *s);

#endif
