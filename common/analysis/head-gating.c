/* head-gating: see head-gating.h. */
#include "analysis/head-gating.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/gated-scores.h"
#include "attention/attention-heads.h"
#include "base/mem.h"
#include "base/rng.h"
#include "stream/signature.h"

enum { MAX_LOGIT = 4 };			/* that lambda pulls */
static const double MAX_NORM = 1;	/* of the gradient */
static const char *const clips[] = { "both", "far", NULL };

#define SETTING_INT(key, to, text) { .kind = OPT_INT, .long_name = #key, .arg = "n", \
	.help = (text), .at = offsetof(struct head_gating_how, key), .min = 1, .max = (to) }
#define SETTING_FLOAT(key, to, text) { .kind = OPT_FLOAT, .long_name = #key, .arg = "x", \
	.help = (text), .at = offsetof(struct head_gating_how, key), .min = 0, .max = (to) }

const struct opt head_gating_options[] = {
	SETTING_INT(fits, 10000, "fits from other random gates"),
	SETTING_INT(updates, 1000000, "updates of each of the three sets of gates of a fit"),
	SETTING_FLOAT(lr, 1000, "learning rate"),
	SETTING_FLOAT(lambda, 1000, "weight of the mean logit of the gates"),
	{ .kind = OPT_CHOICE, .long_name = "clip", .arg = "word", .choice = clips,
	  .help = "where lambda does not pull gates: at both ends, or at the far one",
	  .at = offsetof(struct head_gating_how, clip) },
	{ .kind = OPT_END }
};

int
head_gating_choose(struct head_gating_how *settings, const char *list, struct err *e)
{
	*settings = (struct head_gating_how){ .fits = 1, .updates = 500, .lr = 1, .lambda = 0.1 };
	return cli_settings(head_gating_options, settings, list, e);
}

void
head_gating_begin(struct head_gating *x, struct model *m, uint64_t seed)
{
	const size_t heads = heads_before(m->sites, m->n_sites);

	*x = (struct head_gating){ .m = m, .how = x->how, .seed = seed, .heads = heads };
	kept_batches_begin(&x->sample, m);
	model_gate_gradients(m);
	x->head = xcalloc(heads + 1, sizeof(*x->head));
	x->gate = xcalloc(heads + 1, sizeof(*x->gate));
}

void
head_gating_release(struct head_gating *x)
{
	kept_batches_release(&x->sample);
	free(x->head);
	free(x->gate);
	free(x->order);
	*x = (struct head_gating){ .m = NULL };
}

int
head_gating_add(struct head_gating *x, const struct forced *f, const struct batch *b,
		const struct node *nll, struct err *e)
{
	const struct record *rec[FORCED_SENTENCES];
	int n = 0;

	for (int i = 0; i < b->n; i++) {
		int64_t infinite;

		loss_of_sentence(nll, b, i, &infinite);
		if (!infinite)
			rec[n++] = b->record[i];
	}
	return n ? kept_batches_take(&x->sample, f, rec, n, e) : 0;
}

/* --- fits --- */

static double
gate_of(double logit)
{
	return 1 / (1 + exp(-logit));
}

/* The batch of the next update.  Each pass over the batches has them in another random order. */
static const struct batch *
gating_next_batch(struct head_gating *x)
{
	const int64_t n = (int64_t)x->sample.n, pass = x->update / n, at = x->update % n;

	if (!x->order)
		x->order = xcalloc(x->sample.n, sizeof(*x->order));
	if (!at) {
		struct rng r;

		rng_init(&r, x->seed, rng_purpose("gating order"), (uint32_t)pass);
		rng_permutation(&r, x->order, x->sample.n);
	}
	x->update++;
	return &x->sample.batch[x->order[at]].batch;
}

static bool
is_pulled(const struct head_gating_how *settings, double lambda, double logit)
{
	const double along = lambda > 0 ? logit : -logit;

	return along <= MAX_LOGIT && (settings->clip == GATING_CLIP_FAR || along >= -MAX_LOGIT);
}

/* The gradients by the gates, after the backward pass, times those of the gates by the logits. */
static void
take_gradients(struct head_gating *x, const struct tape *t)
{
	const struct model *m = x->m;
	struct gating_head *to = x->head;

	for (size_t i = 0; i < m->n_sites; i++) {
		const struct node *gate = m->sites[i].heads ? tape_find(t, m->gate_name[i])->in[1]
							    : NULL;

		for (int h = 0; h < m->sites[i].heads; h++, to++) {
			const double g = gate_of(to->logit);

			to->gradient = (double)gate->grad[h] * g * (1 - g);
		}
	}
}

/* The gradient of the loss by the logits, on one batch. */
static int
gradient(struct head_gating *x, struct tape *t, double lambda, struct err *e)
{
	const struct batch *b = gating_next_batch(x);
	struct node *nll;

	for (size_t h = 0; h < x->heads; h++)
		x->gate[h] = (real)gate_of(x->head[h].logit);
	tape_rewind(t);
	model_loss(x->m, t, b, &nll);
	if (!isfinite(nll->x[0]))
		return err_set(e, EXIT_INPUT, "the loss with gates is %g, expected a finite number",
			       (double)nll->x[0]);
	tape_gradient(t, nll, 1 / (real)b->tgt.layout.rows);
	take_gradients(x, t);
	for (size_t h = 0; h < x->heads; h++)
		if (is_pulled(&x->how, lambda, x->head[h].logit))
			x->head[h].gradient -= lambda / (double)x->heads;
	return 0;
}

