/*
 * head-gating: fitted gates are those of a plain program, with finite differences as gradients, and
 * planted heads get their classes.
 */
#include "kept.h"

#include "analysis/head-gating.h"
#include "attention/attention-heads.h"

enum { HEADS = 12 };

/* The summed loss of a batch with the gates of the model. */
static double
loss(struct model *m, struct tape *t, const struct batch *b)
{
	struct node *nll;

	tape_rewind(t);
	model_loss(m, t, b, &nll);
	return nll->x[0];
}

/* The derivative of the loss by a gate, of order 4. */
static double
slope(struct model *m, struct tape *t, const struct batch *b, int head)
{
	static const double step[4] = { 1, -1, 2, -2 }, weight[4] = { 8, -8, -1, 1 };
	const real gate = m->gates[head], h = 1e-3;
	double sum = 0;

	for (int k = 0; k < 4; k++) {
		m->gates[head] = gate + step[k] * h;
		sum += weight[k] * loss(m, t, b);
	}
	m->gates[head] = gate;
	return sum / (12 * h);
}

/* --- fits --- */

/* A plain program: one stage of a fit, on the batches of x in the order of its passes. */
struct plain { double logit[HEADS], gate[HEADS]; int clipped, free, update; };

static void
stage(struct plain *p, struct head_gating *x, struct tape *t, double lambda)
{
	double first[HEADS] = { 0 }, second[HEADS] = { 0 }, g[HEADS];
	real gates[HEADS];

	model_gate(x->m, gates);
	for (int u = 1; u <= x->how.updates; u++, p->update++) {
		const struct batch *b;
		uint32_t order[2];
		struct rng r;
		double norm = 0;

		rng_init(&r, x->seed, rng_purpose("gating order"), (uint32_t)p->update / 2);
		rng_permutation(&r, order, 2);
		b = &x->sample.batch[order[p->update % 2]].batch;
		for (int h = 0; h < HEADS; h++)
			gates[h] = p->gate[h] = 1 / (1 + exp(-p->logit[h]));
		for (int h = 0; h < HEADS; h++) {
			g[h] = slope(x->m, t, b, h) / b->tgt.layout.rows *
			       p->gate[h] * (1 - p->gate[h]);
			if (fabs(p->logit[h]) <= 4 || (x->how.clip == GATING_CLIP_FAR &&
						       (lambda > 0) == (p->logit[h] < 0)))
				g[h] -= lambda / HEADS;
			else
				p->free++;
			norm += g[h] * g[h];
		}
		norm = sqrt(norm);
		p->clipped += norm > 1;
		for (int h = 0; h < HEADS; h++) {
			const double y = norm > 1 ? g[h] / norm : g[h];

			first[h] = 0.9 * first[h] + 0.1 * y;
			second[h] = 0.999 * second[h] + 0.001 * y * y;
			p->logit[h] -= x->how.lr * first[h] / (1 - pow(0.9, u)) /
				       (sqrt(second[h] / (1 - pow(0.999, u))) + 1e-8);
			p->gate[h] = 1 / (1 + exp(-p->logit[h]));
		}
	}
}

/* A fit, whose G+ and G- are added; measure: its value of the measure. */
static void
plain_fit(struct plain *p, struct head_gating *x, struct tape *t, int which, double *plus,
	  double *minus, double *measure)
{
	double start[HEADS];
	struct rng r;

	rng_init(&r, x->seed, rng_purpose("gating"), (uint32_t)which);
	for (int h = 0; h < HEADS; h++) {
		const double u = (rng_u32(&r) + 0.5) / 4294967296.0;

		p->logit[h] = log(u) - log(1 - u);
	}
	stage(p, x, t, 0);
	memcpy(start, p->logit, sizeof(start));
	stage(p, x, t, x->how.lambda);
	for (int h = 0; h < HEADS; h++) {
		plus[h] += p->gate[h];
		measure[h] = p->gate[h];
	}
	memcpy(p->logit, start, sizeof(start));
	stage(p, x, t, -x->how.lambda);
	for (int h = 0; h < HEADS; h++) {
		minus[h] += p->gate[h];
		measure[h] -= 1 - p->gate[h];
	}
}

struct trial { struct model *m; struct runtime run; struct head_gating x; };

static void
begin(struct trial *y, const char *settings, uint64_t seed)
{
	struct model_config c = setup_config("fairseq");
	struct err e;

	c.activation = ACTIVATION_SWISH;	/* without kinks, for differences */
	y->m = setup_model_of(&c, "fairseq", NULL, 0, 7);
	y->m->recipe.label_smoothing = 0;
	setup_stir(y->m);
	setup_runtime(&y->run, 1, false);
	assert_int_equal(head_gating_choose(&y->x.how, settings, &e), 0);
	head_gating_begin(&y->x, y->m, seed);
}

