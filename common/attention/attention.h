/*
 * attention: variants of multi-head attention.
 *
 * A variant is one file, common/attention/NAME.c, with one constant, attention_NAME, whose hooks
 * change attention as a paper describes.  The plain Transformer has no hooks.  Hooks compose ops on
 * the tape, so gradients and relevance follow from the ops.
 *
 * A model can have several variants (-a dbsa -a l0-gate).  Hooks of one kind run in the order of
 * the command line, each on the result of the previous one.
 *
 * Shapes: R queries and M keys in the whole batch, H heads, d = head_dim, D = model_dim.  A
 * sentence i has T_i queries and S_i keys.
 */
#ifndef ATTENTION_H
#define ATTENTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"
#include "base/err.h"
#include "tape/params.h"
#include "tensor/real.h"

struct attention;		/* one variant at one site */
struct attention_picture;	/* attention-picture.h */
struct attention_set;		/* all variants of a model at all its sites */
struct batch;
struct buf;
struct distance_bias;		/* ops/ops.h */
struct field;
struct node;
struct opt;
struct means;
struct tape;

/* A site: one attention layer of the encoder or the decoder. */
struct site {
	enum site_where { ENCODER_SELF, DECODER_SELF, DECODER_CROSS } where;
	int layer, n_layers;		/* layer counts from 1 */
	int heads, head_dim, model_dim;	/* heads: number of retained heads; with 0, the site only
					 * adds the bias of its output projection */
	int all_heads;			/* heads before pruning */
	double divisor;			/* of scores: the square root of head_dim, or 1 */
	const int *head;		/* [heads] indices of the retained heads among all_heads,
					 * ascending; people count them from 1 */
	const char *name;		/* "enc.1.self": the prefix of its parameters' names */
};

/*
 * The intermediate results of a site so far; later ones are NULL.  Rows are packed tokens.  Scores
 * and weights are blocks, one [H, T_i, S_i] per sentence.
 */
struct att_nodes {
	const struct batch *batch;	/* NULL in a step of decoding */
	struct node *x, *memory;	/* [R,D], [M,D]: inputs of the queries and of the keys */
	struct node *q, *k, *v;		/* [R,H*d], [M,H*d] twice */
	struct node *scores;		/* blocks, scaled; -inf for future keys */
	struct node *weights;		/* blocks */
	struct node *dropped;		/* blocks: weights after dropout, the factors of v */
	struct node *context;		/* [R,H*d] head outputs */
	struct node *plain_scores, *plain_context;	/* before the hooks of any variant */
	int first;			/* position of the first query of sentence 0: S_0 - T_0,
					 * not 0 when decoding with a cache */
	const int *sentence;		/* decoding: the sentence of hypothesis i; else NULL */
	const real *const *gates;	/* decoding: gates of each row, for the heads of all sites,
					 * instead of those of model_gate(); or NULL */
};

/* A hook: takes the results so far and returns the node that replaces one of them. */
typedef struct node *att_hook(const struct attention *a, struct tape *t, const struct att_nodes *n);

/*
 * How pruning cuts a parameter of the site: dimension `axis` consists of `parts` equal parts, each
 * with one block for each head of the unpruned site, of which those of s->head are retained; see
 * struct cut in params.h.  The result refers to s->head.
 */
struct cut site_cut(const struct site *s, int axis, int parts);

/*
 * Variants that the tests try, alone and combined: specs as given to -a, separated by blanks.  In a
 * neutral case, loss and gradients are those of the plain model; in others the loss is another.
 */
struct attention_case {
	const char *specs;
	enum attention_neutral {
		NOT_NEUTRAL,
		NEUTRAL,		/* by the settings */
		NEUTRAL_IF_ZERO,	/* if the parameters that the variants add are 0 */
		NEUTRAL_IF_IDENTITY,	/* if they are identity matrices, and 0 if not square */
		NEUTRAL_IF_LINKED	/* if the fields of trees link all pairs of tokens, and
					 * there is no end-of-sentence token */
	} neutral;
};

struct attention_variant {
	const char *name;		/* the word after --attention */
	const char *paper;		/* authors, year, title: shown by -a help */
	int version;			/* stored in the model; raise it when the meaning of
					 * parameters changes */
	size_t state_size;		/* bytes of attention_state() at each site */

	const void *defaults;		/* initial state, state_size bytes; NULL: zeros */
	const struct opt *options;	/* parse name:key=value,... into the state; NULL: none */
	const struct field *needs;	/* stream fields for training and decoding */
	const struct field *training_needs;	/* further fields for training; NULL: none */
	bool (*reads)(const struct attention *a, const char *field);	/* whether the settings
					 * read this field of training_needs at any site; NULL:
					 * always */

	/*
	 * Called once per site, after the options are read.  Returns 0 if the variant is active at
	 * the site and 1 if it is not; then no hook is called there.  Returns -1 for settings that
	 * do not fit the model, and for a pruned site where removing heads is not the same as
	 * masking them.  Sites without heads are opened, but no hook is called there.  After
	 * params() the state is read-only, because several batches are in progress at once.
	 */
	int  (*open)(struct attention *a, const struct site *s, struct err *e);
	void (*close)(struct attention *a);	/* not after open() returned -1; texts of settings
						 * are freed after it */
	void (*params)(struct attention *a, struct params *p);	/* adds names and shapes */

