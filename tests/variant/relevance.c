/* Relevance of logits in whole models, from the output to the embeddings. */
#include "checks.h"

#include "attribution/lrp.h"
#include "stream/stream.h"
#include "tensor/relevance-kernels.h"

static const char *const names[] = { SETUP_NAMES };

static void
check_rule(const struct lrp *how, double tolerance)
{
	for (size_t i = 0; i < SETUP_MODELS; i++) {
		struct model *m = setup_model(names[i]);

		setup_stir(m);
		check_relevance(m, how, tolerance);
		model_free(m);
	}
}

static void
alpha_beta_conserves_relevance(void **state)
{
	(void)state;
	check_rule(&check_alpha_beta, 1e-10);
	check_rule(&check_alpha_beta_local, 1e-10);
}

static void
epsilon_conserves_relevance(void **state)
{
	(void)state;
	check_rule(&check_epsilon, 1e-6);
}

/* A model, its logits for some sentences, and their tape. */
struct pass_over {
	struct model *m;
	struct setup_batch s;
	struct runtime run;
	struct node *logits;
};

static void
pass_begin(struct pass_over *o, const char *name, int threads)
{
	o->m = setup_model(name);
	setup_stir(o->m);
	setup_runtime(&o->run, threads, false);
	setup_batch(&o->s, o->m, setup_text, NULL, 4);
	o->logits = model_logits(o->m, o->run.tape,
				 model_decode(o->m, o->run.tape, &o->s.b,
					      model_encode(o->m, o->run.tape, &o->s.b)));
}

static void
pass_end(struct pass_over *o)
{
	setup_batch_end(&o->s);
	runtime_close(&o->run);
	model_free(o->m);
}

/* Only the source and the tokens that the decoder has read have relevance for a row. */
static void
relevance_does_not_come_from_the_future(void **state)
{
	struct pass_over o;
	const struct node *tgt;

	(void)state;
	pass_begin(&o, "fairseq", 1);
	relevance_of_rows(&o.run, o.logits, 1, 2,
			  &check_alpha_beta);	/* row 1 of 4 of the first sentence */
	tgt = tape_find(o.run.tape, "tgt.embed");
	for (size_t i = 0; i < node_size(tgt); i++)
		assert_true(i < 2 * 8 || tgt->rel[i] == 0);
	pass_end(&o);
}

/* A copy of the relevance of the embeddings. */
static real *
ends(const struct pass_over *o, int plane, size_t *n)
{
	const struct node *src = tape_find(o->run.tape, "src.embed"),
		*tgt = tape_find(o->run.tape, "tgt.embed");
	real *x;

	*n = node_size(src) + node_size(tgt);
	x = xmalloc(*n * sizeof(*x));
	memcpy(x, src->rel + plane * rel_step(src), node_size(src) * sizeof(*x));
	memcpy(x + node_size(src), tgt->rel + plane * rel_step(tgt), node_size(tgt) * sizeof(*x));
	return x;
}

static void
check_together(const struct lrp *how)
{
	struct pass_over o, alone;
	int rows;

	pass_begin(&o, "story", 3);
	pass_begin(&alone, "story", 1);
	rows = o.logits->d[0];
	relevance_of_rows(&o.run, o.logits, 0, rows, how);
	for (int r = 0; r < rows; r++) {
		size_t n;
		real *all = ends(&o, r, &n), *one;
		double size = 0;

		relevance_of_rows(&alone.run, alone.logits, r, r + 1, how);
		one = ends(&alone, 0, &n);
		for (size_t i = 0; i < n; i++)
			size = fmax(size, fabs(one[i]));
		for (size_t i = 0; i < n; i++)
			if (!(fabs(all[i] - one[i]) <= 1e-9 * size))
				fail_msg("row %d, element %zu: %.15g with others, %.15g alone", r,
					 i, all[i], one[i]);
		free(all);
		free(one);
	}
	pass_end(&o);
	pass_end(&alone);
}

static void
many_seeds_equal_one_at_a_time(void **state)
{
	(void)state;
	check_together(&check_alpha_beta);
	check_together(&check_alpha_beta_local);
	check_together(&check_epsilon);
}

