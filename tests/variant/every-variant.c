/*
 * Every variant of common/attention, and the example of attention(3): its constant, fields, page
 * and cases; and for each case, alone and combined, the invariants of all models, neutral settings,
 * files, and translation with int16 and int8.  tests/cli/every-variant.t plants defects.
 */
#include "constants.h"
#include "model/model-input.h"
#include "trials.h"

#include <unistd.h>

#include "model-file/model-file.h"
#include "search/search.h"

static void
variants_are_whole(void **state)
{
	char *page = read_page();

	(void)state;
	check_selection();
	for (size_t i = 0; variant_at(i); i++) {
		const struct attention_variant *v = variant_at(i);

		if (!is_tried(v))
			continue;
		print_message("# %s\n", v->name);
		if (!v->paper)
			fail_msg("%s: no paper", v->name);
		if (v->version < 1)
			fail_msg("%s: version %d, expected at least 1", v->name, v->version);
		check_state(v);
		check_cases(v);
		check_fields(v, v->needs);
		check_fields(v, v->training_needs);
		if (i < n_in_library())
			check_page(v, page);
	}
	free(page);
}

/* --- the cases --- */

static void
gradients(struct model *m)
{
	struct setup_batch s;

	setup_batch(&s, m, setup_text, NULL, 4);
	setup_check_gradient(m, &s.b);
	setup_batch_end(&s);
}

static void
gradients_are_correct(void **state)
{
	(void)state;
	each(gradients, 0.2);
}

static void
results_do_not_depend_on_the_batch(void **state)
{
	(void)state;
	each(check_company, 0.2);
}

static void
results_do_not_depend_on_the_future(void **state)
{
	(void)state;
	each(check_causal, 0);
}

static void
results_do_not_depend_on_threads(void **state)
{
	(void)state;
	each(check_threads, 0.2);
}

static void
steps_equal_the_whole_decoder(void **state)
{
	(void)state;
	each(check_incremental, 0);
}

static void
short_sentences_work(void **state)
{
	(void)state;
	each(check_short, 0.2);
}

static void
alpha_beta(struct model *m)
{
	check_relevance(m, &check_alpha_beta, 1e-10);
}

static void
alpha_beta_local(struct model *m)
{
	check_relevance(m, &check_alpha_beta_local, 1e-10);
}

static void
epsilon(struct model *m)
{
	check_relevance(m, &check_epsilon, 1e-6);
}

static void
relevance_is_conserved(void **state)
{
	(void)state;
	each(alpha_beta, 0);
	each(alpha_beta_local, 0);
	each(epsilon, 0);
}

/* Sets the parameters that the variants add, all those that the plain model lacks. */
static void
set_neutral(struct model *m, const struct model *plain, enum attention_neutral how)
{
	for (size_t i = 0; i < m->params.n; i++) {
		struct param *p = m->params.list[i];
		const int n = p->n_dim == 2 && p->d[0] == p->d[1] ? p->d[0] : 0;

		if (params_find(&plain->params, p->name))
			continue;
		memset(p->x, 0, p->n * sizeof(*p->x));
		for (int k = 0; k < n && how == NEUTRAL_IF_IDENTITY; k++)
			p->x[k * n + k] = 1;
	}
}

/* The values of the parameters that both have. */
static void
copy_shared(struct model *to, const struct model *from)
{
	for (size_t i = 0; i < to->params.n; i++) {
		struct param *p = to->params.list[i];
		const struct param *q = params_find(&from->params, p->name);

		if (q)
			memcpy(p->x, q->x, p->n * sizeof(*p->x));
	}
}

static double
loss_of(struct model *m)
{
	return setup_loss_of_text(m, 1, true);
}

/* The loss and the gradients of shared parameters are those of the plain model. */
static void
check_neutral(struct model *m, struct model *plain)
{
	const double a = loss_of(m), b = loss_of(plain);

	if (off_by(a, b, 1) > 1e-12)
		fail_msg("loss %.15g, plain %.15g, expected a neutral case", a, b);
	for (size_t i = 0; i < plain->params.n; i++) {
		const struct param *p = plain->params.list[i];
		const struct param *q = params_find(&m->params, p->name);

		for (size_t j = 0; j < p->n; j++)
			if (off_by(p->grad[j], q->grad[j], 1) > 1e-11)
				fail_msg("%s[%zu]: gradient %.15g, plain %.15g, expected a "
					 "neutral case", p->name, j, q->grad[j], p->grad[j]);
	}
}

