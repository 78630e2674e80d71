/*
 * attention: variants of multi-head attention.
 *
 * A variant is one file, common/attention/NAME.c, with one constant, attention_NAME (struct
 * attention_variant).  Its hooks are functions that change attention as a paper describes.  The
 * plain Transformer has no hooks.  Hooks apply ops to nodes on the tape (tape/tape.h), so that the
 * backward and relevance passes need no code of the variant.
 *
 * A model can have several variants, as with nmt-train -a dbsa -a l0-gate.  Hooks of one kind run
 * in the order of the command line; each gets the result of the previous one.
 *
 * Letters in shapes: R is the number of queries in the whole batch, M that of keys, H the number of
 * heads, d is head_dim, and D is model_dim.  Sentence i has T_i queries and S_i keys.
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
	int layer, n_layers;		/* number of the layer, from 1; layers of the encoder or
					 * decoder */
	int heads, head_dim, model_dim;	/* `heads`: number of retained heads; with 0, the output of
					 * the site is the bias of its output projection, or 0
					 * without one */
	int all_heads;			/* number of heads before pruning */
	double divisor;			/* scores are divided by it: the square root of head_dim, or
					 * 1 */
	const int *head;		/* [heads] indices, from 0, of the retained heads among
					 * all_heads, ascending; command lines and files count from
					 * 1 */
	const char *name;		/* "enc.1.self": the prefix of its parameters' names */
};

/*
 * The intermediate results at a site.  Those that have not been computed yet are NULL.  Rows of
 * matrices are tokens of all sentences, without padding.  Scores and weights are blocks, one [H,
 * T_i, S_i] for each sentence.
 */
struct att_nodes {
	const struct batch *batch;	/* NULL in a step of decoding */
	struct node *x, *memory;	/* [R,D], [M,D]: inputs of the queries and of the keys */
	struct node *q, *k, *v;		/* queries [R,H*d]; keys and values [M,H*d] */
	struct node *scores;		/* blocks, scaled; -inf for future keys */
	struct node *weights;		/* blocks */
	struct node *dropped;		/* blocks: weights after dropout, the factors of v */
	struct node *context;		/* [R,H*d] head outputs */
	struct node *plain_scores, *plain_context;	/* scores and context before the hooks of
							 * any variant */
	int first;			/* position of the first query of sentence 0: 0, except when
					 * decoding with a cache */
	const int *sentence;		/* decoding: the sentence of hypothesis i; else NULL */
	/*
	 * Gates of the heads of all sites in place of those of model_gate(): of each row, or the
	 * same for all rows; or NULL.
	 */
	const real *const *row_gates;	/* [R] */
	const real *gates;
};

/* A hook: reads the results so far and returns the node that replaces one of them. */
typedef struct node *att_hook(const struct attention *a, struct tape *t, const struct att_nodes *n);

/*
 * Tells how pruning cuts a parameter of the site (struct cut in tape/params.h).  Dimension `axis`
 * of the unpruned parameter consists of `parts` equal parts, and each part of one block for each
 * head; the blocks of the heads in s->head are retained.  The result points to s->head.
 */
struct cut site_cut(const struct site *s, int axis, int parts);

/*
 * A test case of a variant: `specs` are values of -a, separated by blanks.  In a neutral case, loss
 * and gradients must be those of the plain model; in other cases, the loss must differ.
 */
struct attention_case {
	const char *specs;
	enum attention_neutral {
		NOT_NEUTRAL,
		NEUTRAL,		/* because of the settings */
		NEUTRAL_IF_ZERO,	/* if the parameters that the variants add are 0 */
		NEUTRAL_IF_IDENTITY,	/* if those parameters are identity matrices, or 0 if they
					 * are not square */
		NEUTRAL_IF_LINKED	/* if the fields of trees link all pairs of tokens, and
					 * there is no end-of-sentence token */
	} neutral;
};

struct attention_variant {
	const char *name;		/* the name for --attention (-a) */
	const char *paper;		/* authors, year and title, printed by -a help */
	int version;			/* stored in the model; raise it when the meaning of
					 * parameters changes */
	size_t state_size;		/* bytes of attention_state() at each site */