/* A linear chain without biases is y = w x, and the shares of epsilon are x_i dy/dx_i / y. */
static void
epsilon_is_input_times_gradient_over_output(void **state)
{
	const struct lrp how = { .rule = LRP_EPSILON, .eps = 1e-14 };
	const int dx[] = { 1, 5 }, d1[] = { 4, 5 }, d2[] = { 3, 4 };
	real x[5] = { 0.3, -1.2, 0.7, 2.1, -0.4 }, grad[5] = { 0 }, w1[20], w2[12];
	struct node *in, *w[2], *y, *one;
	struct runtime run;
	struct rng r;

	(void)state;
	rng_init(&r, 5, rng_purpose("chain"), 0);
	for (int i = 0; i < 20; i++)
		w1[i] = rng_normal(&r);
	for (int i = 0; i < 12; i++)
		w2[i] = rng_normal(&r);
	setup_runtime(&run, 1, false);
	in = tape_leaf(run.tape, NULL, 2, dx, x, grad);
	w[0] = tape_leaf(run.tape, NULL, 2, d1, w1, NULL);
	w[1] = tape_leaf(run.tape, NULL, 2, d2, w2, NULL);
	w[0]->parameter = w[1]->parameter = 1;
	y = op_linear(run.tape, op_linear(run.tape, in, w[0], NULL), w[1], NULL);
	one = op_sum(run.tape, op_columns(run.tape, y, 1, 1));
	tape_gradient(run.tape, one, 1);
	tape_relevance_seeds(run.tape, y, 1)[1] = 1;
	tape_relevance(run.tape, y, &how);
	for (int i = 0; i < 5; i++)
		assert_true(off_by(in->rel[i], x[i] * grad[i] / y->x[1], 1) < 1e-10);
	runtime_close(&run);
}

/*
 * x = 2 1, h = 3 3, y = 6, eps 2.  Of y, each h gets 3/8 and eps 1/4.  Of the first h, x gets 2/5
 * and 1/5; of the second, 4/5 and -1/5; eps gets 2/5 of both.
 */
static void
eps_absorbs_a_known_share_of_a_chain(void **state)
{
	struct flow flow = { 0 };
	const struct lrp how = { .rule = LRP_EPSILON, .eps = 2, .flow = &flow };
	const int dx[] = { 1, 2 }, d1[] = { 2, 2 }, d2[] = { 1, 2 };
	real x[2] = { 2, 1 }, w1[4] = { 1, 1, 2, -1 }, w2[2] = { 1, 1 };
	struct node *in, *w[2], *y;
	struct runtime run;

	(void)state;
	setup_runtime(&run, 1, false);
	in = tape_leaf(run.tape, NULL, 2, dx, x, NULL);
	w[0] = tape_leaf(run.tape, NULL, 2, d1, w1, NULL);
	w[1] = tape_leaf(run.tape, NULL, 2, d2, w2, NULL);
	w[0]->parameter = w[1]->parameter = 1;
	y = op_linear(run.tape, op_linear(run.tape, in, w[0], NULL), w[1], NULL);
	*tape_relevance_seeds(run.tape, y, 1) = 1;
	tape_relevance(run.tape, y, &how);
	assert_true(off_by(in->rel[0], 0.45, 1) < 1e-12 && off_by(in->rel[1], 0, 1) < 1e-12);
	assert_true(off_by(flow.absorbed, 0.55, 1) < 1e-12);
	assert_true(off_by(flow.max_magnitude, 0.75, 1) < 1e-12);	/* y to h; 0.6 for h to x */
	runtime_close(&run);
}

/* --- relevance of heads, lrp.h --- */

static struct record *
made(const char *text)
{
	const char *bar = strchr(text, '|');
	struct record *rec = record_new();

	set_side(rec, "src.pieces", text, (size_t)(bar - text));
	set_side(rec, "tgt.pieces", bar + 1, strlen(bar + 1));
	return rec;
}

struct traced {
	struct runtime run;
	struct lrp_tracer t;
	struct record *rec[4];
	struct lrp_job job[4];
};