/*
 * Parameters of a site begin with the site's name, so that --freeze and pruning find them.  A
 * parameter that sites share has no site in its name.
 */
static void
check_names(const struct model *m, const struct model *plain)
{
	for (size_t i = 0; i < m->params.n; i++) {
		const char *name = m->params.list[i]->name;

		for (size_t k = 0; k < m->n_sites && !params_find(&plain->params, name); k++)
			if (strstr(name, m->sites[k].name) > name)
				fail_msg("parameter %s, expected a name that begins with %s", name,
					 m->sites[k].name);
	}
}

/* Only what a case says is neutral is. */
static void
check_case(const struct trial *t)
{
	const struct attention_case *c = &t->v->cases[t->number];
	const bool end = c->neutral != NEUTRAL_IF_LINKED;
	struct model *m = build_as(t, c->specs, end, 0), *plain = build_as(t, "", end, 0);

	check_names(m, plain);
	copy_shared(plain, m);
	if (c->neutral != NEUTRAL && off_by(loss_of(m), loss_of(plain), 1) < 1e-9)
		fail_msg("the loss of the plain model, expected another");
	all_linked = c->neutral == NEUTRAL_IF_LINKED;
	if (c->neutral == NEUTRAL_IF_ZERO || c->neutral == NEUTRAL_IF_IDENTITY)
		set_neutral(m, plain, c->neutral);
	if (c->neutral != NOT_NEUTRAL)
		check_neutral(m, plain);
	all_linked = false;
	model_free(m);
	model_free(plain);
}

static void
neutral_cases_are_plain(void **state)
{
	(void)state;
	setup_annotate = annotate;
	for (struct trial t = { 0 }; next_trial(&t);)
		check_case(&t);
	setup_annotate = NULL;
}

static void
no_warning(void *arg, const char *variant, const char *warning)
{
	(void)arg;
	(void)variant;
	(void)warning;
}

/* The log of a case has only fields that heed-fields(5) has. */
static void
check_report(struct model *m)
{
	char *page = read_page();
	struct means y = { 0 };
	struct setup_batch s;
	struct runtime run;

	setup_runtime(&run, 1, false);
	setup_batch(&s, m, setup_text, NULL, 4);
	setup_loss(m, &run, &s.b, false);
	attention_set_report(m->attention, run.tape, &s.b, &y);
	attention_set_conclude(m->attention, &y, no_warning, NULL);
	for (size_t i = 0; i < y.n; i++) {
		const struct field_info *f = fields_find("step", y.entry[i].name);

		if (!f || !f->kind || strcmp(f->type, "float"))
			fail_msg(FIELD_LISTS " do not have %s as float in a training log",
				 y.entry[i].name);
		check_log_field(f, page);
		if (y.entry[i].count > 0 && !isfinite(y.entry[i].sum))
			fail_msg("%s is %g", y.entry[i].name, y.entry[i].sum);
	}
	means_release(&y);
	setup_batch_end(&s);
	runtime_close(&run);
	free(page);
}

static void
logs_have_known_fields(void **state)
{
	(void)state;
	each(check_report, 0);
}

static void
same_specs(const struct model *a, const struct model *b)
{
	struct buf x = { 0 }, y = { 0 };
	int v, w;

	assert_int_equal(attention_set_n(a->attention), attention_set_n(b->attention));
	for (size_t i = 0; i < attention_set_n(a->attention); i++) {
		buf_clear(&x);
		buf_clear(&y);
		attention_set_describe(a->attention, i, &x, &v);
		attention_set_describe(b->attention, i, &y, &w);
		assert_string_equal(x.data, y.data);
		assert_int_equal(v, w);
	}
	buf_release(&x);
	buf_release(&y);
}

/* A saved model, whose file has floats, is loaded with its settings, and has the same loss. */
static void
check_file(struct model *m)
{
	char path[] = "/tmp/heed-every-variant-XXXXXX";
	const int fd = mkstemp(path);
	struct model *back;
	struct err e;

	assert_true(fd >= 0);
	close(fd);
	for (size_t i = 0; i < m->params.total; i++)
		m->params.x[i] = (double)(float)m->params.x[i];
	if (model_save(m, path, NULL, 0, &e))
		fail_msg("%s", e.text);
	back = model_load(path, true, NULL, NULL, &e);
	unlink(path);
	if (!back)
		fail_msg("%s", e.text);
	assert_int_equal(back->params.total, m->params.total);
	assert_memory_equal(back->params.x, m->params.x, m->params.total * sizeof(real));
	same_specs(m, back);
	assert_true(loss_of(m) == loss_of(back));
	model_free(back);
}

