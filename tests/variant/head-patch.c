/*
 * head-patch: effects of activation patching are those of an independent program (patching.tsv,
 * which tests/data/model/patching.py writes) and, for variants, those of whole passes of the model.
 */
#include "archived.h"

#include "analysis/head-patch.h"
#include "attention/attention-heads.h"
#include "base/buf.h"
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
	struct batch b[2];

	if (x->m && !strcmp(x->model, model) && !strcmp(x->direction, direction))
		return;
	patch_end(x);
	snprintf(x->model, sizeof(x->model), "%s", model);
	snprintf(x->direction, sizeof(x->direction), "%s", direction);
	x->m = archived_model(model);
	setup_runtime(&x->run, 1, false);
	arena_init(&x->mem, 0);
	head_patch_begin(&x->p, x->m, direction_of(direction));
	make_batches(x, b);
	head_patch_pairs(&x->p, x->run.tape, &b[0], &b[1]);
	assert_int_equal(x->p.n, PAIRS);
}

/* The column of a head by its site and number, or of the total. */
static size_t
column_of(const struct patched *x, const char *site, int head)
{
	for (size_t i = 0; i < x->m->n_sites; i++)
		if (!strcmp(x->m->sites[i].name, site))
			return heads_before(x->m->sites, i) + (size_t)head - 1;
	assert_string_equal(site, "total");
	return x->p.heads;
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
		char *field[6];
		double found, expected;

		assert_int_equal(archived_split(line, field, 6), 6);
		patch(&x, field[0], field[1]);
		found = x.p.effect[(size_t)atoi(field[2]) * (x.p.heads + 1) +
				   column_of(&x, field[3], atoi(field[4]))];
		expected = atof(field[5]);
		if (!(fabs(found - expected) <= 1e-10))
			fail_msg("%s %s, pair %s, %s %s: %.12g, expected %.12g", field[0], field[1],
				 field[2], field[3], field[4], found, expected);
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

/* Means, standard errors and shares of two pairs, from the same table. */
static void
columns_are_statistics_of_the_effects(void **state)
{
	struct patched x = { .m = NULL };
	struct head_table t;
	struct err e;
	size_t row, width;
	double a, b, total;

	(void)state;
	patch(&x, "story", "denoise");
	width = x.p.heads + 1;
	head_table_init(&t);
	assert_int_equal(head_patch_fill(&x.p, &t, &e), 0);
	a = x.p.effect[column_of(&x, "dec.2.cross", 2)];
	b = x.p.effect[width + column_of(&x, "dec.2.cross", 2)];
	total = x.p.effect[x.p.heads] + x.p.effect[width + x.p.heads];
	row = head_table_row(&t, DECODER_CROSS, 2, 2);
	assert_true(fabs(a - b) > 1e-3);
	same(head_table_get(head_table_find(&t, "patch"), row), (a + b) / 2);
	same(head_table_get(head_table_find(&t, "patch.error"), row), fabs(a - b) / 2);
	same(head_table_get(head_table_find(&t, "patch.share"), row), (a + b) / total);
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

static void
try_variant(const char *spec, enum head_patch_direction direction)
{
	static const char *const text[2][3] = {
		{ "abc|klm", "ab|k", "hgfed|mnop" }, { "bca|klm", "jb|k", "hgefd|mnop" }
	};
	const struct model_config c = setup_config("fairseq");
	struct model *m = setup_model_of(&c, "fairseq", &spec, spec != NULL, 7);
	const bool noise = direction == PATCH_NOISE;
	struct setup_batch s[2];
	struct runtime run;
	struct head_patching p;
	double clean[3], corrupted[3];

	setup_stir(m);
	setup_runtime(&run, 1, false);
	for (int k = 0; k < 2; k++)
		setup_batch(&s[k], m, text[k], NULL, 3);
	head_patch_begin(&p, m, direction);
	head_patch_pairs(&p, run.tape, &s[0].b, &s[1].b);
	scores(m, run.tape, &s[0].b, clean);
	scores(m, run.tape, &s[1].b, corrupted);
	for (size_t i = 0; i < 3; i++)
		same(p.effect[i * (p.heads + 1) + p.heads], clean[i] - corrupted[i]);
	for (size_t site = 0, column = 0; site < m->n_sites; site++) {
		for (int head = 0; head < m->sites[site].heads; head++, column++) {
			const struct batch *to = &s[noise ? 0 : 1].b;
			struct head_patch one = { .site = site, .head = head,
				.rows = m->sites[site].where == ENCODER_SELF
					? to->src.layout.rows : to->tgt.layout.rows };
			double found[3];

			scores(m, run.tape, &s[noise ? 1 : 0].b, found);
			one.x = output_of(m, run.tape, site, head);
			model_patch(m, &one);
			scores(m, run.tape, to, found);
			model_patch(m, NULL);
			free(one.x);
			for (size_t i = 0; i < 3; i++)
				same(p.effect[i * (p.heads + 1) + column],
				     noise ? clean[i] - found[i] : found[i] - corrupted[i]);
		}
	}
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
			try_variant(trials[i], (enum head_patch_direction)k);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(effects_are_those_of_an_independent_program),
		cmocka_unit_test(columns_are_statistics_of_the_effects),
		cmocka_unit_test(passes_that_begin_at_a_layer_are_whole_passes),
	};

	if (chdir(getenv("HEED_TOP") ? getenv("HEED_TOP") : "."))
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
