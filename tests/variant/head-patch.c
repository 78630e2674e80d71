/*
 * head-patch: effects of activation patching are those of an independent program (patching.tsv,
 * which tests/data/model/patching.py writes) and, for variants, those of whole passes of the model;
 * gradients are the slopes of effects whose differences of head outputs are scaled down.
 */
#include "archived.h"

#include "analysis/head-patch.h"
#include "attention/attention-heads.h"
#include "base/buf.h"
#include "model/model-input.h"
#include "text/lines.h"

enum { PAIRS = 2 };

static const char *const sources[PAIRS][2] = {
	{ "the dog bites a man", "the man bites a dog" },
	{ "the dog bites a man", "a dog bites the man" },
};

/* A model with its pairs patched in one direction. */
struct patched {
	char model[32], direction[32];
	struct model *m;
	struct runtime run;
	struct head_patching p;
	struct arena mem;
	struct record *rec[2 * PAIRS];
};

static void
patch_end(struct patched *x)
{
	if (!x->m)
		return;
	head_patch_release(&x->p);
	for (int i = 0; i < 2 * PAIRS; i++)
		record_free(x->rec[i]);
	arena_release(&x->mem);
	runtime_close(&x->run);
	model_free(x->m);
	x->m = NULL;
}

static enum head_patch_direction
direction_of(const char *name)
{
	int i = 0;

	while (head_patch_directions[i] && strcmp(head_patch_directions[i], name))
		i++;
	assert_non_null(head_patch_directions[i]);
	return (enum head_patch_direction)i;
}

/* Batch 0: the clean sources; 1: the corrupted ones. */
static void
make_batches(struct patched *x, struct batch *b)
{
	static const char tgt[] = "der hund beisst ein mann";
	const int64_t number[PAIRS] = { 0, 1 };
	struct batch_rules rules;
	struct err e;

	model_batch_rules(x->m, &rules);
	for (int k = 0; k < 2; k++) {
		struct record **rec = x->rec + k * PAIRS;

		for (int i = 0; i < PAIRS; i++) {
			rec[i] = record_new();
			record_set_str(rec[i], "src", sources[i][k], strlen(sources[i][k]));
			record_set_str(rec[i], "tgt", tgt, strlen(tgt));
		}
		if (model_batch(x->m, &b[k], &x->mem, (const struct record *const *)rec, number,
				PAIRS, &rules, &e))
			fail_msg("%s", e.text);
	}
}

/* Patches the pairs, unless they were patched last. */
static void
patch(struct patched *x, const char *model, const char *direction)
{
	const struct head_patch_how how = {
		.direction = direction_of(direction), .method = { true, true, true }, .steps = 5,
	};
	struct batch b[2];

	if (x->m && !strcmp(x->model, model) && !strcmp(x->direction, direction))
		return;
	patch_end(x);
	snprintf(x->model, sizeof(x->model), "%s", model);
	snprintf(x->direction, sizeof(x->direction), "%s", direction);
	x->m = archived_model(model);
	setup_runtime(&x->run, 1, false);
	arena_init(&x->mem, 0);
	head_patch_begin(&x->p, x->m, &how);
	make_batches(x, b);
	head_patch_pairs(&x->p, x->run.tape, &b[0], &b[1]);
	assert_int_equal(x->p.n, PAIRS);
}

/* The effect on a pair of a head, by its site and number, or the total effect. */
static double
effect_of(const struct patched *x, int method, int pair, const char *site, int head)
{
	for (size_t i = 0; i < x->m->n_sites; i++)
		if (!strcmp(x->m->sites[i].name, site))
			return x->p.effect[method][(size_t)pair * x->p.heads +
						   heads_before(x->m->sites, i) + (size_t)head - 1];
	assert_string_equal(site, "total");
	return x->p.total[pair];
}

static void
effects_are_those_of_an_independent_program(void **state)
{
	struct patched x = { .m = NULL };
	struct buf text = { 0 };
	struct err e;
	int lines = 0;

	(void)state;
	assert_int_equal(lines_read_all(ARCHIVED "patching.tsv", &text, &e), 0);
	for (char *line = strtok(text.data, "\n"); line; line = strtok(NULL, "\n"), lines++) {
		char *field[8];

		assert_int_equal(archived_split(line, field, 8), 8);
		patch(&x, field[0], field[1]);
		for (int k = 0; k < PATCH_METHODS; k++) {
			const double found = effect_of(&x, k, atoi(field[2]), field[3],
						       atoi(field[4]));
			const double expected = atof(field[5 + k]);

			if (!(fabs(found - expected) <= (k == PATCH_EXACT ? 1e-10 : 1e-8)))
				fail_msg("%s %s, pair %s, %s %s, method %d: %.12g, expected %.12g",
					 field[0], field[1], field[2], field[3], field[4], k, found,
					 expected);
		}
	}
	assert_int_equal(lines, 3 * 2 * PAIRS * 13);
	patch_end(&x);
	buf_release(&text);
}

