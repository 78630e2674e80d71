/*
 * attribution: the relevance of tokens and heads of three models, compared with attribution.tsv, an
 * independent computation in double precision (tests/data/model/attribution.py); completeness of
 * integrated gradients.
 */
#include "archived.h"

#include "attribution/lrp-sums.h"
#include "attribution/method.h"
#include "base/buf.h"
#include "stream/stream.h"
#include "text/lines.h"

/* A sentence traced with a method. */
struct traced {
	char model[32], method[32];
	struct model *m;
	struct runtime run;
	struct lrp_tracer tracer;
	struct lrp_job job;
	struct record *rec;
	struct lrp_sums sums;
	struct head_table table;
};

/* The number of the rule with this name. */
static int
rule_of(const char *name, size_t n)
{
	for (int i = 0; lrp_rules[i]; i++)
		if (strlen(lrp_rules[i]) == n && !memcmp(lrp_rules[i], name, n))
			return i;
	fail_msg("there is no rule %s", name);
	return -1;
}

static void
trace_end(struct traced *x)
{
	if (!x->m)
		return;
	head_table_release(&x->table);
	lrp_sums_release(&x->sums);
	lrp_release(&x->tracer);
	record_free(x->rec);
	runtime_close(&x->run);
	model_free(x->m);
	x->m = NULL;
}

/* Traces the sentence of attribution.py, unless it was traced last.  A method is RULE[.against]. */
static void
trace(struct traced *x, const char *model, const char *method)
{
	static const char src[] = "the dog bites a man", tgt[] = "der hund beisst ein mann";
	const size_t n = strcspn(method, ".");
	struct lrp how;
	struct err e;

	if (x->m && !strcmp(x->model, model) && !strcmp(x->method, method))
		return;
	trace_end(x);
	snprintf(x->model, sizeof(x->model), "%s", model);
	snprintf(x->method, sizeof(x->method), "%s", method);
	x->m = archived_model(model);
	setup_runtime(&x->run, 1, false);
	how = lrp_defaults(rule_of(method, n));
	lrp_init(&x->tracer, x->m, &x->run.pass, &how);
	if (method[n] && logit_token(x->m, "hund", &x->tracer.foil, &e))
		fail_msg("%s", e.text);
	x->rec = record_new();
	record_set_str(x->rec, "src", src, strlen(src));
	record_set_str(x->rec, "tgt", tgt, strlen(tgt));
	x->job = (struct lrp_job){ .rec = x->rec };
	if (lrp_trace(&x->tracer, &x->job, 1, &e))
		fail_msg("%s", e.text);
	lrp_sums_init(&x->sums, x->m);
	if (lrp_sums_add(&x->sums, &x->job.out, &e))
		fail_msg("%s", e.text);
	x->table = (struct head_table){ 0 };
	lrp_sums_fill(&x->sums, "relevance", &x->table);
}

static void
compare(const struct traced *x, const char *what, double found, const char *expected)
{
	const double y = atof(expected);

	if (!(fabs(found - y) <= 1e-7 * fmax(1, fabs(y))))
		fail_msg("%s %s: %s: %.10g, expected %.10g", x->model, x->method, what, found, y);
}

/* A row of attributions: fields 3 (the position) and on. */
static void
check_row(const struct traced *x, bool source, char **field, int n)
{
	const struct lrp_sentence *s = &x->job.out;
	const int t = atoi(field[3]), columns = source ? s->source_tokens : s->positions;
	const double *row = (source ? s->src : s->tgt) + t * columns;

	assert_int_equal(n - 4, columns);
	for (int i = 0; i < columns; i++)
		compare(x, source ? "source" : "target", row[i], field[4 + i]);
}

/* A head: its site, number, share and relevance. */
static void
check_head(struct traced *x, char **field)
{
	const char *measure[] = { "relevance", "relevance.raw" };

	for (size_t i = 0; i < x->m->n_sites; i++) {
		const struct site *s = &x->m->sites[i];
		const size_t row = strcmp(s->name, field[3]) ? 0 :
			head_table_row(&x->table, s->where, s->layer, atoi(field[4]));

		for (int k = 0; k < 2 && !strcmp(s->name, field[3]); k++)
			compare(x, field[3],
				head_table_get(head_table_find(&x->table, measure[k]), row),
				field[5 + k]);
	}
}