static void
run(struct trial *y)
{
	struct err e;

	if (head_gating_run(&y->x, y->run.tape, NULL, NULL, &e))
		fail_msg("%s", e.text);
}

static void
end(struct trial *y)
{
	head_gating_release(&y->x);
	runtime_close(&y->run);
	model_free(y->m);
}

static void
near(const char *what, int head, double found, double expected)
{
	if (!(fabs(found - expected) < 1e-6))
		fail_msg("head %d, %s: %.10g, expected %.10g", head, what, found, expected);
}

/* Returns how often the gradient was clipped, and how often a logit had no weight of lambda. */
static struct plain
compare_fits(const char *settings, uint64_t seed)
{
	double plus[HEADS] = { 0 }, minus[HEADS] = { 0 }, measure[2][HEADS];
	struct plain p = { .clipped = 0 };
	struct head_table t;
	struct trial y;

	begin(&y, settings, seed);
	kept_add(&y.x.sample, setup_text, 2);
	kept_add(&y.x.sample, setup_text + 2, 2);
	run(&y);
	assert_null(y.m->gates);
	for (int i = 0; i < 2; i++)
		plain_fit(&p, &y.x, y.run.tape, i, plus, minus, measure[i]);
	model_gate(y.m, NULL);
	t = (struct head_table){ 0 };
	head_gating_fill(&y.x, &t);
	assert_int_equal(t.n, HEADS);
	for (size_t h = 0; h < HEADS; h++) {
		static const char *const name[] = { "gating", "gating.plus", "gating.minus",
						    "gating.error" };
		const double mean = (measure[0][h] + measure[1][h]) / 2;
		const double expected[] = { mean, plus[h] / 2, minus[h] / 2,
					    fabs(measure[0][h] - measure[1][h]) / 2 };

		for (int i = 0; i < 4; i++)
			near(name[i], (int)h, head_table_get(head_table_find(&t, name[i]), h),
			     expected[i]);
	}
	head_table_release(&t);
	end(&y);
	return p;
}

static void
fits_are_those_of_a_plain_program(void **state)
{
	const struct plain weak = compare_fits("fits=2,updates=7,lr=1.5", 3);
	const struct plain far = compare_fits("fits=2,updates=7,lr=1.5,clip=far", 3);
	const struct plain strong = compare_fits("fits=2,updates=5,lr=0.5,lambda=30", 4);

	(void)state;
	assert_true(weak.free > far.free && far.free > 0 && weak.clipped == 0);
	assert_true(strong.clipped > 0);
}

/* --- planted heads --- */

static void
set(struct param *p, size_t from, size_t n, double x)
{
	for (size_t i = from; i < from + n; i++)
		p->x[i] = x;
}

/*
 * All heads are dead but those of the last cross-attention: the first adds a vector in favor of
 * the only target token, the second one against it.
 */
static void
plant(struct model *m)
{
	const int width = (int)m->config.width, d = width / 2, k = vocab_id(&m->tgt, "k", 1);
	const struct model_layers *l = m->layers;
	struct attention_layer *last = &l->dec[1].cross;

	for (int i = 0; i < 2; i++) {
		struct param *out[] = { l->enc[i].self.out.weight, l->dec[i].self.out.weight,
					l->dec[i].cross.out.weight };

		for (int j = 0; j < 3; j++)
			set(out[j], 0, out[j]->n, 0);
	}
	/* Each head output is 1 in its first element. */
	set(last->kv.weight, 0, last->kv.weight->n, 0);
	set(last->kv.bias, 0, last->kv.bias->n, 0);
	for (int head = 0; head < 2; head++) {
		last->kv.bias->x[width + head * d] = 1;
		for (int i = 0; i < width; i++)
			last->out.weight->x[i * width + head * d] = (head ? -1 : 1.5) *
				l->output->x[k * width + i];
	}
}