	/* Whether output() replaces the site's output projection, which then has no parameters. */
	bool (*owns_output)(const struct attention *a);

	/*
	 * Called once for each batch and site, before the encoder, to compute labels and the like
	 * from the records and store them with batch_keep().  Returns 0 or -1.
	 */
	int  (*batch)(const struct attention *a, struct batch *b, struct err *e);

	/*
	 * For a variant that adds biases to the scores of self-attention, by the distance from
	 * query to key, and has no scores(): returns the table of op_distance_bias(), and sets
	 * *rule.  This keeps fused attention, which adds the biases itself.  If another variant
	 * prevents it, they are added in the order of scores().
	 */
	struct node *(*bias)(const struct attention *a, struct tape *t, struct distance_bias *rule);
	att_hook *queries;		/* replaces the queries */
	att_hook *scores;		/* biases or replaces the scores */
	att_hook *weights;		/* biases or replaces the weights */
	att_hook *context;		/* replaces the head outputs */
	att_hook *heads;		/* gates or weights head outputs */
	/*
	 * For a variant that outside training only multiplies the output of a head by this factor,
	 * so that head-prune can fold it into the output projection.  `head` counts from 0.
	 */
	double (*gate)(const struct attention *a, int head);
	/* This factor before the variant rounded it, for reports; NULL: gate() rounds nothing. */
	double (*unrounded)(const struct attention *a, int head);
	att_hook *output;		/* [R,D] in place of the output projection */
	/*
	 * Prevents fused attention, which keeps no scores, at this variant's sites.  Hooks of
	 * scores and weights prevent it anyway, and so do two of bias; set this if the loss or
	 * another hook reads scores or weights.
	 */
	unsigned unfused:1;

	/*
	 * Called after the last layer.  Returns a scalar with its weight, which is added to the
	 * summed cross-entropy, or NULL.  If the loss is a mean over other items than target
	 * tokens, such as supervised rows, count() returns the number of these items in b.  loss()
	 * then returns the sum over the items times `scale`, the number of target tokens per item
	 * in the update.  Without count(), scale is 1 and the loss is a mean over target tokens.
	 */
	struct node *(*loss)(const struct attention *a, struct tape *t, const struct batch *b,
			     real scale);
	double (*count)(const struct attention *a, const struct batch *b);

	/*
	 * After a batch of the development set: adds measures to the means y (data/means.h), for
	 * the training log.
	 */
	void (*report)(const struct attention *a, struct tape *t, const struct batch *b,
		       struct means *y);
	/*
	 * After the development set: adds values computed from the means over all batches and
	 * ranks, and appends to `warning` what the user should know.  All sites share the buffer.
	 */
	void (*conclude)(const struct attention *a, struct means *y, struct buf *warning);

	/* The weight of each head for each query, [R,H], on a tape: head-map draws it. */
	struct node *(*importance)(const struct attention *a, const struct tape *t);
	const struct attention_case *cases;	/* for the tests; ends with {0} */
	const struct attention_picture *pictures;	/* further figures of head-map; name NULL at
							 * the end; or NULL */
};

/* --- for variants */

/* The state and the site of a variant at a site. */
void *attention_state(const struct attention *a);
const struct site *attention_site(const struct attention *a);
/*
 * For open(): 0 at encoder self-attention of layers `first` to `last_layer`, counted from 1 (0: the
 * top layer); 1 at other sites; -1 if there are no such layers.
 */
int attention_in_encoder(const struct site *s, int64_t first, int64_t last_layer, struct err *e);
/* The variant of this name that precedes this one on the command line, if it is active at the same
 * site; or NULL. */
const struct attention *attention_before(const struct attention *a, const char *name);
/* The same at the first site of a kind where it is active. */
const struct attention *attention_anywhere_before(const struct attention *a, const char *name,
						  enum site_where where);
/* Whether a variant before this one changes the scores at the site. */
bool attention_biased(const struct attention *a);
/*
 * This variant at its first active site, which can hold what all its sites share, such as labels.
 */
const struct attention *attention_leader(const struct attention *a);
/* This variant at the next active site, or NULL. */
const struct attention *attention_next(const struct attention *a);
/* The number of sites where it is active, once all are open. */
size_t attention_n_sites(const struct attention *a);
/* All sites of the model; *n is their number. */
const struct site *attention_sites(const struct attention *a, size_t *n);
/*
 * The attention weights of a's site on this tape, before dropout, and the scores whose softmax they
 * are.
 */
struct node *attention_weights(const struct attention *a, const struct tape *t);
struct node *attention_scores(const struct attention *a, const struct tape *t);
const struct attention_variant *attention_find(const char *name);	/* or NULL */
extern const struct attention_variant *const attention_variants[];	/* NULL at the end */
/* Further variants, NULL at the end, for a program that defines this; tests do. */
extern const struct attention_variant *const attention_extra[] WEAK;

