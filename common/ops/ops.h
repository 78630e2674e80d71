/*
 * ops: functions that apply the operations.
 *
 * Shapes: R rows of tokens, D and E widths, H heads, V vocabulary entries.  Weights of a projection
 * are [out, in].  "Blocks" are one [H, T_i, S_i] for each sentence.  p is a dropout probability, in
 * effect during training.  Each function is in the file of its op, with formula, gradient,
 * relevance and cases.
 */
#ifndef OPS_H
#define OPS_H

#include <stdbool.h>

#include "tape/tape.h"

/* Elementwise, for any equal shapes. */
struct node *op_add(struct tape *t, struct node *a, struct node *b);
struct node *op_multiply(struct tape *t, struct node *a, struct node *b);
struct node *op_scale(struct tape *t, struct node *a, real factor);
struct node *op_relu(struct tape *t, struct node *a);
struct node *op_tanh(struct tape *t, struct node *a);
struct node *op_sigmoid(struct tape *t, struct node *a);
struct node *op_swish(struct tape *t, struct node *a);
struct node *op_gelu(struct tape *t, struct node *a, bool by_tanh);	/* by_tanh: approximated */
struct node *op_exp(struct tape *t, struct node *a, real limit);	/* exp(min(a, limit)) */
struct node *op_abs(struct tape *t, struct node *a);
struct node *op_dropout(struct tape *t, struct node *a, real p);

/* The sum of all elements, a scalar. */
struct node *op_sum(struct tape *t, struct node *a);

/*
 * x[r] = dropout(scale * table[id[r]] + position[pos[r]] (+ bias)).  table is [V,D], bias [D] or
 * NULL; positions [P,D] are constant, or a parameter if learned.  id and pos have an element for
 * each row of the layout and must outlive the tape.  An id of -1 gives a zero vector, to which the
 * position is added.  The gradients of the tables touch only rows that occur.
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
 * y[r] = sum of table[id[k]] for k in start[r] ... start[r+1] - 1.  start has one element more than
 * there are rows.  start and id must outlive the tape.  The gradient of the table touches only rows
 * that occur.
 */
struct bag { const struct layout *rows; const int *start, *id; };
struct node *op_bag(struct tape *t, struct node *table, const struct bag *b);

/*
 * [x_{r-before} ... x_{r+after}], [R,(before+1+after)*D]; zeros for rows outside of the sentence.
 */
struct node *op_neighbours(struct tape *t, struct node *x, int before, int after);

/* Replaces each row by the mean of the rows of its sentence. */
struct node *op_average(struct tape *t, struct node *x);

/* x w' for each head of a row: x [R,H*d], w [e,d] -> [R,H*e] */
struct node *op_linear_heads(struct tape *t, struct node *x, struct node *w);
/* x w' + b; b may be NULL */
struct node *op_linear(struct tape *t, struct node *x, struct node *w, struct node *b);
/* dropout(relu(x w' + b)) */
struct node *op_linear_relu(struct tape *t, struct node *x, struct node *w, struct node *b, real p);
/* b [E] for each row of x: [R,E] */
struct node *op_constant(struct tape *t, struct node *x, struct node *b);
/* gain (x - mean) / sqrt(variance + eps) + bias, for each row */
struct node *op_norm(struct tape *t, struct node *x, struct node *gain, struct node *bias,
		     real eps);
/* x + dropout(y) */
struct node *op_residual(struct tape *t, struct node *x, struct node *y, real p);
/* norm(x + dropout(y)) */
struct node *op_residual_norm(struct tape *t, struct node *x, struct node *y, struct node *gain,
			      struct node *bias, real eps, real p);

/* A view of columns [from, from + n). */
struct node *op_columns(struct tape *t, struct node *x, int from, int n);
/* A copy of x whose columns from `from` on are replaced by part. */
struct node *op_replace(struct tape *t, struct node *x, struct node *part, int from);

/*
 * Attention in separate ops.  q is [R,H*d], k and v [M,H*d]; they may be views.
 */

/*
 * scale q k', blocks.  With causal, query i of T_i attends to key j of S_i only if
 * j <= i + S_i - T_i, and other scores are -inf; this holds for training and for decoding with a
 * cache.
 */