static void
trace_begin(struct traced *x, struct model *m, const struct lrp *how, int threads)
{
	setup_runtime(&x->run, threads, false);
	lrp_init(&x->t, m, &x->run.pass, how);
	for (int i = 0; i < 4; i++) {
		x->rec[i] = made(setup_text[i]);
		x->job[i] = (struct lrp_job){ .rec = x->rec[i], .number = i };
	}
}

static void
trace_run(struct traced *x)
{
	struct err e;

	if (lrp_trace(&x->t, x->job, 4, &e))
		fail_msg("%s", e.text);
}

static void
trace_end(struct traced *x)
{
	for (int i = 0; i < 4; i++)
		record_free(x->rec[i]);
	lrp_release(&x->t);
	runtime_close(&x->run);
}

/* At each position: the sums are 1, no value is negative, and heads of a layer sum to at most 1. */
static void
check_heads(struct model *m, const struct lrp_sentence *s)
{
	const int heads = (int)m->config.heads, all = heads * (int)m->n_sites;

	assert_true(s->error <= 1e-10);
	for (int t = 0; t < s->positions; t++) {
		double sum = 0;

		for (int i = 0; i < s->source_tokens; i++) {
			assert_true(s->src[t * s->source_tokens + i] >= 0);
			sum += s->src[t * s->source_tokens + i];
		}
		for (int i = 0; i < s->positions; i++) {
			assert_true(s->tgt[t * s->positions + i] >= 0);
			assert_true(i <= t || s->tgt[t * s->positions + i] == 0);
			sum += s->tgt[t * s->positions + i];
		}
		assert_true(off_by(sum, 1, 1) < 1e-10);
		for (int h = 0; h < all; h += heads) {
			double layer = 0;

			for (int k = h; k < h + heads; k++) {
				assert_true(s->head[t * all + k] >= 0);
				layer += s->head[t * all + k];
			}
			assert_true(layer > 0 && layer < 1 + 1e-10);
		}
	}
}

static void
shares_of_heads_sum_to_one(void **state)
{
	(void)state;
	for (size_t i = 0; i < SETUP_MODELS; i++) {
		struct model *m = setup_model(names[i]);
		struct traced x;

		setup_stir(m);
		trace_begin(&x, m, &check_alpha_beta, 1);
		trace_run(&x);
		for (int k = 0; k < 4; k++)
			check_heads(m, &x.job[k].out);
		trace_end(&x);
		model_free(m);
	}
}

static void
relevance_does_not_depend_on_threads(void **state)
{
	struct model *m = setup_model("onmt");
	struct traced one, many;

	(void)state;
	setup_stir(m);
	trace_begin(&one, m, &check_alpha_beta, 1);
	trace_run(&one);
	trace_begin(&many, m, &check_alpha_beta, 3);
	trace_run(&many);
	for (int k = 0; k < 4; k++) {
		const struct lrp_sentence *a = &one.job[k].out, *b = &many.job[k].out;

		assert_memory_equal(a->head, b->head,
				    (size_t)a->positions * one.t.heads * sizeof(double));
		assert_memory_equal(a->src, b->src,
				    (size_t)(a->positions * a->source_tokens) * sizeof(double));
	}
	trace_end(&many);
	trace_end(&one);
	model_free(m);
}

/* The relevance that does not arrive is what eps has absorbed. */
static void
check_absorbed(const struct lrp_sentence *s)
{
	double largest = 0;

	for (int t = 0; t < s->positions; t++) {
		double sum = 0;

		for (int i = 0; i < s->source_tokens; i++)
			sum += s->src[t * s->source_tokens + i];
		for (int i = 0; i < s->positions; i++)
			sum += s->tgt[t * s->positions + i];
		largest = fmax(largest, fabs(1 - sum));
	}
	assert_true(s->error <= 1e-10 && s->lost >= s->error);
	assert_true(fabs(largest - s->absorbed) <= s->lost + 1e-12 && s->absorbed > 1e-6);
}

static void
absorbed_relevance_is_reported(void **state)
{
	static const double eps[] = { 1e-4, 1e-2, 1 };

	(void)state;
	for (size_t i = 0; i < 4; i++)
		for (size_t j = 0; j < 3; j++) {
			struct lrp how = lrp_defaults(LRP_EPSILON);
			struct model *m = setup_model(names[i]);
			struct traced x;

			how.eps = (real)eps[j];
			setup_stir(m);
			trace_begin(&x, m, &how, 1);
			trace_run(&x);
			for (int k = 0; k < 4; k++)
				check_absorbed(&x.job[k].out);
			trace_end(&x);
			model_free(m);
		}
}