static void
same(double found, double expected)
{
	if (!(fabs(found - expected) <= 1e-12))
		fail_msg("%.15g, expected %.15g", found, expected);
}

static double
value_of(const struct head_table *t, const char *name, const char *end, size_t row)
{
	char column[64];

	snprintf(column, sizeof(column), "%s%s", name, end);
	assert_non_null(head_table_find(t, column));
	return head_table_get(head_table_find(t, column), row);
}

/* Means, standard errors and shares of two pairs, from the same table. */
static void
columns_are_statistics_of_the_effects(void **state)
{
	static const char *const name[] = { "patch", "patch.gradient", "patch.integrated" };
	struct patched x = { .m = NULL };
	struct head_table t;
	struct err e;
	size_t row;
	double total;

	(void)state;
	patch(&x, "story", "denoise");
	t = (struct head_table){ 0 };
	assert_int_equal(head_patch_fill(&x.p, &t, &e), 0);
	total = x.p.total[0] + x.p.total[1];
	row = head_table_row(&t, DECODER_CROSS, 2, 2);
	for (int k = 0; k < PATCH_METHODS; k++) {
		const double a = effect_of(&x, k, 0, "dec.2.cross", 2);
		const double b = effect_of(&x, k, 1, "dec.2.cross", 2);

		assert_true(fabs(a - b) > 1e-3);
		same(value_of(&t, name[k], "", row), (a + b) / 2);
		same(value_of(&t, name[k], ".error", row), fabs(a - b) / 2);
		same(value_of(&t, name[k], ".share", row), (a + b) / total);
	}
	same(head_patch_total(&x.p), total / 2);
	head_table_release(&t);
	patch_end(&x);
}

/* --- variants --- */

static const char *const trials[] = {
	NULL, "head-importance", "l0-gate:at=all", "localness:last=2", "relative:k=2",
	"fixed-heads", "subset:heads=3",
};

/* The log-probability of each sentence by a whole pass. */
static void
scores(struct model *m, struct tape *t, const struct batch *b, double *of)
{
	const struct layout *rows = &b->tgt.layout;
	struct node *nll;

	tape_rewind(t);
	model_loss(m, t, b, &nll);
	for (int i = 0; i < b->n; i++) {
		of[i] = 0;
		for (int r = rows->start[i]; r < rows->start[i] + rows->len[i]; r++)
			of[i] -= op_cross_entropy_rows(nll)[r];
	}
}

/* The output of a head in the last pass, dense. */
static real *
output_of(const struct model *m, const struct tape *t, size_t site, int head)
{
	const struct node *x = tape_find(t, m->gate_name[site])->in[0];
	const int d = m->sites[site].head_dim;
	real *to = xcalloc((size_t)x->d[0] * (size_t)d, sizeof(*to));

	for (int i = 0; i < x->d[0] * d; i++)
		to[i] = x->x[i / d * x->ld + head * d + i % d];
	return to;
}

/* The log-probabilities of b if the output of a head is x + by * (other - x). */
static void
scores_patched(struct model *m, struct tape *t, const struct batch *b, struct head_patch *one,
	       const real *x, const real *other, double by, double *of)
{
	const int n = one->rows * m->sites[one->site].head_dim;

	one->x = xcalloc((size_t)n, sizeof(*one->x));
	for (int i = 0; i < n; i++)
		one->x[i] = x[i] + by * (other[i] - x[i]);
	model_patch(m, one);
	scores(m, t, b, of);
	model_patch(m, NULL);
	free(one->x);
}

/* Compares the effects of a head; batch 0 is patched with the outputs of batch 1. */
static void
try_head(const struct head_patching *p, struct model *m, struct tape *t,
	 struct setup_batch *const *s, size_t site, int head)
{
	const double sign = p->how.direction == PATCH_NOISE ? 1 : -1;
	const size_t column = heads_before(m->sites, site) + (size_t)head;
	double whole[3], found[3], up[3], down[3];
	struct head_patch one = { .site = site, .head = head };
	real *other, *x;

	scores(m, t, &s[1]->b, found);
	other = output_of(m, t, site, head);
	scores(m, t, &s[0]->b, whole);
	x = output_of(m, t, site, head);
	one.rows = m->sites[site].where == ENCODER_SELF ? s[0]->b.src.layout.rows
							: s[0]->b.tgt.layout.rows;
	scores_patched(m, t, &s[0]->b, &one, x, other, 1, found);
	scores_patched(m, t, &s[0]->b, &one, x, other, 1e-5, up);
	scores_patched(m, t, &s[0]->b, &one, x, other, -1e-5, down);
	for (size_t i = 0; i < 3; i++) {
		const size_t at = i * p->heads + column;
		const double slope = sign * (down[i] - up[i]) / 2e-5;

		same(p->effect[PATCH_EXACT][at], sign * (whole[i] - found[i]));
		if (!(off_by(p->effect[PATCH_GRADIENT][at], slope, 1e-2) < 1e-6))
			fail_msg("site %zu, head %d: gradient %.12g, expected %.12g", site, head,
				 p->effect[PATCH_GRADIENT][at], slope);
		same(p->effect[PATCH_INTEGRATED][at], p->effect[PATCH_GRADIENT][at]);
	}
	free(other);
	free(x);
}