/* --- for models */

/*
 * Opens the variants of a model: one struct attention for each spec and site.  A spec is "name" or
 * "name:key=value,...".  The sites must outlive the set.  Returns NULL on error.
 */
struct attention_set *attention_set_new(const char *const *spec, size_t n, const struct site *sites,
					size_t n_sites, struct err *e);
void attention_set_free(struct attention_set *s);
void attention_set_params(struct attention_set *s, struct params *p);
/* Runs the batch hooks; model_batch() does this before a batch is encoded. */
int attention_set_batch(struct attention_set *s, struct batch *b, struct err *e);
/* Whether attention_set_batch() has been called for b, or no variant has a batch hook. */
bool attention_set_ready(const struct attention_set *s, const struct batch *b);
/* Whether no variant is active at the site. */
bool attention_set_empty(const struct attention_set *s, size_t site);
/*
 * Whether fused attention may run: no variant reads scores or weights at the site, and at most one
 * has biases by distance.
 */
bool attention_set_fused(const struct attention_set *s, size_t site);
/* The biases of fused attention: the table, with *rule, or NULL. */
struct node *attention_set_bias(const struct attention_set *s, size_t site, struct tape *t,
				struct distance_bias *rule);
bool attention_set_owns_output(const struct attention_set *s, size_t site);
/*
 * Whether the site's output projection reads each head from columns of its own, unchanged or
 * multiplied by a gate.
 */
bool attention_set_projects_heads(const struct attention_set *s, size_t site);
/*
 * Run the hooks of one kind at a site, in the order of the specs.  The result of each hook replaces
 * a member of n: q, scores or weights, or context for the hooks context and heads.  The functions
 * return the last result or, without hooks, the unchanged member.
 */
struct node *attention_set_queries(const struct attention_set *s, size_t site, struct tape *t,
				   struct att_nodes *n);
struct node *attention_set_scores(const struct attention_set *s, size_t site, struct tape *t,
				  struct att_nodes *n);
struct node *attention_set_weights(const struct attention_set *s, size_t site, struct tape *t,
				   struct att_nodes *n);
struct node *attention_set_context(const struct attention_set *s, size_t site, struct tape *t,
				   struct att_nodes *n);
struct node *attention_set_heads(const struct attention_set *s, size_t site, struct tape *t,
				 struct att_nodes *n);
/* The weights of heads by the last variant that has them, [R,H]; NULL if none has. */
struct node *attention_set_importance(const struct attention_set *s, size_t site,
				      const struct tape *t);
/* The output of the variant that replaces the output projection, or NULL if none does. */
struct node *attention_set_output(const struct attention_set *s, size_t site, struct tape *t,
				  const struct att_nodes *n);
/*
 * Multiplies `gate` [heads of all sites] by the gates of all variants.  Returns false if no variant
 * has gates.
 */
bool attention_set_gates(const struct attention_set *s, double *gate);
/* The same with the gates as they were before the variants rounded them. */
void attention_set_unrounded(const struct attention_set *s, double *gate);
bool attention_set_gated(const struct attention_set *s, size_t site);	/* whether a variant has
									 * gates at the site */
/*
 * The sum of the losses of all variants, or NULL.  In training, b->counts and b->target give their
 * scales.
 */
struct node *attention_set_loss(const struct attention_set *s, struct tape *t,
				const struct batch *b);
size_t attention_set_n_counts(const struct attention_set *s);	/* 0: no variant counts */
/* Adds the counts of b to `counts[attention_set_n_counts()]`. */
void attention_set_count(const struct attention_set *s, const struct batch *b, double *counts);
/* Runs the report hooks. */
void attention_set_report(const struct attention_set *s, struct tape *t, const struct batch *b,
			  struct means *y);
/* Runs the conclude hooks, and calls `warn_fn` for each variant that has a warning. */
typedef void attention_warn(void *arg, const char *variant, const char *warning);
void attention_set_conclude(const struct attention_set *s, struct means *y, attention_warn *warn_fn,
			    void *arg);
/*
 * The stream fields that the variants need in training or in decoding, as an array that ends with
 * {0} and belongs to s.
 */
const struct field *attention_set_needs(const struct attention_set *s, bool training);
/*
 * The variants, for the model file: attention_set_n() returns their number;
 * attention_set_describe() appends the spec of variant i, with all settings, and stores its
 * version; and attention_set_variant() returns its constant.
 */
size_t attention_set_n(const struct attention_set *s);
void attention_set_describe(const struct attention_set *s, size_t i, struct buf *spec,
			    int *version);
const struct attention_variant *attention_set_variant(const struct attention_set *s, size_t i);
/*
 * The variant of this name at a site; if it is not active there, at its first active site; NULL if
 * there is none.
 */
const struct attention *attention_set_find(const struct attention_set *s, const char *name,
					   size_t site);

/* Prints variants, papers and options with their defaults: -a help. */
void attention_help(void);

#endif
