/* A pruned model computes the same as the whole model with those heads masked. */
#include "trials.h"

#include "attention/attention-heads.h"
#include "model-file/prune.h"

enum { ROOM = 4096 };

/* The second list leaves sites without heads. */
static const char *const removed[] = {
	"enc.2.self:1/dec.1.self:2/dec.2.cross:1",
	"enc.1.self:2/enc.2.self:all/dec.2.self:all/dec.1.cross:1-2/dec.2.cross:2",
};
enum { REMOVED = sizeof(removed) / sizeof(*removed) };

/* The heads of a list, and gates that mask them. */
struct choice { bool *set; real *gate; double *fold; };

static struct choice
choice_new(const struct model *m, const char *list)
{
	const size_t n = heads_before(m->sites, m->n_sites);
	struct choice c = { xcalloc(n, sizeof(*c.set)), xcalloc(n, sizeof(*c.gate)),
			    xcalloc(n, sizeof(*c.fold)) };
	struct err e;

	if (head_set_add(c.set, list, m->sites, m->n_sites, &e))
		fail_msg("%s", e.text);
	for (size_t i = 0; i < n; i++) {
		c.gate[i] = !c.set[i];
		c.fold[i] = 1;
	}
	attention_set_gates(m->attention, c.fold);
	return c;
}

static void
choice_free(struct choice *c)
{
	free(c->set);
	free(c->gate);
	free(c->fold);
}

/* Losses by row, without dropout. */
static int
rows_without_chance(struct model *m, real *row)
{
	struct setup_batch s;
	struct runtime run;
	int n;

	setup_runtime(&run, 2, false);
	setup_batch(&s, m, setup_text, NULL, 4);
	rows_of(m, &run, &s.b, row);
	n = s.b.tgt.layout.rows;
	setup_batch_end(&s);
	runtime_close(&run);
	return n;
}

static void
compare(struct model *m, const char *list)
{
	struct choice c = choice_new(m, list);
	struct err e = { 0 };
	struct model *less = model_prune(m, c.set, c.fold, &e);
	real whole[ROOM], left[ROOM];

	if (!less && (e.status != EXIT_USAGE || !attention_set_n(m->attention)))
		fail_msg("%s", e.text);		/* only a variant may refuse */
	if (less) {
		int n;

		model_gate(m, c.gate);
		n = rows_without_chance(m, whole);
		assert_true(less->params.total < m->params.total);
		assert_int_equal(n, rows_without_chance(less, left));
		for (int i = 0; i < n; i++)
			if (off_by(whole[i], left[i], 1) > 1e-12)
				fail_msg("%s: row %d is %.15g, with masked heads %.15g", list, i,
					 left[i], whole[i]);
		model_gate(m, NULL);
		check_incremental(less);
		check_causal(less);
	}
	choice_free(&c);
	model_free(less);
}

static void
compare_all(struct model *m)
{
	m->config.word_dropout = 0;
	for (int i = 0; i < REMOVED; i++)
		compare(m, removed[i]);
}

static void
pruning_equals_masking(void **state)
{
	struct model *m = setup_model("story");

	(void)state;
	setup_stir(m);
	compare_all(m);
	model_free(m);
	each(compare_all, 0);
}

/* A copy of the model with memory of its own, with gradients. */
static struct model *
without(const char *preset, const char *list, const char *spec)
{
	struct model_config c = setup_config(preset);
	struct vocab src, tgt;
	struct model *m;
	struct err e;

	letters(&src, c.tie == TIE_ALL ? "abcdefghijklmnopqrstuv" : "abcdefghij");
	letters(&tgt, c.tie == TIE_ALL ? "abcdefghijklmnopqrstuv" : "klmnopqrstuv");
	m = model_new_pruned(&c, list, &src, &tgt, &spec, spec != NULL, &e);
	if (!m)
		fail_msg("%s", e.text);
	m->recipe = preset_find(preset)->recipe;
	params_allocate(&m->params, true);
	model_randomize(m, 7);
	setup_stir(m);
	return m;
}

/* Pruned models train and have relevance like others. */
static void
pruned_models_keep_all_invariants(void **state)
{
	static const char *const presets_used[] = { "fairseq", "onmt", "witwicky", "story" };

	(void)state;
	for (int i = 0; i < 4; i++)
		for (int k = 0; k < REMOVED; k++) {
			const char *spec = i % 2 ? "l0-gate:at=all" : NULL;
			struct model *m = without(presets_used[i], removed[k], spec);
			struct setup_batch s;

			setup_batch(&s, m, setup_text, NULL, 4);
			setup_check_gradient(m, &s.b);
			setup_batch_end(&s);
			check_company(m);
			check_threads(m);
			check_short(m);
			check_relevance(m, &check_alpha_beta, 1e-10);
			check_relevance(m, &check_epsilon, 1e-6);
			model_free(m);
		}
}

/* A table shared by layers keeps all rows; rows of heads that no layer has get no gradient. */
static void
shared_strengths_keep_all_rows(void **state)
{
	struct model *m;
	const struct param *p;
	struct setup_batch s;
	struct runtime run;

	(void)state;
	setup_annotate = annotate;
	m = without("fairseq", "enc-self:1", "relation-mask:last=0");
	p = params_find(&m->params, "relation.strength");
	assert_int_equal(p->d[0], 2);
	setup_runtime(&run, 1, true);
	setup_batch(&s, m, setup_text, NULL, 4);
	setup_loss(m, &run, &s.b, true);
	for (int r = 0; r < 9; r++)
		assert_true(p->grad[r] == 0);
	assert_true(fabs(p->grad[9]) > 1e-9);
	setup_check_gradient(m, &s.b);
	setup_batch_end(&s);
	runtime_close(&run);
	model_free(m);
	setup_annotate = NULL;
}