	const void *defaults;		/* initial state, state_size bytes; NULL: zeros */
	const struct opt *options;	/* the settings in name:key=value,..., stored in the state;
					 * NULL: none */
	const struct field *needs;	/* stream fields that training and decoding need; NULL:
					 * none */
	const struct field *training_needs;	/* further fields that training needs; NULL: none */
	bool (*reads)(const struct attention *a, const char *field);	/* whether, with the current
									 * settings, `field` of
									 * training_needs is read;
									 * NULL: always */

	/*
	 * Called once for each site, after the settings have been read.  Returns 0 if the variant
	 * is active at the site, and 1 if not; then no hook but reads() and close() is called
	 * there.  Returns -1 for
	 * settings that do not fit the model, and for a pruned site if, with this variant, removing
	 * heads changes more than masking them.  Sites without retained heads are opened, but no
	 * hook is called there.  After params(), hooks must not change the state, because several
	 * batches may be in progress at once.
	 */
	int  (*open)(struct attention *a, const struct site *s, struct err *e);
	void (*close)(struct attention *a);	/* not called if open() returned -1; texts of
						 * settings are still valid */
	void (*params)(struct attention *a, struct params *p);	/* adds the variant's parameters to
								 * p */

	/*
	 * Whether output() replaces the output projection of the site, which then has no
	 * parameters.
	 */
	bool (*owns_output)(const struct attention *a);

	/*
	 * Called once for each batch and site, before the encoder runs.  Computes what the other
	 * hooks need from the records, such as labels of pairs of tokens, and stores it with
	 * batch_keep() (data/batch.h).  Returns 0 or -1.
	 */
	int  (*batch)(const struct attention *a, struct batch *b, struct err *e);

	/*
	 * For a variant without scores() that adds biases to the scores of self-attention, which
	 * depend on the distance from query to key.  Returns the table of biases of
	 * op_distance_bias() (ops/ops.h), and sets *rule.  Fused attention, which computes a whole
	 * site in one op, is still used and adds the biases itself.  If another variant prevents
	 * fused attention, the biases are added when the scores hooks run.
	 */
	struct node *(*bias)(const struct attention *a, struct tape *t, struct distance_bias *rule);
	att_hook *queries;		/* returns new queries */
	att_hook *scores;		/* returns new scores */
	att_hook *weights;		/* returns new weights */
	att_hook *context;		/* returns new head outputs */
	att_hook *heads;		/* after the context hooks of all variants: multiplies head
					 * outputs by gates or weights */
	/*
	 * For a variant whose only effect outside training is to multiply the output of each head
	 * by a factor: returns this factor.  head-prune(1) folds it into the output projection.
	 * `head` counts from 0.
	 */
	double (*gate)(const struct attention *a, int head);
	/*
	 * The factor of gate() before the variant rounded it, for reports; NULL: gate() does not
	 * round.
	 */
	double (*unrounded)(const struct attention *a, int head);
	att_hook *output;		/* returns the output of the site, [R,D], in place of the
					 * output projection */
	/*
	 * Prevents fused attention, which keeps no scores and weights, at the sites of this
	 * variant.  Set it if loss() or another hook reads scores or weights.  Not needed with the
	 * hooks scores() and weights(), which prevent fused attention in any case, as do two
	 * variants with bias().
	 */
	unsigned unfused:1;

	/*
	 * Called after the last layer.  Returns the variant's loss on the batch, a scalar already
	 * multiplied by its coefficient, which is added to the cross-entropy summed over target
	 * tokens; or NULL.  Without count(), the loss is a sum over target tokens, and `scale` is
	 * 1.  If the loss is a mean over other items, such as supervised rows, count() returns the
	 * number of these items in `b`, and loss() returns the sum over the items times `scale`.
	 * `scale` is the number of target tokens divided by the number of items, both in the whole
	 * update or, outside training, in `b`; 0 if there are no items.
	 */
	struct node *(*loss)(const struct attention *a, struct tape *t, const struct batch *b,
			     real scale);
	double (*count)(const struct attention *a, const struct batch *b);

	/*
	 * Called after each batch of the development set.  Adds measures for the training log to
	 * the means `y` (data/means.h).
	 */
	void (*report)(const struct attention *a, struct tape *t, const struct batch *b,
		       struct means *y);
	/*
	 * Called after the development set.  Adds values that are computed from the means over all
	 * batches and ranks (train/ranks.h) to `y`, and appends what the user should be warned of
	 * to `warning`.  All sites share this buffer.
	 */
	void (*conclude)(const struct attention *a, struct means *y, struct buf *warning);

