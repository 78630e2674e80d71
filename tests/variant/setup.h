/*
 * setup: small models and batches for the tests in this folder, in double precision.  Each test
 * file is one program and includes this once.
 */
#ifndef SETUP_H
#define SETUP_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/rng.h"
#include "model/layer-params.h"
#include "model/model-input.h"
#include "model/runtime.h"
#include "../unit/letters.h"

enum { MOST = 8 };

/* The presets, and architectures of other toolkits, with settings that no preset has. */
#define SETUP_NAMES "fairseq", "onmt", "witwicky", "story", "marian", "bart", "m2m", "t5"
enum { SETUP_MODELS = 8 };

UNUSED static const struct preset *
setup_preset(const char *name)
{
	const struct preset *p = preset_find(name);

	return p ? p : preset_find("fairseq");
}

static void
setup_switches(struct model_config *c, const char *name)
{
	if (!strcmp(name, "marian")) {
		c->activation = ACTIVATION_SWISH;
		c->positions = POSITIONS_HUGGINGFACE;
		c->position_first = 0;
		c->first = TARGET_ZERO;
		c->output_bias = c->output_mask = true;
		c->dec_ff = 10;
	} else if (!strcmp(name, "bart")) {
		c->activation = ACTIVATION_GELU;
		c->positions = POSITIONS_LEARNED;
		c->embed_scale = EMBED_SCALE_ONE;
		c->embed_norm = true;
		c->tie = TIE_ALL;
	} else if (!strcmp(name, "m2m")) {
		c->activation = ACTIVATION_GELU_TANH;
		c->positions = POSITIONS_LEARNED;
		c->pre_norm = c->final_norm = true;
	} else if (!strcmp(name, "t5")) {
		c->activation = ACTIVATION_GELU_TANH;
		c->head_width = 3;
		c->norm = NORM_RMS;
		c->pre_norm = c->final_norm = c->ff_gate = c->no_bias = true;
		c->positions = POSITIONS_NONE;
		c->embed_scale = EMBED_SCALE_ONE;
		c->score_scale = SCORE_SCALE_ONE;
		c->output_scale = OUTPUT_SCALE_SQRT;
		c->init = INIT_STYLE_T5;
	}
}

UNUSED static struct model_config
setup_config(const char *preset)
{
	struct model_config c = setup_preset(preset)->config;

	c.enc_layers = c.dec_layers = 2;
	c.width = 8;
	c.ff = 12;
	c.heads = 2;
	c.max_length = 16;
	setup_switches(&c, preset);
	return c;
}

/* A model with gradients; with seed 0, all values are 0. */
UNUSED static struct model *
setup_model_of(const struct model_config *c, const char *preset, const char *const *spec,
	       size_t n_specs, uint64_t seed)
{
	const char *both = "abcdefghijklmnopqrstuv";
	struct vocab src, tgt;
	struct model *m;
	struct err e;

	letters(&src, c->tie == TIE_ALL ? both : "abcdefghij");
	letters(&tgt, c->tie == TIE_ALL ? both : "klmnopqrstuv");
	m = model_new(c, &src, &tgt, spec, n_specs, &e);
	if (!m)
		fail_msg("%s", e.text);
	m->recipe = setup_preset(preset)->recipe;
	if (m->tgt_valid)
		m->tgt_valid[VOCAB_SPECIALS + 1] = m->tgt_valid[VOCAB_PAD] = 0;
	params_allocate(&m->params, true);
	if (seed)
		model_randomize(m, seed);
	return m;
}

UNUSED static struct model *
setup_model(const char *preset)
{
	const struct model_config c = setup_config(preset);

	return setup_model_of(&c, preset, NULL, 0, 7);
}

/* Moves norms and biases from their initial values, at which wrong gradients could pass. */
UNUSED static void
setup_stir(struct model *m)
{
	struct rng r;

	rng_init(&r, 11, rng_purpose("stir"), 0);
	for (size_t i = 0; i < m->params.n; i++)
		for (size_t j = 0; j < m->params.list[i]->n; j++)
			m->params.list[i]->x[j] += 0.1 * rng_normal(&r);
}

/* "ab|kl" is a sentence of two tokens on each side. */
UNUSED static void
set_side(struct record *rec, const char *field, const char *letters, size_t n)
{
	struct str piece[64];

	for (size_t i = 0; i < n; i++)
		piece[i] = (struct str){ letters + i, 1 };
	record_set_strs(rec, field, piece, n);
}

/* Adds a field with a value for each pair of tokens of a side, [n,n]. */
UNUSED static void
set_pairs(struct record *rec, const char *name, enum tensor_type type, int n, const void *data)
{
	const struct tensor t = { .type = type, .n_dim = 2, .d = { n, n }, .data = data };

	record_set_tensor(rec, name, &t);
}

/* Adds fields of a test to record `number` with these numbers of subwords; NULL: none. */
UNUSED static void (*setup_annotate)(struct record *rec, int64_t number, int src, int tgt);

struct setup_batch {
	struct batch b;
	struct record *rec[MOST];
	int64_t number[MOST];
	struct arena mem;
};

/*
 * Makes a batch of sentences with their numbers.  The rules are the model's for training, except
 * for the members that the caller has set in r.
 */