static void
attributions_are_those_of_an_independent_program(void **state)
{
	struct traced x = { .m = NULL };
	struct buf text = { 0 };
	struct err e;
	int lines = 0;

	(void)state;
	assert_int_equal(lines_read_all(ARCHIVED "attribution.tsv", &text, &e), 0);
	for (char *line = strtok(text.data, "\n"); line; line = strtok(NULL, "\n"), lines++) {
		char *field[16];
		const int n = archived_split(line, field, 16);

		trace(&x, field[0], field[1]);
		if (!strcmp(field[2], "heads"))
			check_head(&x, field);
		else
			check_row(&x, !strcmp(field[2], "src"), field, n);
	}
	assert_true(lines > 100);
	trace_end(&x);
	buf_release(&text);
}

/* The logits, without biases, of the traced tokens; w: the weights of the output layer. */
static void
logits_of(struct model *m, struct runtime *run, const struct batch *b,
	  const struct lrp_sentence *out, const real *w, double *y)
{
	const struct node *h;

	tape_rewind(run->tape);
	h = model_decode(m, run->tape, b, model_encode(m, run->tape, b));
	for (int t = 0; t < out->positions; t++) {
		y[t] = 0;
		for (int i = 0; i < h->d[1]; i++)
			y[t] += w[out->token[t] * h->d[1] + i] * h->x[t * h->ld + i];
	}
}

static double
sum_of_position(const struct lrp_sentence *out, int t)
{
	double sum = 0;

	for (int i = 0; i < out->source_tokens; i++)
		sum += out->src[t * out->source_tokens + i];
	for (int i = 0; i < out->positions; i++)
		sum += out->tgt[t * out->positions + i];
	return sum;
}

/*
 * The largest distance of the sum of a position, by integrated gradients, from the logit minus that
 * of embeddings of 0.
 */
static double
distance(const char *preset, int steps)
{
	static const char *const text[] = { "abcd|lmn" };
	const struct lrp how = lrp_defaults(RULE_INTEGRATED_GRADIENTS);
	struct model *m = setup_model(preset);
	struct param *table[2] = { m->layers->src_embed, m->layers->tgt_embed };
	const size_t size = m->layers->output->n * sizeof(real);
	real *w = xcalloc(1, size);
	double y[2][MOST], most = 0;
	struct lrp_tracer tracer;
	struct setup_batch s;
	struct runtime run;
	struct lrp_job job;
	struct err e;

	setup_stir(m);
	setup_runtime(&run, 1, false);
	setup_batch(&s, m, text, NULL, 1);
	lrp_init(&tracer, m, &run.pass, &how);
	tracer.steps = steps;
	job = (struct lrp_job){ .rec = s.rec[0] };
	if (lrp_trace(&tracer, &job, 1, &e))
		fail_msg("%s", e.text);
	memcpy(w, m->layers->output->x, size);
	for (int k = 0; k < 2; k++) {
		logits_of(m, &run, &s.b, &job.out, w, y[k]);
		for (int side = 0; side < 2; side++)
			memset(table[side]->x, 0, table[side]->n * sizeof(real));
	}
	for (int t = 0; t < job.out.positions; t++)
		most = fmax(most, fabs(sum_of_position(&job.out, t) - (y[0][t] - y[1][t])));
	assert_true(fabs(most - job.out.gap) < 1e-9);
	lrp_release(&tracer);
	setup_batch_end(&s);
	runtime_close(&run);
	model_free(m);
	free(w);
	return most;
}

static void
integrated_gradients_are_complete(void **state)
{
	static const char *const preset[] = { "fairseq", "onmt", "story", "m2m", "bart", "marian" };

	(void)state;
	for (size_t i = 0; i < sizeof(preset) / sizeof(*preset); i++) {
		const double some = distance(preset[i], 10), many = distance(preset[i], 1000);

		if (!(many < 1e-2 && many < some / 10))
			fail_msg("%s: %.3g with 10 steps, %.3g with 1000", preset[i], some, many);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(attributions_are_those_of_an_independent_program),
		cmocka_unit_test(integrated_gradients_are_complete),
	};

	if (chdir(getenv("HEED_TOP") ? getenv("HEED_TOP") : "."))
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