struct node *op_scores(struct tape *t, struct node *q, struct node *k, const struct layout *queries,
		       const struct layout *keys, int heads, real scale, bool causal);
/*
 * scores + scale q_i . table[j - i].  The table [2k+1,d] is shared by the heads; j - i is clipped
 * to -k ... k, and its middle row is for 0.  If S_i is not T_i, the last query has the position of
 * the last key.
 */
struct node *op_relative(struct tape *t, struct node *scores, struct node *q, struct node *table,
			 real scale);
/* context [R,H*d] + sum_j weights_ij table[j - i], with the same table */
struct node *op_relative_values(struct tape *t, struct node *context, struct node *weights,
				struct node *table);
/*
 * scores_ij - 2 ((j - P_i) / D_i)^2 for a sentence with S keys, with P_i = (S-1) sigmoid(center_i)
 * and D_i = S sigmoid(width_i) + 0.1.  center and width are [R,H].  If width is NULL, D_i = fixed.
 */
struct node *op_gaussian(struct tape *t, struct node *scores, struct node *center,
			 struct node *width, real fixed);
/*
 * A label for each pair of rows of a sentence: of[i] is [len, len] for sentence i, or NULL.
 * LABEL_NEVER marks a masked pair.  All of it must outlive the tape.
 */
struct labels {
	const unsigned char *const *of;
	int n;				/* labels are in 0 ... n - 1 */
};
enum { LABEL_NEVER = 255 };
/*
 * scores + table[label], and -inf for masked pairs.  Sentences without labels are unchanged.  The
 * table is [n], shared by the heads, or [H, n]; NULL: zeros.  Queries must be the keys.
 */
struct node *op_labels(struct tape *t, struct node *scores, struct node *table,
		       const struct labels *l);
/*
 * Tests which heads are redundant in a sentence, by their plain weights (redundant.c).  The result
 * is the plain scores of important heads and the biased scores of redundant heads.  If biased is
 * NULL, all scores are plain, and only the tests are of interest.  Sentences without labels have
 * important heads only.  op_redundant_tests() gives the tests [sentences, heads], which live as
 * long as the node.
 */
struct redundancy {
	const struct labels *labels;	/* pairs with a label are syntactic */
	enum gate { GATE_SIGMOID, GATE_CONFIDENCE, GATE_FIXED } gate;
	real fixed;			/* for GATE_FIXED */
	bool diagonal;			/* the weight of a row on itself counts as syntactic */
	int ends;			/* end-of-sentence rows: 0 or 1 */
};
struct head_test { real confidence, syntax; bool important; };
struct node *op_redundant(struct tape *t, struct node *plain, struct node *biased,
			  const struct redundancy *r);
const struct head_test *op_redundant_tests(const struct node *n);
/*
 * The columns of important heads from one context [R,H*d], those of redundant heads from another
 * (NULL: zeros).  tests is a node of op_redundant().
 */
struct node *op_choose(struct tape *t, struct node *important, struct node *redundant,
		       struct node *tests);
/*
 * Softmax over the keys of blocks, or over the columns of a matrix that is not a view.  A row whose
 * elements are all -inf gives zeros.
 */
struct node *op_softmax(struct tape *t, struct node *blocks);
/* The queries and keys of a sentence and head of op_scores() (tensor/kernels.h). */
struct head;
struct head op_scores_head(const struct node *scores, int sentence, int head);
/* weights v: [R,H*d] */
struct node *op_context(struct tape *t, struct node *weights, struct node *v);

/* scale u . head_h for each row: u [R,d], heads [R,H*d] -> [R,H] */
struct node *op_head_scores(struct tape *t, struct node *u, struct node *heads, real scale);
/* The weighted sum of the heads of each row: weights [R,H], heads [R,H*d] -> [R,d] */
struct node *op_head_mix(struct tape *t, struct node *weights, struct node *heads);
/*
 * Gates [H] from their log alpha.  In training they are samples, addressed by seed, step and place
 * and equal for all batches of an update; otherwise they are the test gates (hard-concrete.h),
 * rounded to 0 or 1 with round.
 */