UNUSED static void
setup_batch_with(struct setup_batch *s, struct model *m, const char *const *text,
		 const int64_t *number, int n, const struct batch_rules *r)
{
	struct err e;

	arena_init(&s->mem, 1 << 16);
	for (int i = 0; i < n; i++) {
		const char *bar = strchr(text[i], '|');

		s->rec[i] = record_new();
		s->number[i] = number ? number[i] : i;
		set_side(s->rec[i], "src.pieces", text[i], (size_t)(bar - text[i]));
		set_side(s->rec[i], "tgt.pieces", bar + 1, strlen(bar + 1));
		if (setup_annotate)
			setup_annotate(s->rec[i], s->number[i], (int)(bar - text[i]),
				       (int)strlen(bar + 1));
	}
	if (model_batch(m, &s->b, &s->mem, (const struct record *const *)s->rec, s->number, n, r,
			&e))
		fail_msg("%s", e.text);
}

UNUSED static void
setup_batch(struct setup_batch *s, struct model *m, const char *const *text, const int64_t *number,
	    int n)
{
	struct batch_rules r;

	model_batch_rules(m, &r);
	r.seed = 5;
	setup_batch_with(s, m, text, number, n, &r);
}

UNUSED static void
setup_batch_end(struct setup_batch *s)
{
	for (int i = 0; i < s->b.n; i++)
		record_free(s->rec[i]);
	arena_release(&s->mem);
}

UNUSED static void
setup_runtime(struct runtime *run, int threads, bool training)
{
	struct err e;

	if (runtime_open(run, NULL, PRECISION_FP32, threads, &e))
		fail_msg("%s", e.text);
	run->pass.seed = 3;
	run->pass.step = 9;
	run->pass.training = training;
}

/* Sets all gradients to values that must not reach those of the next backward pass. */
UNUSED static void
setup_spoil_gradients(struct params *p)
{
	for (size_t i = 0; i < p->n; i++)
		for (size_t k = 0; k < p->list[i]->n; k++)
			p->list[i]->grad[k] = NAN;
}

/* The loss of a batch and, if requested, its gradient. */
UNUSED static double
setup_loss(struct model *m, struct runtime *run, const struct batch *b, bool gradient)
{
	struct node *loss;

	tape_rewind(run->tape);
	if (gradient)
		setup_spoil_gradients(&m->params);
	tape_gradients_to(run->tape, m->params.grad);
	loss = model_loss(m, run->tape, b, NULL);
	if (gradient) {
		tape_gradient(run->tape, loss, 1);
		tape_zero_missing_gradients(run->tape, &m->params);
	}
	return loss->x[0];
}

/* |a - b| relative to the larger of a, b and floor; infinity if that is not a number. */
UNUSED static double
off_by(double a, double b, double floor)
{
	double scale = fabs(a) > fabs(b) ? fabs(a) : fabs(b);
	double off = fabs(a - b) / (scale > floor ? scale : floor);

	return isnan(off) ? INFINITY : off;
}

/* The central difference of the loss with step h. */
UNUSED static double
setup_difference(struct model *m, struct runtime *run, const struct batch *b, real *x, double h)
{
	const double old = *x;
	double up, down;

	*x = old + h;
	up = setup_loss(m, run, b, false);
	*x = old - h;
	down = setup_loss(m, run, b, false);
	*x = old;
	return (up - down) / (2 * h);
}

/* The element of the largest gradient, or one whose gradient is not a number. */
UNUSED static size_t
setup_largest(const struct param *p)
{
	size_t at = 0;

	for (size_t i = 0; i < p->n; i++)
		if (isnan(p->grad[i]) || fabs(p->grad[i]) > fabs(p->grad[at]))
			at = i;
	return at;
}

/* Compares the gradient of p with differences: the largest element and some others. */
UNUSED static void
setup_check_param(struct model *m, struct runtime *run, const struct batch *b, struct param *p,
		  struct rng *r)
{
	for (int i = 0; i < 3; i++) {
		size_t at = i ? rng_below(r, (uint32_t)p->n) : setup_largest(p);
		double found = setup_difference(m, run, b, &p->x[at], 1e-5);

		/* A step over the kink of a ReLU is not valid; a smaller step stays on one side. */
		if (off_by(p->grad[at], found, 1e-2) > 1e-6)
			found = setup_difference(m, run, b, &p->x[at], 1e-6);
		if (off_by(p->grad[at], found, 1e-2) > 1e-6)
			fail_msg("%s[%zu]: gradient %.12g, difference %.12g", p->name, at,
				 p->grad[at], found);
	}
}

/* Checks all parameters of a model, with dropout. */
UNUSED static void
setup_check_gradient(struct model *m, const struct batch *b)
{
	struct runtime run;
	struct rng r;

	setup_runtime(&run, 1, true);
	setup_loss(m, &run, b, true);
	rng_init(&r, 1, rng_purpose("gradient test"), 0);
	for (size_t i = 0; i < m->params.n; i++)
		setup_check_param(m, &run, b, m->params.list[i], &r);
	runtime_close(&run);
}

static const char *const setup_text[] = { "abcd|lmn", "e|o", "fghia|pqrst", "bb|kk" };

/* The loss of these four sentences without dropout and, if requested, its gradient. */
UNUSED static double
setup_loss_of_text(struct model *m, int threads, bool gradient)
{
	struct setup_batch s;
	struct runtime run;
	double loss;

	setup_runtime(&run, threads, false);
	setup_batch(&s, m, setup_text, NULL, 4);
	loss = setup_loss(m, &run, &s.b, gradient);
	setup_batch_end(&s);
	runtime_close(&run);
	return loss;
}

#endif
