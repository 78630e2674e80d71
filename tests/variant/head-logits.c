/*
 * head-logits: direct logit attributions are those of an independent program (logits.tsv, which
 * tests/data/model/logits.py writes), and sum to the logits where nothing but heads adds to them.
 */
#include "archived.h"

#include "analysis/head-logits.h"
#include "attention/attention-heads.h"
#include "base/buf.h"
#include "model/model-input.h"
#include "text/lines.h"

/* A model with a batch, measured. */
struct measured {
	struct model *m;
	struct runtime run;
	struct setup_batch batch;
	struct head_logits x;
	struct node *h;			/* the decoder output */
};

static void
measured_end(struct measured *y)
{
	head_logits_release(&y->x);
	setup_batch_end(&y->batch);
	runtime_close(&y->run);
	model_free(y->m);
	y->m = NULL;
}

/* Takes the model. */
static void
measure(struct measured *y, struct model *m, const char *const *text, int n)
{
	struct node *nll;

	y->m = m;
	setup_runtime(&y->run, 1, false);
	setup_batch(&y->batch, m, text, NULL, n);
	head_logits_begin(&y->x, m);
	y->x.errors = true;
	model_loss(m, y->run.tape, &y->batch.b, &nll);
	y->h = nll->in[0];
	head_logits_add(&y->x, y->run.tape, &y->batch.b, nll);
}

/* --- the independent program --- */

static void
measure_archived(struct measured *y, const char *name)
{
	static const char src[] = "the dog bites a man", tgt[] = "der hund beisst ein mann";
	struct setup_batch *s = &y->batch;
	struct batch_rules rules;
	struct node *nll;
	struct err e;

	y->m = archived_model(name);
	setup_runtime(&y->run, 1, false);
	arena_init(&s->mem, 0);
	s->rec[0] = record_new();
	s->number[0] = 0;
	record_set_str(s->rec[0], "src", src, strlen(src));
	record_set_str(s->rec[0], "tgt", tgt, strlen(tgt));
	model_batch_rules(y->m, &rules);
	if (model_batch(y->m, &s->b, &s->mem, (const struct record *const *)s->rec, s->number, 1,
			&rules, &e))
		fail_msg("%s", e.text);
	head_logits_begin(&y->x, y->m);
	model_loss(y->m, y->run.tape, &s->b, &nll);
	head_logits_add(&y->x, y->run.tape, &s->b, nll);
	assert_int_equal(y->x.tokens, 6);
}

static size_t
head_of(const struct model *m, const char *site, int head)
{
	for (size_t i = 0; i < m->n_sites; i++)
		if (!strcmp(m->sites[i].name, site))
			return heads_before(m->sites, i) + (size_t)head - 1;
	fail_msg("no site %s", site);
	return 0;
}

static void
values_are_those_of_an_independent_program(void **state)
{
	struct measured y = { .m = NULL };
	struct buf text = { 0 };
	char model[32] = "";
	struct err e;
	int lines = 0;

	(void)state;
	assert_int_equal(lines_read_all(ARCHIVED "logits.tsv", &text, &e), 0);
	for (char *line = strtok(text.data, "\n"); line; line = strtok(NULL, "\n"), lines++) {
		char *field[4];
		double found, expected;

		assert_int_equal(archived_split(line, field, 4), 4);
		if (strcmp(model, field[0])) {
			if (y.m)
				measured_end(&y);
			snprintf(model, sizeof(model), "%s", field[0]);
			measure_archived(&y, model);
		}
		found = y.x.sum[head_of(y.m, field[1], atoi(field[2]))];
		expected = atof(field[3]);
		if (!(fabs(found - expected) <= 1e-10))
			fail_msg("%s, %s %s: %.12g, expected %.12g", model, field[1], field[2],
				 found, expected);
	}
	assert_int_equal(lines, 3 * 8);
	measured_end(&y);
	buf_release(&text);
}

/* --- models in which only heads add to the logits --- */

static void
set_zero(struct param *p)
{
	for (size_t i = 0; p && i < p->n; i++)
		p->x[i] = 0;
}

