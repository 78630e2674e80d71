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

#include "base/compiler.h"
#include "base/err.h"

struct attention;		/* one variant at one site; made by the model */
struct batch;
struct buf;
struct field;
struct node;
struct opt;
struct params;
struct record;
struct tape;

struct site {
	enum site_where { ENCODER_SELF, DECODER_SELF, DECODER_CROSS } where;
	int layer, n_layers;		/* layer counts from 1 */
	int heads, head_dim, model_dim;
	const char *name;		/* "enc.1.self": in front of its parameters' names */
};

/*
 * Everything computed so far at this site; what is not there yet is NULL.
 * Rows are packed tokens; R queries and M keys in the whole batch, H heads,
 * d = head_dim.  Scores and weights are one [H, T_i, S_i] block a sentence.
 */
struct att_nodes {
	struct node *x, *memory;	/* [R,D], [M,D]: input, and what is attended to */
	struct node *q, *k, *v;		/* [R,H*d], [M,H*d] twice */
	struct node *scores;		/* blocks, scaled; the future already -inf */
	struct node *weights;		/* blocks */
	struct node *context;		/* [R,H*d] weights times v */
	int first;			/* position of the first query of sentence 0: not 0 when decoding with a
					 * cache; in general S_i - T_i */
	const int *sentence;		/* decoding: sentence[i] of the batch; else NULL */
};

typedef struct node *att_hook(struct attention *a, struct tape *t, const struct att_nodes *n);

struct attention_variant {
	const char *name;		/* the word after --attention */
	const char *paper;		/* who, when, where: shown by -a help */
	int version;			/* kept in the model; raise when parameters change meaning */
	size_t state_size;		/* private bytes behind attention_state(), zeroed */

	const void *defaults;		/* state_size bytes to begin with instead of zeros, or NULL */
	const struct opt *options;	/* name:key=value,... into the state; NULL for none */
	const struct field *needs;	/* stream fields that training and decoding must carry */

	/*
	 * Once a site, the options read.  Say no here, not later (-1): heads that do not divide, and so
	 * on.  1: nothing to do at this site; no hook of it is called there, and the fused op may stand in.
	 */
	int  (*open)(struct attention *a, const struct site *s, struct err *e);
	void (*close)(struct attention *a);
	void (*params)(struct attention *a, struct params *p);	/* names and shapes only */

	/* Once a batch, before the first layer: masks, distances, phrase labels. */
	int  (*batch)(struct attention *a, const struct batch *b, struct err *e);

	att_hook *scores;		/* bias or replace the scores */
	att_hook *weights;		/* ... the weights, with the scores at hand */
	att_hook *context;		/* ... what each head brings home */
	att_hook *heads;		/* gate, drop or weigh the heads, still apart */

	/* After the last layer: a weighted scalar for the training loss, or NULL. */
	struct node *(*loss)(struct attention *a, struct tape *t);

	/* Adds fields to the training log: open heads, mask density, ... */
	void (*report)(const struct attention *a, struct record *log);
};

void *attention_state(const struct attention *a);
const struct site *attention_site(const struct attention *a);
const struct attention_variant *attention_find(const char *name);	/* or NULL */
extern const struct attention_variant *const attention_variants[];	/* NULL at the end */
/* More of them, NULL at the end, for a program that defines this: tests bring their own. */
extern const struct attention_variant *const attention_extra[] WEAK;

/*
 * The variants of a whole model: one struct attention for every site and spec.
 * A spec is "name" or "name:key=value,...".
 */
struct attention_set;

struct attention_set *attention_set_new(const char *const *spec, size_t n, const struct site *sites,
					size_t n_sites, struct err *e);	/* NULL on error */
void attention_set_free(struct attention_set *s);
void attention_set_params(struct attention_set *s, struct params *p);
/* Before a batch is encoded (model_batch() does it); bug() later if a variant wants it and it was not. */
int attention_set_batch(struct attention_set *s, const struct batch *b, struct err *e);
bool attention_set_ready(const struct attention_set *s, const struct batch *b);	/* that has been done for b */
int attention_set_plain(const struct attention_set *s, size_t site);	/* no hook here: the fused op will do */
/*
 * Runs one kind of hook at a site, in the specs' order; hook is offsetof(struct attention_variant, scores)
 * and so on.  Each result takes its place in n (that of heads is a context); the last is returned.
 */
struct node *attention_set_hook(struct attention_set *s, size_t site, size_t hook, struct tape *t,
				struct att_nodes *n);
struct node *attention_set_loss(struct attention_set *s, struct tape *t);	/* the sum of theirs, or NULL */
void attention_set_report(const struct attention_set *s, struct record *log);
/* All needs of all variants, ends with {0}; lives as long as s. */
const struct field *attention_set_needs(const struct attention_set *s);
/* For the model file: the specs with every option spelt out, and versions. */
size_t attention_set_n(const struct attention_set *s);
void attention_set_describe(const struct attention_set *s, size_t i, struct buf *spec, int *version);
const struct attention_variant *attention_set_variant(const struct attention_set *s, size_t i);

/* Prints variants, papers and options: -a help. */
void attention_help(void);

#endif
