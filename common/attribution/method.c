/* method: common functions of token attributions; see method.h. */
#include "attribution/method.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/layer-params.h"
#include "model/model-input.h"
#include "ops/ops.h"

enum { ROWS_TOGETHER = 4096 };

int
method_batch(struct model *m, const struct record *rec, int64_t number, bool cut, int n,
	     struct arena *mem, struct batch *b, struct err *e)
{
	const struct record **records = ARENA_ARRAY(mem, const struct record *, n);
	int64_t *numbers = ARENA_ARRAY(mem, int64_t, n);
	struct batch_rules rules;

	for (int i = 0; i < n; i++) {
		records[i] = rec;
		numbers[i] = number;
	}
	model_batch_rules(m, &rules);
	rules.word_dropout = 0;
	rules.cut = cut;
	return model_batch(m, b, mem, records, numbers, n, &rules, e);
}

int
method_copies(struct method_run *r, int n, struct batch *b, struct err *e)
{
	tape_rewind(r->tape);
	return method_batch(r->m, r->rec, r->number, r->cut, n, tape_arena(r->tape), b, e);
}

int
method_logits(struct method_run *r, int first, int n, struct batch *b, struct node **sum,
	      struct err *e)
{
	struct tape *t = r->tape;
	struct node *h;
	real *x;

	if (method_copies(r, n, b, e))
		return -1;
	h = model_decode(r->m, t, b, model_encode(r->m, t, b));
	x = arena_zero(tape_arena(t), node_size(h) * sizeof(*x));
	for (int i = 0; i < n; i++) {
		const ptrdiff_t row = b->tgt.layout.start[i] + first + i;

		logit_weights(r->m, r->out->token[first + i], r->foil, x + row * h->d[1]);
	}
	*sum = op_sum(t, op_multiply(t, h, tape_leaf(t, NULL, 2, h->d, x, NULL)));
	return 0;
}

int
method_together(int rows)
{
	return rows < ROWS_TOGETHER ? ROWS_TOGETHER / rows : 1;
}

void
method_watch(void *arg, const struct node *n, enum tape_phase phase, bool done)
{
	struct method_run *r = arg;

	if (phase == TAPE_FORWARD && done && !strncmp(n->op->name, "residual", 8))
		r->residual[r->n_residual++] = (struct node *)(uintptr_t)n;
}

int
method_layer(const struct model *m, bool target, int layer)
{
	return target ? 2 * (int)m->config.enc_layers + 3 * layer : 2 * layer;
}

/* --- logits --- */

static real
bias_of(const struct model_layers *l, int token)
{
	return l->output_bias ? l->output_bias->x[token] : 0;
}

real
logit_weights(const struct model *m, int token, int foil, real *w)
{
	const struct model_layers *l = m->layers;
	const size_t d = (size_t)l->output->d[1];
	real *other;

	param_row(l->output, token, w);
	if (foil < 0)
		return bias_of(l, token);
	other = xcalloc(d, sizeof(*other));
	param_row(l->output, foil, other);
	for (size_t i = 0; i < d; i++)
		w[i] -= other[i];
	free(other);
	return bias_of(l, token) - bias_of(l, foil);
}

int
logit_token(const struct model *m, const char *text, int *id, struct err *e)
{
	for (*id = VOCAB_EOS; *id < VOCAB_SPECIALS; ++*id)
		if (!strcmp(text, vocab_text(&m->tgt, *id, NULL)))
			return 0;
	*id = vocab_id(&m->tgt, text, strlen(text));
	if (*id != VOCAB_UNK)
		return 0;
	return err_usage(e, "'%s' is not in the target vocabulary of the model", text);
}

/* --- rollout --- */

void
rollout_init(struct rollout *r, const struct method_run *run)
{
	const struct lrp_sentence *out = run->out;
	const size_t S = (size_t)out->source_tokens, T = (size_t)out->positions;
	const size_t most = S > T ? S : T;

	*r = (struct rollout){
		.sources = (int)S, .targets = (int)T, .src = out->src, .tgt = out->tgt,
		.enc = arena_zero(run->keep, S * S * sizeof(double)),
		.room = arena_zero(run->keep, most * most * sizeof(double)),
	};
	for (size_t i = 0; i < S; i++)
		r->enc[i * S + i] = 1;
	for (size_t i = 0; i < T; i++)
		r->tgt[i * T + i] = 1;
}

void
rollout_add_product(int m, int k, int n, bool turned, const double *a, const double *b, double *out)
{
	for (ptrdiff_t i = 0; i < m; i++)
		for (ptrdiff_t j = 0; j < k; j++) {
			const double by = turned ? a[j * m + i] : a[i * k + j];

			for (ptrdiff_t c = 0; by != 0 && c < n; c++)
				out[i * n + c] += by * b[j * n + c];
		}
}

/* x [m, n] = self [m, m] x */
static void
rollout_mix(const struct rollout *r, int m, int n, const double *self, double *x)
{
	const size_t size = (size_t)m * (size_t)n * sizeof(*x);

	memcpy(r->room, x, size);
	memset(x, 0, size);
	rollout_add_product(m, m, n, false, self, r->room, x);
}

void
rollout_encoder(struct rollout *r, const double *self)
{
	rollout_mix(r, r->sources, r->sources, self, r->enc);
}

void
rollout_decoder(struct rollout *r, const double *self, const double *cross)
{
	rollout_mix(r, r->targets, r->sources, self, r->src);
	rollout_mix(r, r->targets, r->targets, self, r->tgt);
	rollout_add_product(r->targets, r->sources, r->sources, false, cross, r->enc, r->src);
}