static void
try_variant(const char *preset, const char *spec, enum head_patch_direction direction)
{
	static const char *const text[2][3] = {
		{ "abc|klm", "ab|k", "hgfed|mnop" }, { "bca|klm", "jb|k", "hgefd|mnop" }
	};
	const struct head_patch_how how = {
		.direction = direction, .method = { true, true, true }, .steps = 1,
	};
	const struct model_config c = setup_config(preset);
	struct model *m = setup_model_of(&c, preset, &spec, spec != NULL, 7);
	struct setup_batch s[2], *const order[2] = { &s[direction], &s[!direction] };
	struct runtime run;
	struct head_patching p;
	double clean[3], corrupted[3];

	setup_stir(m);
	setup_runtime(&run, 1, false);
	for (int k = 0; k < 2; k++)
		setup_batch(&s[k], m, text[k], NULL, 3);
	head_patch_begin(&p, m, &how);
	head_patch_pairs(&p, run.tape, &s[0].b, &s[1].b);
	scores(m, run.tape, &s[0].b, clean);
	scores(m, run.tape, &s[1].b, corrupted);
	for (size_t i = 0; i < 3; i++)
		same(p.total[i], clean[i] - corrupted[i]);
	for (size_t site = 0; site < m->n_sites; site++)
		for (int head = 0; head < m->sites[site].heads; head++)
			try_head(&p, m, run.tape, order, site, head);
	head_patch_release(&p);
	for (int k = 0; k < 2; k++)
		setup_batch_end(&s[k]);
	runtime_close(&run);
	model_free(m);
}

static void
passes_that_begin_at_a_layer_are_whole_passes(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(trials) / sizeof(*trials); i++)
		for (int k = 0; k < 2; k++)
			try_variant("fairseq", trials[i], (enum head_patch_direction)k);
	try_variant("t5", NULL, PATCH_NOISE);
	try_variant("bart", NULL, PATCH_DENOISE);
}

/*
 * In an output mask, exact leaves out the tokens, and gradients leave out the sentence; the other
 * sentence has the effects that it has alone.
 */
static void
masked_tokens_do_not_count(void **state)
{
	static const char *const text[2][2] = { { "abc|mn", "abc|lmn" }, { "bca|mn", "bca|lmn" } };
	const struct head_patch_how how = {
		.direction = PATCH_NOISE, .method = { false, true, true }, .steps = 3,
	};
	struct model_config c = setup_config("fairseq");
	struct head_patching p[2];
	struct head_table t[2];
	struct model *m[2];
	struct runtime run;

	(void)state;
	c.output_mask = true;
	setup_runtime(&run, 1, false);
	for (int i = 0; i < 2; i++) {
		struct setup_batch s[2];
		struct err e;

		m[i] = setup_model_of(&c, "fairseq", NULL, 0, 7);
		for (int k = 0; k < 2; k++)
			setup_batch(&s[k], m[i], text[k], NULL, i + 1);
		head_patch_begin(&p[i], m[i], &how);
		head_patch_pairs(&p[i], run.tape, &s[0].b, &s[1].b);
		t[i] = (struct head_table){ 0 };
		assert_int_equal(head_patch_fill(&p[i], &t[i], &e), 0);
		setup_batch_end(&s[0]);
		setup_batch_end(&s[1]);
	}
	assert_int_equal(p[1].n, 2);
	assert_null(head_table_find(&t[0], "patch"));
	for (size_t row = 0; row < 12; row++) {
		same(value_of(&t[1], "patch.gradient", "", row),
		     value_of(&t[0], "patch.gradient", "", row));
		same(value_of(&t[1], "patch.integrated", "", row),
		     value_of(&t[0], "patch.integrated", "", row));
	}
	for (int i = 0; i < 2; i++) {
		head_table_release(&t[i]);
		head_patch_release(&p[i]);
		model_free(m[i]);
	}
	runtime_close(&run);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(masked_tokens_do_not_count),
		cmocka_unit_test(effects_are_those_of_an_independent_program),
		cmocka_unit_test(columns_are_statistics_of_the_effects),
		cmocka_unit_test(passes_that_begin_at_a_layer_are_whole_passes),
	};

	if (chdir(getenv("HEED_TOP") ? getenv("HEED_TOP") : "."))
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
