/*
 * attention: what a paper changes about multi-head attention.
 *
 * The plain Transformer is every hook left NULL.  A paper is one file,
 * common/attention/NAME.c, with one constant, attention_NAME.  Hooks compose
 * ops on the tape, so gradients and relevance follow from the ops.  Several
 * variants may be in force at once (-a dbsa -a l0-gate); each hook runs
 * in the order of the command line, on what the one before it returned.
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

struct attention;		/* one variant at one site; made by the model */
struct attention_set;
struct batch;
struct buf;
struct field;
struct node;
struct opt;
struct means;
struct tape;

struct site {
	enum site_where { ENCODER_SELF, DECODER_SELF, DECODER_CROSS } where;
	int layer, n_layers;		/* layer counts from 1 */
	int heads, head_dim, model_dim;	/* heads that are left, maybe none: then nothing is computed
					 * there */
	int all_heads;			/* heads before some were removed ... */
	const int *head;		/* ... [heads] and which of those they are, from 0, rising:
					 * what people call them, less 1 */
	const char *name;		/* "enc.1.self": in front of its parameters' names */
};

/*
 * Everything computed so far at this site; what is not there yet is NULL.
 * Rows are packed tokens; R queries and M keys in the whole batch, H heads,
 * d = head_dim.  Scores and weights are one [H, T_i, S_i] block a sentence.
 */
struct att_nodes {
	const struct batch *batch;	/* NULL in a step of decoding */
	struct node *x, *memory;	/* [R,D], [M,D]: input, and what is attended to */
	struct node *q, *k, *v;		/* [R,H*d], [M,H*d] twice */
	struct node *scores;		/* blocks, scaled; the future already -inf */
	struct node *weights;		/* blocks */
	struct node *dropped;		/* the weights behind their dropout, as values are multiplied by them */
	struct node *context;		/* [R,H*d] weights times v */
	struct node *plain_scores, *plain_context;	/* before any variant touched them */
	int first;			/* position of the first query of sentence 0: not 0 when decoding with a
					 * cache; in general S_i - T_i */
	const int *sentence;		/* decoding: sentence[i] of the batch; else NULL */
};

typedef struct node *att_hook(const struct attention *a, struct tape *t, const struct att_nodes *n);


/*
 * How a parameter of the site is cut whose dimension `axis` has `parts` runs of blocks by head;
 * see params.h.
 */
struct cut site_cut(const struct site *s, int axis, int parts);

struct attention_variant {
	const char *name;		/* the word after --attention */
	const char *paper;		/* who, when, where: shown by -a help */
	int version;			/* kept in the model; raise when parameters change meaning */
	size_t state_size;		/* private bytes behind attention_state(), zeroed */

	const void *defaults;		/* state_size bytes to begin with instead of zeros, or NULL */
	const struct opt *options;	/* name:key=value,... into the state; NULL for none */
	const struct field *needs;	/* stream fields that training and decoding must carry */
	const struct field *training_needs;	/* more that training must carry, if reads() says so of it; NULL */
	bool (*reads)(const struct attention *a, const char *field);	/* by the settings, at any site */

	/*
	 * Once a site, the options read.  Say no here, not later (-1): heads that do not divide, and so
	 * on; heads that were removed, if that is more than to close them.  1: nothing to do at
	 * this site; no hook of it is called there.  A site without heads is asked, too, but no
	 * hook is called there.  From params() on the state is read only: several batches are
	 * on their way at once.
	 */
	int  (*open)(struct attention *a, const struct site *s, struct err *e);
	void (*close)(struct attention *a);	/* unless open() said -1; texts of settings are freed behind it */
	void (*params)(struct attention *a, struct params *p);	/* names and shapes only */

	/* Its parameters stand for the site's output projection, which then has none; NULL: never. */
	bool (*owns_output)(const struct attention *a);

	/* Once a batch, before the first layer: masks, distances, phrase labels, for batch_keep(). */
	int  (*batch)(const struct attention *a, struct batch *b, struct err *e);

	att_hook *queries;		/* replaces the queries before there are scores */
	att_hook *scores;		/* bias or replace the scores */
	att_hook *weights;		/* ... the weights, with the scores at hand */
	att_hook *context;		/* ... what each head brings home */
	att_hook *heads;		/* gate, drop or weigh the heads, still apart */
	/*
	 * If it has this, all that it does outside training is to multiply what a head, from 0,
	 * brings home by this number, so that a model can do without it.
	 */
	double (*gate)(const struct attention *a, int head);
	att_hook *output;		/* [R,D] in the place of the output projection, if owns_output() */
	/*
	 * No fused op where it is, as where it has hooks of scores or weights: its loss reads
	 * them, or its hook of the context or the heads does, which otherwise finds none.
	 */
	unsigned unfused:1;

	/*
	 * After the last layer: a weighted scalar that is added to the summed cross-entropy, or NULL.  What it
	 * sums over the batch and should be a mean it multiplies by `each`: the target symbols of the update
	 * for each of what count() counted in it.  Without count() that is 1: a mean over target symbols.
	 */
	struct node *(*loss)(const struct attention *a, struct tape *t, const struct batch *b, real each);
	double (*count)(const struct attention *a, const struct batch *b);