	/*
	 * Returns the node with the weight of each head for each query, [R,H], which is on the tape
	 * `t` after a pass.  head-map(1) draws it.
	 */
	struct node *(*importance)(const struct attention *a, const struct tape *t);
	const struct attention_case *cases;	/* test cases; ends with {0} */
	const struct attention_picture *pictures;	/* further figures of head-map(1); the last
							 * one has the name NULL; or NULL */
};

/* --- for variants */

/* The state, of attention_variant.state_size bytes, and the site of a variant at one site. */
void *attention_state(const struct attention *a);
const struct site *attention_site(const struct attention *a);
/*
 * A result for open().  Returns 0 if the site is self-attention of the encoder in one of the layers
 * `first` to `last_layer`, and 1 if not.  Layers count from 1; a `last_layer` of 0 means the top
 * layer.  Returns -1 for a site of the encoder if the model does not have these layers, or if
 * `first` is above `last_layer`.
 */
int attention_in_encoder(const struct site *s, int64_t first, int64_t last_layer, struct err *e);
/*
 * Rows of an option table (base/cli.h) for these layers.  `type` is the type of the state, whose
 * members `first` and `last` are int64_t, and `max_layer` the highest value that is accepted.
 */
#define ATTENTION_FIRST(type, max_layer) { .kind = OPT_INT, .long_name = "first", .arg = "layer", \
	.help = "first encoder layer", .at = offsetof(type, first), .min = 1, .max = (max_layer) }
#define ATTENTION_LAST(type, max_layer) { .kind = OPT_INT, .long_name = "last", .arg = "layer", \
	.help = "last encoder layer; 0: the top layer", .at = offsetof(type, last), \
	.max = (max_layer) }
/*
 * Returns the variant `name` that precedes the variant of `a` on the command line, at the site of
 * `a`; NULL if there is none or it is not active there.
 */
const struct attention *attention_before(const struct attention *a, const char *name);
/*
 * Returns the variant `name` that precedes the variant of `a` on the command line, at the first
 * site of the kind `where` at which it is active; NULL if there is none.
 */
const struct attention *attention_anywhere_before(const struct attention *a, const char *name,
						  enum site_where where);
/*
 * Whether a variant that precedes that of `a` on the command line changes the scores at the site of
 * `a`.
 */
bool attention_biased(const struct attention *a);
/*
 * Returns the variant of `a` at its first active site.  What all sites of the variant share, such
 * as labels, can be kept there.
 */
const struct attention *attention_leader(const struct attention *a);
/* Returns the variant of `a` at its next active site, or NULL. */
const struct attention *attention_next(const struct attention *a);
/* The number of sites where the variant of `a` is active; known once all sites have been opened. */
size_t attention_n_sites(const struct attention *a);
/* Returns all sites of the model, and sets *n to their number. */
const struct site *attention_sites(const struct attention *a, size_t *n);
/*
 * The first function returns the attention weights before dropout at the site of `a`, as they are
 * on the tape after a pass.  The second returns the scores of the softmax from which they are made.
 */
struct node *attention_weights(const struct attention *a, const struct tape *t);
struct node *attention_scores(const struct attention *a, const struct tape *t);
/* A report() hook for variants of which needs[0] is a field of trees: the sentences without it. */
void attention_report_treeless(const struct attention *a, struct tape *t, const struct batch *b,
			       struct means *y);
/* For report() and conclude(): means_add() (data/means.h), with a name as printf(3) formats it. */
void attention_mean(struct means *y, double sum, double count, const char *fmt, ...)
	PRINTF_LIKE(4, 5);
const struct attention_variant *attention_find(const char *name);	/* the variant of this name;
									 * or NULL */
extern const struct attention_variant *const attention_variants[];	/* all variants, then
									 * NULL */
/* Further variants, then NULL, if the program defines this array, as tests do. */
extern const struct attention_variant *const attention_extra[] WEAK;

/* --- for models */

/*
 * Opens the variants of a model, given by `n` specs, at all sites.  A spec is "name" or
 * "name:key=value,...".  The sites must outlive the set.  Returns NULL on error.
 */
struct attention_set *attention_set_new(const char *const *spec, size_t n, const struct site *sites,
					size_t n_sites, struct err *e);
void attention_set_free(struct attention_set *s);
void attention_set_params(struct attention_set *s, struct params *p);
/*
 * Runs the batch hooks; model_batch() does so before a batch is encoded.  Returns -1 if a hook
 * does.
 */