/* Seed 1 begins with the gate of head 4 below 0.018. */
static void
try_planted(const char *settings, const char *fifth)
{
	static const char *const text[] = { "ab|kkkkkk", "cde|kkkkkkkk" };
	const struct head_column *class, *measure;
	struct head_table t;
	struct trial y;

	begin(&y, settings, 1);
	plant(y.m);
	kept_add(&y.x.sample, text, 2);
	run(&y);
	t = (struct head_table){ 0 };
	head_gating_fill(&y.x, &t);
	class = head_table_find(&t, "gating.class");
	measure = head_table_find(&t, "gating");
	for (size_t h = 0; h < HEADS; h++) {
		const char *expected = h == 10 ? "facilitating" : h == 11 ? "interfering"
				       : h == 4 ? fifth : "irrelevant";
		const double x = *expected == 'f' ? 1 : strcmp(expected, "irrelevant") ? -1 : 0;

		assert_string_equal(head_table_text(class, h), expected);
		assert_true(fabs(head_table_get(measure, h) - x) < 0.1);
	}
	head_table_release(&t);
	end(&y);
}

static void
planted_heads_get_their_classes(void **state)
{
	(void)state;
	try_planted("updates=150,clip=far", "irrelevant");
	try_planted("updates=150", "interfering");
}

/* The classes of gates between 0 and 1, by scores worked out by hand. */
static void
class_has_the_highest_score(void **state)
{
	static const struct { double plus, minus; const char *class; } of[HEADS] = {
		{ 1, 1, "facilitating" }, { 1, 0, "irrelevant" }, { 0, 0, "interfering" },
		{ 0.9, 0.5, "facilitating" },	/* 0.5, 0.45, 0.1 */
		{ 0.9, 0.45, "irrelevant" },	/* 0.45, 0.495, 0.1 */
		{ 0.625, 0.25, "irrelevant" },	/* 0.25, 0.46875, 0.375 */
		{ 0.5, 0.25, "interfering" },	/* 0.25, 0.375, 0.5 */
		{ 0.5, 0.5, "facilitating" },	/* 0.5, 0.25, 0.5 */
		{ 0.5, 0, "irrelevant" },	/* 0, 0.5, 0.5 */
		{ 0.25, 0.875, "facilitating" },	/* 0.875, 0.03125, 0.75 */
		{ 0.25, 0.5, "interfering" },	/* 0.5, 0.125, 0.75 */
		{ 0, 1, "facilitating" },	/* 1, 0, 1 */
	};
	struct head_table t;
	struct trial y;

	(void)state;
	begin(&y, "fits=2", 1);
	for (int h = 0; h < HEADS; h++) {	/* sums over fits */
		y.x.head[h].plus = 2 * of[h].plus;
		y.x.head[h].minus = 2 * of[h].minus;
	}
	t = (struct head_table){ 0 };
	head_gating_fill(&y.x, &t);
	for (size_t h = 0; h < HEADS; h++) {
		const double measure = of[h].minus - (1 - of[h].plus);

		assert_string_equal(head_table_text(head_table_find(&t, "gating.class"), h),
				    of[h].class);
		near("gating", (int)h, head_table_get(head_table_find(&t, "gating"), h), measure);
	}
	head_table_release(&t);
	end(&y);
}

/* --- masked tokens --- */

static void
sentences_with_masked_tokens_are_left_out(void **state)
{
	static const char *const text[] = { "abc|mn", "abc|lmn", "a|m" };
	struct model_config c = setup_config("fairseq");
	struct head_gating x = { .how = { .fits = 1, .updates = 1, .lr = 1 } };
	struct forced f = { .n = 0 };
	struct setup_batch s;
	struct runtime run;
	struct node *nll;
	struct model *m;
	struct err e;

	(void)state;
	c.output_mask = true;
	m = setup_model_of(&c, "fairseq", NULL, 0, 7);
	setup_runtime(&run, 1, false);
	setup_batch(&s, m, text, NULL, 3);
	head_gating_begin(&x, m, 1);
	assert_int_equal(head_gating_run(&x, run.tape, NULL, NULL, &e), -1);
	assert_int_equal(e.status, EXIT_INPUT);
	f.audit.rules = kept_rules(m);
	model_loss(m, run.tape, &s.b, &nll);
	assert_int_equal(head_gating_add(&x, &f, &s.b, nll, &e), 0);
	assert_int_equal(x.sample.sentences, 2);
	assert_int_equal(x.sample.batch[0].batch.tgt.layout.rows, 5);
	assert_int_equal(head_gating_run(&x, run.tape, NULL, NULL, &e), 0);
	head_gating_release(&x);
	setup_batch_end(&s);
	runtime_close(&run);
	model_free(m);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fits_are_those_of_a_plain_program),
		cmocka_unit_test(planted_heads_get_their_classes),
		cmocka_unit_test(class_has_the_highest_score),
		cmocka_unit_test(sentences_with_masked_tokens_are_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