/* Pruning in two steps equals pruning at once; heads keep their numbers. */
static void
heads_are_pruned_in_steps(void **state)
{
	struct model *m = setup_model("fairseq"), *one, *two, *both;
	struct choice a, b, c;
	struct buf list = { 0 };
	struct err e;

	(void)state;
	setup_stir(m);
	a = choice_new(m, "enc.1.self:1/dec.2.cross:2");
	one = model_prune(m, a.set, a.fold, &e);
	assert_non_null(one);
	b = choice_new(one, "enc.1.self:2/dec.1.self:2");
	two = model_prune(one, b.set, b.fold, &e);
	assert_non_null(two);
	c = choice_new(m, "enc.1.self:1-2/dec.1.self:2/dec.2.cross:2");
	both = model_prune(m, c.set, c.fold, &e);
	assert_non_null(both);
	model_removed_heads(two, NULL, &list);
	assert_string_equal(list.data, "enc-self.1:1+2/dec-self.1:2/cross.2:2");
	assert_int_equal(two->params.total, both->params.total);
	assert_memory_equal(two->params.x, both->params.x, two->params.total * sizeof(real));
	buf_release(&list);
	choice_free(&a);
	choice_free(&b);
	choice_free(&c);
	model_free(one);
	model_free(two);
	model_free(both);
	model_free(m);
}

/* Rows of query, key and value of the retained head, and its columns in the output. */
static void
matrices_lose_the_blocks_of_a_head(void **state)
{
	struct model *m = setup_model("fairseq"), *less;
	struct choice c;
	const struct param *from, *to;
	struct err e;

	(void)state;
	setup_stir(m);
	c = choice_new(m, "enc.1.self:1");
	less = model_prune(m, c.set, c.fold, &e);
	from = params_find(&m->params, "enc.1.self.qkv.weight");
	to = params_find(&less->params, "enc.1.self.qkv.weight");
	assert_int_equal(to->d[0], 12);
	for (int part = 0; part < 3; part++)
		for (int r = 0; r < 4; r++)
			assert_memory_equal(to->x + (part * 4 + r) * 8,
					    from->x + (part * 8 + 4 + r) * 8, 8 * sizeof(real));
	from = params_find(&m->params, "enc.1.self.out.weight");
	to = params_find(&less->params, "enc.1.self.out.weight");
	assert_int_equal(to->d[1], 4);
	for (int r = 0; r < 8; r++)
		assert_memory_equal(to->x + r * 4, from->x + r * 8 + 4, 4 * sizeof(real));
	choice_free(&c);
	model_free(less);
	model_free(m);
}

/* Where pruning differs from masking, it is refused, and the message names the site. */
static void
heads_that_a_variant_needs_are_not_pruned(void **state)
{
	static const struct { const char *specs[2], *list, *says; } known[] = {
		{ { "head-importance" }, "enc.2.self:1", "head-importance at enc.2.self" },
		{ { "head-importance" }, "cross.2:all", "head-importance at dec.2.cross" },
		{ { "head-importance" }, "enc.1.self:1/cross.1:2", NULL },
		{ { "localness:proj=full,last=1" }, "enc.1.self:2", "localness at enc.1.self" },
		{ { "localness:proj=full,last=1" }, "enc.2.self:2", NULL },
		{ { "localness" }, "enc.1.self:2", NULL },
		{ { "dbsa", "sync" }, "enc.1.self:1", "sync at" },
		{ { "dbsa", "sync" }, "enc.1.self:2/cross.1:1", NULL },
		{ { "dbsa", "sync:head=1" }, "cross.1:1", "sync at dec.1.cross" },
		{ { "dbsa", "sync:head=2" }, "cross.1:1", NULL },
		{ { "dbsa" }, "enc.1.self:1", NULL },
		{ { "l0-gate:at=cross", "head-importance:cross=1" }, "enc.1.self:1",
		  "a variant joins the heads" },
		{ { "l0-gate:at=cross", "head-importance:cross=1,keep_out=on" }, "enc.1.self:1",
		  "a variant joins the heads" },
		{ { "l0-gate:at=enc-self", "head-importance:enc=0,cross=1,keep_out=on" },
		  "cross.2:1", NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		const struct model_config config = setup_config("fairseq");
		const size_t n = known[i].specs[1] ? 2 : 1;
		struct model *m = setup_model_of(&config, "fairseq", known[i].specs, n, 7);
		struct choice c = choice_new(m, known[i].list);
		struct err e;
		struct model *less = model_prune(m, c.set, c.fold, &e);

		if (!less != (known[i].says != NULL))
			fail_msg("%s without %s: %s", known[i].specs[0], known[i].list,
				 less ? "accepted" : e.text);
		if (!less) {
			assert_int_equal(e.status, EXIT_USAGE);
			assert_non_null(strstr(e.text, known[i].says));
		}
		choice_free(&c);
		model_free(less);
		model_free(m);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pruning_equals_masking),
		cmocka_unit_test(pruned_models_keep_all_invariants),
		cmocka_unit_test(shared_strengths_keep_all_rows),
		cmocka_unit_test(heads_are_pruned_in_steps),
		cmocka_unit_test(matrices_lose_the_blocks_of_a_head),
		cmocka_unit_test(heads_that_a_variant_needs_are_not_pruned),
	};

	return cmocka_run_group_tests_name("models that have lost heads", tests, NULL, NULL);
}