int attention_set_batch(struct attention_set *s, struct batch *b, struct err *e);
/* Whether attention_set_batch() has been called for `b`, or no variant has a batch hook. */
bool attention_set_ready(const struct attention_set *s, const struct batch *b);
/* Whether no variant is active at the site. */
bool attention_set_empty(const struct attention_set *s, size_t site);
/*
 * Whether fused attention may run at a site: no variant reads scores or weights there, and at most
 * one variant has a bias hook.
 */
bool attention_set_fused(const struct attention_set *s, size_t site);
/*
 * Returns the table of biases for fused attention and sets *rule, as the bias hook; NULL without
 * one.
 */
struct node *attention_set_bias(const struct attention_set *s, size_t site, struct tape *t,
				struct distance_bias *rule);
bool attention_set_owns_output(const struct attention_set *s, size_t site);
/*
 * Whether the output projection reads each head at the site separately: no variant mixes the heads
 * or replaces the projection.  Gates on the heads are allowed.
 */
bool attention_set_projects_heads(const struct attention_set *s, size_t site);
/*
 * Each function runs the hooks of one kind at a site, in the order of the specs.  The result of
 * each hook replaces a member of `n`: n->q, n->scores or n->weights; for the hooks context and
 * heads, n->context.  The functions return this member after the last hook.
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
/*
 * Returns the result of the importance hook, [R,H], of the last variant with one; NULL without one.
 */
struct node *attention_set_importance(const struct attention_set *s, size_t site,
				      const struct tape *t);
/* Returns the output of the variant that replaces the output projection; NULL if none does. */
struct node *attention_set_output(const struct attention_set *s, size_t site, struct tape *t,
				  const struct att_nodes *n);
/*
 * Multiplies the elements of `gate` [heads of all sites] (attention-heads.h) by the factors of the
 * gate hooks of all variants.  Returns false if no variant has this hook.
 */
bool attention_set_gates(const struct attention_set *s, double *gate);
/* Like attention_set_gates(), with the factors before the variants rounded them. */
void attention_set_unrounded(const struct attention_set *s, double *gate);
bool attention_set_gated(const struct attention_set *s, size_t site);	/* whether a variant has
									 * gates at the site */
/*
 * Returns the sum of the losses of all variants; NULL if there are none.  In training, the scales
 * of the losses follow from b->counts and b->target (data/batch.h).
 */
struct node *attention_set_loss(const struct attention_set *s, struct tape *t,
				const struct batch *b);
size_t attention_set_n_counts(const struct attention_set *s);	/* number of elements of
								 * attention_set_count(); 0: no
								 * variant has count() */
/*
 * Adds the results of the count hooks for `b` to `counts`, which has attention_set_n_counts()
 * elements.
 */
void attention_set_count(const struct attention_set *s, const struct batch *b, double *counts);
/* Runs the report hooks. */
void attention_set_report(const struct attention_set *s, struct tape *t, const struct batch *b,
			  struct means *y);
/* Runs the conclude hooks, and calls warn_fn() with `arg` for each variant with a warning. */
typedef void attention_warn(void *arg, const char *variant, const char *warning);
void attention_set_conclude(const struct attention_set *s, struct means *y, attention_warn *warn_fn,
			    void *arg);
/*
 * Returns the stream fields that the variants need in training or, if `training` is false, in
 * decoding.  The array ends with {0} and belongs to `s`.
 */
const struct field *attention_set_needs(const struct attention_set *s, bool training);
/*
 * The variants, for the model file.  attention_set_n() returns their number.
 * attention_set_describe() appends the spec of variant `i`, with all settings except those of
 * `omit` (base/cli.h) that are 0, to `spec`, and sets *version to its version.
 * attention_set_variant() returns the constant of variant `i`.
 */
size_t attention_set_n(const struct attention_set *s);
void attention_set_describe(const struct attention_set *s, size_t i, struct buf *spec,
			    int *version);
const struct attention_variant *attention_set_variant(const struct attention_set *s, size_t i);
/*
 * Returns the variant `name` at a site or, if it is not active there, at its first active site.
 * Returns NULL if the model does not have the variant, or if it is active at no site.
 */
const struct attention *attention_set_find(const struct attention_set *s, const char *name,
					   size_t site);

/* Prints the variants, their papers, and their settings with defaults, for -a help. */
void attention_help(void);

#endif