	/* After a batch of the development set: what goes to the log, open heads, mask density, ... */
	void (*report)(const struct attention *a, struct tape *t, const struct batch *b, struct means *y);
	/*
	 * After the whole of it: adds what follows from the means of all batches and processes,
	 * and appends to warning what somebody should know, if anything; one text for all sites.
	 */
	void (*conclude)(const struct attention *a, struct means *y, struct buf *warning);
};

void *attention_state(const struct attention *a);
const struct site *attention_site(const struct attention *a);
/*
 * For open(): 0 at encoder self-attention of the layers first to last, counted from 1 (last 0: all that follow),
 * 1 elsewhere, -1 if there are no such layers.
 */
int attention_in_encoder(const struct site *s, int64_t first, int64_t last, struct err *e);
/* A variant that stands before this one on the command line, at the same site, and has work there; or NULL. */
const struct attention *attention_before(const struct attention *a, const char *name);
/* The same at the first site of a kind where it has work. */
const struct attention *attention_anywhere_before(const struct attention *a, const char *name, enum site_where where);
/* Is there one before it that changes the scores there? */
bool attention_biased(const struct attention *a);
/* What it has at the first site where it works: a setting's labels are made once, for all its sites. */
const struct attention *attention_leader(const struct attention *a);
size_t attention_n_sites(const struct attention *a);	/* sites where it works, once all are
							 * open */
/* All sites of the model, for open() to read what names some of them. */
const struct site *attention_sites(const struct attention *a, size_t *n);
/* The weights of its site on this tape, before dropout, and the scores that they are the softmax of. */
struct node *attention_weights(const struct attention *a, const struct tape *t);
struct node *attention_scores(const struct attention *a, const struct tape *t);
const struct attention_variant *attention_find(const char *name);	/* or NULL */
extern const struct attention_variant *const attention_variants[];	/* NULL at the end */
/* More of them, NULL at the end, for a program that defines this: tests bring their own. */
extern const struct attention_variant *const attention_extra[] WEAK;

/*
 * The variants of a whole model: one struct attention for every site and spec.
 * A spec is "name" or "name:key=value,...".
 */
struct attention_set *attention_set_new(const char *const *spec, size_t n, const struct site *sites,
					size_t n_sites, struct err *e);	/* NULL on error */
void attention_set_free(struct attention_set *s);
void attention_set_params(struct attention_set *s, struct params *p);
/* Before a batch is encoded (model_batch() does it); bug() later if a variant wants it and it was not. */
int attention_set_batch(struct attention_set *s, struct batch *b, struct err *e);
bool attention_set_ready(const struct attention_set *s, const struct batch *b);	/* that has been done for b */
int attention_set_fused(const struct attention_set *s,
			size_t site);	/* nobody asks for scores or weights */
bool attention_set_owns_output(const struct attention_set *s, size_t site);
/* Does the site's output projection read each head from columns of its own, maybe times a gate? */
bool attention_set_projects_heads(const struct attention_set *s, size_t site);
/*
 * Runs one kind of hook at a site, in the specs' order; hook is offsetof(struct attention_variant, scores)
 * and so on.  Each result takes its place in n (that of heads is a context); the last is returned.
 */
struct node *attention_set_hook(const struct attention_set *s, size_t site, size_t hook, struct tape *t,
				struct att_nodes *n);
/* In the place of the output projection, if somebody owns it; else NULL. */
struct node *attention_set_output(const struct attention_set *s, size_t site, struct tape *t,
				  const struct att_nodes *n);
/*
 * Multiplies gate[heads of the model, one site's after the other] by what gate() says; false if
 * nobody says anything.
 */
bool attention_set_gates(const struct attention_set *s, double *gate);
bool attention_set_gated(const struct attention_set *s, size_t site);	/* at this site */
/* The sum of their losses, or NULL; see counts in struct batch. */
struct node *attention_set_loss(const struct attention_set *s, struct tape *t, const struct batch *b);
size_t attention_set_n_counts(const struct attention_set *s);		/* 0 if nobody counts */
void attention_set_count(const struct attention_set *s, const struct batch *b, double *counts);	/* adds */
void attention_set_report(const struct attention_set *s, struct tape *t, const struct batch *b, struct means *y);
/* Calls told for each variant that has a warning. */
typedef void attention_warn(void *arg, const char *variant, const char *warning);
void attention_set_conclude(const struct attention_set *s, struct means *y, attention_warn *warn_fn,
			    void *arg);
/* All needs of all variants, with what training wants too or without; ends with {0}; lives as long as s. */
const struct field *attention_set_needs(const struct attention_set *s, bool training);
/* For the model file: the specs with every option spelt out, and versions. */
size_t attention_set_n(const struct attention_set *s);
void attention_set_describe(const struct attention_set *s, size_t i, struct buf *spec, int *version);
const struct attention_variant *attention_set_variant(const struct attention_set *s, size_t i);

/* Prints variants, papers and options: -a help. */
void attention_help(void);

#endif