/* The factor that clips the gradient. */
static double
clip(const struct head_gating *x)
{
	double squares = 0;

	for (size_t h = 0; h < x->heads; h++)
		squares += x->head[h].gradient * x->head[h].gradient;
	return squares > MAX_NORM * MAX_NORM ? MAX_NORM / sqrt(squares) : 1;
}

/* Update n of a training, by Adam (train/optimizer.h). */
static void
update_logits(struct head_gating *x, int64_t n)
{
	const double factor = clip(x), first = 0.9, second = 0.999;

	for (size_t h = 0; h < x->heads; h++) {
		struct gating_head *to = &x->head[h];
		const double g = factor * to->gradient;
		double *m = &to->moment[0], *v = &to->moment[1];

		*m = first * *m + (1 - first) * g;
		*v = second * *v + (1 - second) * g * g;
		to->logit -= x->how.lr * *m / (1 - pow(first, (double)n)) /
			     (sqrt(*v / (1 - pow(second, (double)n))) + 1e-8);
	}
}

/* Trains the logits, from where they are. */
static int
train_gates(struct head_gating *x, struct tape *t, double lambda, struct err *e)
{
	for (size_t h = 0; h < x->heads; h++)
		x->head[h].moment[0] = x->head[h].moment[1] = 0;
	for (int64_t i = 1; i <= x->how.updates; i++) {
		if (gradient(x, t, lambda, e))
			return -1;
		update_logits(x, i);
		if (x->done)
			x->done(x->arg, x->update);
	}
	return 0;
}

static int
fit(struct head_gating *x, struct tape *t, int64_t which, struct err *e)
{
	struct gating_head *const end = x->head + x->heads;
	struct rng r;

	rng_init(&r, x->seed, rng_purpose("gating"), (uint32_t)which);
	for (struct gating_head *h = x->head; h < end; h++) {
		const double u = (rng_u32(&r) + 0.5) / 4294967296.0;

		h->logit = log(u / (1 - u));
	}
	if (train_gates(x, t, 0, e))
		return -1;
	for (struct gating_head *h = x->head; h < end; h++)
		h->free_logit = h->logit;
	if (train_gates(x, t, x->how.lambda, e))
		return -1;
	for (struct gating_head *h = x->head; h < end; h++) {
		h->open = gate_of(h->logit);
		h->logit = h->free_logit;
	}
	if (train_gates(x, t, -x->how.lambda, e))
		return -1;
	for (struct gating_head *h = x->head; h < end; h++) {
		const double minus = gate_of(h->logit);

		h->plus += h->open;
		h->minus += minus;
		ratio_error_add(&h->error, h->open + minus - 1, 1);
	}
	return 0;
}

int
head_gating_run(struct head_gating *x, struct tape *t, head_losses_done *done, void *arg,
		struct err *e)
{
	struct model *m = x->m;
	real *before = m->gates;
	int bad = 0;

	if (!x->sample.n)
		return err_set(e, EXIT_INPUT, "no sentence whose target tokens are all possible, "
			       "expected one");
	x->done = done;
	x->arg = arg;
	model_gate(m, x->gate);
	for (int64_t i = 0; i < x->how.fits && !bad; i++)
		bad = fit(x, t, i, e);
	tape_rewind(t);
	model_gate(m, before);
	return bad;
}

int64_t
head_gating_updates(const struct head_gating *x)
{
	return x->m ? 3 * x->how.updates * x->how.fits : 0;
}

/* --- the table --- */

void
head_gating_sign(const struct head_gating *x, int64_t batch_tokens, struct buf *signature)
{
	struct buf settings = { 0 };

	cli_settings_describe(head_gating_options, &x->how, &settings);
	signature_add(signature, "gating", settings.data);
	buf_printf(signature, "|batch-tokens:%" PRId64 "|seed:%" PRIu64, batch_tokens, x->seed);
	buf_release(&settings);
}

static const char *
gating_class_of(double plus, double minus)
{
	const double irrelevance = plus * (1 - minus), interference = 1 - plus;

	if (minus >= irrelevance && minus >= interference)
		return "facilitating";
	return irrelevance >= interference ? "irrelevant" : "interfering";
}

static void
gating_fill_head(const struct head_gating *x, size_t head, struct head_table *t)
{
	const struct site *sites = x->m->sites;
	const struct gating_head *h = &x->head[head];
	const double fits = (double)x->how.fits, plus = h->plus / fits, minus = h->minus / fits;
	const char *class = gating_class_of(plus, minus);

	head_table_fill_mean(t, sites, head, "gating", plus + minus - 1,
			     ratio_error_of(&h->error));
	head_table_fill(t, sites, head, "gating.plus", plus);
	head_table_fill(t, sites, head, "gating.minus", minus);
	head_table_set_text(t, head_table_row_of(t, sites, head),
			    head_table_column(t, "gating.class", HEAD_STR), class, strlen(class));
}

void
head_gating_fill(const struct head_gating *x, struct head_table *t)
{
	for (size_t h = 0; h < x->heads; h++)
		gating_fill_head(x, h, t);
}