/* No embeddings and positions of targets, no biases, no feed-forward layers. */
static struct model *
heads_alone(const char *preset, const char *spec)
{
	struct model_config c = setup_config(preset);
	struct model *m;

	c.positions = POSITIONS_NONE;
	c.tie = TIE_NONE;
	m = setup_model_of(&c, preset, &spec, spec != NULL, 7);
	setup_stir(m);
	for (size_t i = 0; i < m->params.n; i++) {
		struct param *p = m->params.list[i];

		if (strstr(p->name, ".bias") || strstr(p->name, "ff.out"))
			set_zero(p);
	}
	set_zero(m->layers->tgt_embed);
	return m;
}

/* The sum over the target tokens of the logit minus the mean logit of what is possible. */
static double
sum_of_logits(struct measured *y, int64_t *tokens)
{
	const struct model *m = y->m;
	const struct node *logits = model_logits(y->m, y->run.tape, y->h);
	double sum = 0;

	*tokens = 0;
	for (int r = 0; r < logits->d[0]; r++) {
		const real *row = logits->x + (ptrdiff_t)r * logits->ld;
		const int y_r = y->batch.b.tgt.out[r];
		double mean = 0;
		int n = 0;

		if (m->tgt_valid && !m->tgt_valid[y_r])
			continue;
		for (int v = 0; v < logits->d[1]; v++)
			if (!m->tgt_valid || m->tgt_valid[v]) {
				mean += row[v];
				n++;
			}
		sum += row[y_r] - mean / n;
		++*tokens;
	}
	return sum;
}

static void
heads_sum_to_the_logits(void **state)
{
	static const char *const preset[] = { SETUP_NAMES };

	(void)state;
	for (size_t i = 0; i < SETUP_MODELS; i++) {
		struct measured y = { .m = NULL };
		double sum = 0, expected;
		int64_t tokens;
		size_t decoder;

		measure(&y, heads_alone(preset[i], NULL), setup_text, 4);
		decoder = heads_before(y.m->sites, (size_t)y.m->config.enc_layers);
		for (size_t h = 0; h < decoder; h++)
			assert_true(y.x.sum[h] == 0);
		for (size_t h = decoder; h < heads_before(y.m->sites, y.m->n_sites); h++) {
			/* Self-attention of the first layer reads zeros. */
			assert_true((fabs(y.x.sum[h]) > 1e-9) == (h >= decoder + 2));
			sum += y.x.sum[h];
		}
		expected = sum_of_logits(&y, &tokens);
		assert_int_equal(y.x.tokens, tokens);
		if (!(off_by(sum, expected, 1e-3) < 1e-9))
			fail_msg("%s: the heads sum to %.12g, expected %.12g", preset[i], sum,
				 expected);
		measured_end(&y);
	}
}

/* Which heads have a column; `last`: those of the last layer have. */
static void
columns(const char *spec, bool last)
{
	struct measured y = { .m = NULL };
	const struct head_column *c;
	struct head_table t;

	measure(&y, heads_alone("fairseq", spec), setup_text, 4);
	t = (struct head_table){ 0 };
	head_logits_fill(&y.x, &t);
	c = head_table_find(&t, "logit");
	assert_non_null(c);
	for (size_t i = 0; i < y.m->n_sites; i++) {
		const struct site *s = &y.m->sites[i];
		const bool has = s->where != ENCODER_SELF && (last || s->layer < s->n_layers);

		for (int h = 0; h < s->heads; h++) {
			const double x = head_table_get(c, head_table_row(&t, s->where, s->layer,
									  h + 1));
			const double sum = y.x.sum[heads_before(y.m->sites, i) + (size_t)h];

			assert_true(has ? fabs(x - sum / (double)y.x.tokens) < 1e-12 : isnan(x));
		}
	}
	head_table_release(&t);
	measured_end(&y);
}

/* Neither heads of the encoder, nor those that a variant mixes. */
static void
only_some_heads_have_the_measure(void **state)
{
	(void)state;
	columns(NULL, true);
	columns("l0-gate:at=all", true);
	columns("head-importance", false);
	columns("head-importance:keep_out=on", false);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_are_those_of_an_independent_program),
		cmocka_unit_test(heads_sum_to_the_logits),
		cmocka_unit_test(only_some_heads_have_the_measure),
	};

	if (chdir(getenv("HEED_TOP") ? getenv("HEED_TOP") : "."))
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