static void
swap(real *a, real *b, int n)
{
	for (int i = 0; i < n; i++) {
		const real x = a[i];

		a[i] = b[i];
		b[i] = x;
	}
}

/* Swaps heads 1 and 2 of encoder layer 1: rows of q, k and v, and columns of the output. */
static void
swap_heads(struct model *m)
{
	struct param *qkv = params_find(&m->params, "enc.1.self.qkv.weight"),
		     *bias = params_find(&m->params, "enc.1.self.qkv.bias"),
		     *out = params_find(&m->params, "enc.1.self.out.weight");

	for (int i = 0; i < 3; i++) {
		swap(qkv->x + i * 64, qkv->x + i * 64 + 32, 32);
		swap(bias->x + i * 8, bias->x + i * 8 + 4, 4);
	}
	for (int i = 0; i < 8; i++)
		swap(out->x + i * 8, out->x + i * 8 + 4, 4);
}

static void
swapped_heads_swap_their_relevance(void **state)
{
	struct model *m = setup_model("fairseq");
	struct traced before, after;

	(void)state;
	setup_stir(m);
	trace_begin(&before, m, &check_alpha_beta, 1);
	trace_run(&before);
	swap_heads(m);
	trace_begin(&after, m, &check_alpha_beta, 1);
	trace_run(&after);
	for (int k = 0; k < 4; k++)
		for (int t = 0; t < before.job[k].out.positions; t++) {
			const double *a = before.job[k].out.head + (size_t)t * before.t.heads,
				     *b = after.job[k].out.head + (size_t)t * after.t.heads;

			for (size_t h = 0; h < before.t.heads; h++)
				assert_true(off_by(a[h], b[h < 2 ? 1 - h : h], 1e-3) < 1e-9);
		}
	trace_end(&after);
	trace_end(&before);
	model_free(m);
}

static void
a_masked_head_gets_no_relevance_through_values(void **state)
{
	struct lrp how = check_alpha_beta;
	struct model *m = setup_model("fairseq");
	struct traced x;

	(void)state;
	setup_stir(m);
	how.bias = LRP_BIAS_DROP;
	trace_begin(&x, m, &how, 1);
	x.t.gates[1] = 0;
	trace_run(&x);
	for (int k = 0; k < 4; k++)
		for (int t = 0; t < x.job[k].out.positions; t++) {
			const double *head = x.job[k].out.head + (size_t)t * x.t.heads;

			assert_true(head[1] == 0 && head[0] > 0);
		}
	trace_end(&x);
	model_free(m);
}

static void
lost_relevance_is_an_error(void **state)
{
	struct model *m = setup_model("fairseq");
	struct traced x;
	struct err e;

	(void)state;
	trace_begin(&x, m, &check_alpha_beta, 1);
	x.t.tolerance = -1;
	assert_int_equal(lrp_trace(&x.t, x.job, 4, &e), -1);
	assert_non_null(strstr(e.text, "record 1"));
	trace_end(&x);
	model_free(m);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(alpha_beta_conserves_relevance),
		cmocka_unit_test(epsilon_conserves_relevance),
		cmocka_unit_test(relevance_does_not_come_from_the_future),
		cmocka_unit_test(many_seeds_equal_one_at_a_time),
		cmocka_unit_test(epsilon_is_input_times_gradient_over_output),
		cmocka_unit_test(eps_absorbs_a_known_share_of_a_chain),
		cmocka_unit_test(shares_of_heads_sum_to_one),
		cmocka_unit_test(absorbed_relevance_is_reported),
		cmocka_unit_test(relevance_does_not_depend_on_threads),
		cmocka_unit_test(swapped_heads_swap_their_relevance),
		cmocka_unit_test(a_masked_head_gets_no_relevance_through_values),
		cmocka_unit_test(lost_relevance_is_an_error),
	};

	return cmocka_run_group_tests_name("relevance through whole models", tests, NULL, NULL);
}