struct gates { uint32_t place; bool round; };
struct node *op_hard_concrete(struct tape *t, struct node *log_alpha, const struct gates *how);
/* Each head of [R,H*d] times its gate of [H].  Gates receive no relevance. */
struct node *op_gate(struct tape *t, struct node *heads, struct node *gates);
/*
 * x ln(n x) for a matrix with n columns.  The sum of a row of probabilities is its Kullback-Leibler
 * divergence from the uniform distribution.
 */
struct node *op_divergence(struct tape *t, struct node *x);

/*
 * Fused attention: context = dropout(softmax(scale q k')) v.  Saves the weights before dropout.
 */
struct attend {
	const struct layout *queries, *keys;
	int heads;
	real scale, p;
	bool causal;
};
struct node *op_attention(struct tape *t, struct node *q, struct node *k, struct node *v,
			  const struct attend *a);
/* The saved weights of an op_attention() node, blocks laid out as the result of op_softmax(). */
const real *op_attention_weights(const struct node *n, const ptrdiff_t **block);

/*
 * Label-smoothed cross-entropy of the logits h w' + b, summed over the rows of h.  The logits are
 * never stored all at once.  w is [V,D], b [V] or NULL.  target has an element for each row; an
 * entry v with valid[v] == 0 has probability 0 (valid may be NULL).  The variants are those of
 * methods 1.2; SMOOTHING_T2T subtracts the constant entropy of the smoothed target, so that the
 * minimum is 0.
 */
enum smoothing { SMOOTHING_FAIRSEQ_OLD, SMOOTHING_FAIRSEQ_NEW, SMOOTHING_ONMT, SMOOTHING_T2T };
struct cross_entropy {
	const int *target;
	const unsigned char *valid;
	enum smoothing variant;
	real smoothing;
	int pad;			/* the entry that SMOOTHING_ONMT excludes */
};
struct node *op_cross_entropy(struct tape *t, struct node *h, struct node *w, struct node *b,
			      const struct cross_entropy *c);
/* -log p(target) of each row [R], without smoothing; lives as long as the node. */
const real *op_cross_entropy_rows(const struct node *n);

/*
 * Losses that supervise attention, summed over the batch (pointers.c, synchrony.c).
 *
 * Pointers: row start + t of head `head` should attend to key target[start + t] of its sentence; -1
 * leaves it free.  target must outlive the tape.
 *
 * Synchrony: compares C E C' with D, all of them weights.  cross_head -1 is the mean of all heads.
 */
struct pointers { int head; const int *target; };
struct node *op_pointers(struct tape *t, struct node *scores, const struct pointers *a);
struct synchrony {
	int cross_head, source_head, target_head;
	enum { SYNC_SOFTMAX, SYNC_RENORM } map;
	real temperature;		/* of SYNC_SOFTMAX */
	/* Blocks the gradient into D' (MAPPED) or D (TARGET). */
	enum { SYNC_STOP_NONE, SYNC_STOP_MAPPED, SYNC_STOP_TARGET } stop;
};
struct node *op_synchrony(struct tape *t, struct node *cross, struct node *source,
			  struct node *target, const struct synchrony *a);

/*
 * Losses of trees over blocks [1,n+1,n+1] of op_scores() with the same layout on both sides,
 * summed.
 *
 * Arcs: row i > 0 of a sentence is word i, whose head is head[start + i] in 0 ... n, or -1 if
 * unknown.
 *
 * Spans: (i,j) is words i+1 ... j.  A conditional random field over binary trees (Stern, Andreas
 * and Klein 2017; Zhang, Zhou and Li 2020, Fast and accurate neural CRF constituency parsing,
 * equation 3): the log of the sum over all trees minus the score of the gold spans.  The gold spans
 * of sentence i are from[k], to[k] for k in first[i] ... first[i+1] - 1: all spans of a binary tree
 * except single words, or none if the sentence has no tree.  All arrays must outlive the tape.
 */
struct arcs { const int *head; };
struct node *op_arcs(struct tape *t, struct node *scores, const struct arcs *a);
struct spans { const int *first, *from, *to; };
struct node *op_spans(struct tape *t, struct node *scores, const struct spans *s);

#endif