static void
models_survive_a_file(void **state)
{
	(void)state;
	each(check_file, 0);
}

/* Losses by row in a precision, without dropout. */
static int
rows_in(struct model *m, int precision, real *row)
{
	struct setup_batch s;
	struct runtime run;
	struct err e;
	int n;

	if (runtime_open(&run, NULL, precision, 1, &e))
		fail_msg("%s", e.text);
	setup_batch(&s, m, setup_text, NULL, 4);
	rows_of(m, &run, &s.b, row);
	n = s.b.tgt.layout.rows;
	setup_batch_end(&s);
	runtime_close(&run);
	return n;
}

/* Translates the four sentences; out is in mem. */
static void
translate(struct model *m, int precision, int threads, struct arena *mem, struct translation *out)
{
	struct search_settings how;
	struct batch_rules r;
	struct setup_batch s;
	struct searcher *x;
	struct runtime run;
	struct err e;

	search_defaults(&how, SEARCH_FAIRSEQ);
	how.beam = 3;
	how.n_best = 2;
	how.max_ratio = 1;
	how.max_extra = 4;
	model_batch_rules(m, &r);
	r.word_dropout = 0;
	setup_batch_with(&s, m, setup_text, NULL, 4, &r);
	if (runtime_open(&run, NULL, precision, threads, &e))
		fail_msg("%s", e.text);
	x = searcher_new(m, &run.pass, &how);
	if (search_batch(x, &s.b, NULL, NULL, mem, out, &e))
		fail_msg("%s", e.text);
	searcher_free(x);
	setup_batch_end(&s);
	runtime_close(&run);
}

/* In this precision, losses differ from those of the exact model by at most bound. */
static void
check_losses(struct model *m, int precision, real bound)
{
	real exact[64], rounded[64];
	const int n = rows_in(m, PRECISION_FP32, exact);

	assert_int_equal(rows_in(m, precision, rounded), n);
	for (int i = 0; i < n; i++)
		if (off_by(exact[i], rounded[i], 1) > bound)
			fail_msg("row %d: loss %g with %s, %g without", i, rounded[i],
				 precision_names[precision], exact[i]);
}

/*
 * With products of integers, losses are nearly those of the exact model, and translations have the
 * same bits for any number of threads.
 */
static void
check_precision(struct model *m, int precision, real bound)
{
	struct translation one[4], three[4];
	struct arena mem;

	check_losses(m, precision, bound);
	arena_init(&mem, 0);
	translate(m, precision, 1, &mem, one);
	translate(m, precision, 3, &mem, three);
	for (int i = 0; i < 4; i++) {
		assert_true(one[i].n > 0 && one[i].n == three[i].n);
		for (int k = 0; k < one[i].n; k++) {
			const struct hypothesis *a = &one[i].best[k], *b = &three[i].best[k];

			assert_true(isfinite(a->score) && a->score == b->score && a->n == b->n);
			assert_memory_equal(a->id, b->id, (size_t)a->n * sizeof(*a->id));
		}
	}
	arena_release(&mem);
}

static void
check_integers(struct model *m)
{
	check_precision(m, PRECISION_INT16, (real)0.01);
	check_precision(m, PRECISION_INT8, (real)0.1);
}

static void
integers_translate(void **state)
{
	(void)state;
	each(check_integers, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(variants_are_whole),
		cmocka_unit_test(neutral_cases_are_plain),
		cmocka_unit_test(gradients_are_correct),
		cmocka_unit_test(results_do_not_depend_on_the_batch),
		cmocka_unit_test(results_do_not_depend_on_the_future),
		cmocka_unit_test(results_do_not_depend_on_threads),
		cmocka_unit_test(steps_equal_the_whole_decoder),
		cmocka_unit_test(short_sentences_work),
		cmocka_unit_test(relevance_is_conserved),
		cmocka_unit_test(logs_have_known_fields),
		cmocka_unit_test(models_survive_a_file),
		cmocka_unit_test(integers_translate),
	};

	return cmocka_run_group_tests_name("every variant of attention", tests, NULL, NULL);
}
