/* deletion-curve: see deletion-curve.h. */
#include "attribution/deletion-curve.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attribution/method.h"
#include "base/mem.h"
#include "base/ranked.h"
#include "base/rng.h"
#include "model/model-input.h"
#include "ops/ops.h"
#include "stream/fields.h"

/* A copy of the sentence without some tokens, and the positions whose drop it measures. */
struct copy {
	int order, point;		/* -1: the whole sentence */
	const uint32_t *rank;		/* deletable tokens, in the order of deletion */
	int deleted;
	int from, to;			/* indices of struct job.position */
};

/* The work for a sentence. */
struct job {
	const struct record *rec;
	int64_t number;
	int rows, first, tokens;	/* target positions; the deletable source tokens */
	int *best;			/* [rows] predicted tokens */
	int n, *position;		/* the chosen positions, rising */
	double *whole;			/* [n] -log p with all tokens */
	struct copy *copy;
	int n_copies;
};

void
deletion_curve_begin(struct deletion_curve *c)
{
	const size_t orders = (size_t)c->n_methods + (size_t)c->n_random;

	c->drop = xcalloc(orders * (size_t)c->n_points + 1, sizeof(*c->drop));
	c->sentences = c->positions = 0;
	arena_init(&c->mem, 0);
}

void
deletion_curve_release(struct deletion_curve *c)
{
	free(c->drop);
	arena_release(&c->mem);
}

/* --- input --- */

int
token_relevance_check(struct reader *reader, struct err *e)
{
	if (!header_meta(reader_header(reader), "lrp.against"))
		return 0;
	err_set(e, EXIT_INPUT, "%s: attributions against another token, expected those of the "
		"predictions", reader_name(reader));
	err_hint(e, "run head-lrp without --against");
	return -1;
}

int
token_relevance_read(struct token_relevance *r, const struct record *rec, struct arena *mem,
		     struct err *e)
{
	struct tensor t;
	size_t n;

	if (!record_has(rec, "relevance.src"))
		return 1;
	if (record_tensor(rec, "relevance.src", &t) || t.type != TENSOR_F32 || t.n_dim != 2 ||
	    t.d[0] > 1000000 || t.d[1] > 1000000)
		return err_set(e, EXIT_INPUT, "relevance.src is not a matrix, expected f32[t,s]");
	r->rows = (int)t.d[0];
	r->columns = (int)t.d[1];
	if (!r->rows && !r->columns)		/* of a sentence with an empty source */
		return 1;
	n = (size_t)r->rows * (size_t)r->columns;
	r->x = ARENA_ARRAY(mem, float, n + 1);
	memcpy(r->x, t.data, n * sizeof(*r->x));
	for (size_t i = 0; i < n; i++)
		if (!isfinite(r->x[i]))
			return err_set(e, EXIT_INPUT, "relevance.src has an element %g, expected "
				       "numbers", (double)r->x[i]);
	return 0;
}

/* The predicted tokens, in relevance.best. */
static int
read_best(struct deletion_curve *c, struct job *j, struct err *e)
{
	const struct str *best;
	size_t n;

	if (record_strs(j->rec, "relevance.best", &best, &n) || n != (size_t)j->rows)
		return err_set(e, EXIT_INPUT, "relevance.best does not have %d tokens, expected "
			       "one for each row of relevance.src", j->rows);
	j->best = ARENA_ARRAY(&c->mem, int, n + 1);
	for (size_t i = 0; i < n; i++) {
		char *text = xstrndup(best[i].s, best[i].n);
		const int bad = logit_token(c->m, text, &j->best[i], e);

		free(text);
		if (bad) {
			e->status = EXIT_INPUT;
			return err_wrap(e, "relevance.best");
		}
	}
	return 0;
}

/* --- orders --- */

/* Highest first; equal values in the order of the sentence. */
static uint32_t *
rank_row(struct deletion_curve *c, const struct job *j, const float *row)
{
	struct ranked *v = ARENA_ARRAY(&c->mem, struct ranked, j->tokens + 1);
	uint32_t *rank = ARENA_ARRAY(&c->mem, uint32_t, j->tokens + 1);

	for (int i = 0; i < j->tokens; i++)
		v[i] = (struct ranked){ row[j->first + i], (size_t)i };
	ranked_sort(v, (size_t)j->tokens);
	for (int i = 0; i < j->tokens; i++)
		rank[i] = (uint32_t)v[i].at;
	return rank;
}

static uint32_t *
permutation(struct deletion_curve *c, const struct job *j, uint64_t seed, const char *purpose,
	    int n)
{
	uint32_t *p = ARENA_ARRAY(&c->mem, uint32_t, n + 1);
	struct rng r;

	rng_init(&r, seed, rng_purpose(purpose), rng_key((uint64_t)j->number));
	rng_permutation(&r, p, (size_t)n);
	return p;
}

static int
rising(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static void
choose_positions(struct deletion_curve *c, struct job *j)
{
	const uint32_t *p = permutation(c, j, c->seed, "token positions", j->rows);

	j->n = j->rows < c->per_sentence ? j->rows : c->per_sentence;
	j->position = ARENA_ARRAY(&c->mem, int, j->n + 1);
	for (int i = 0; i < j->n; i++)
		j->position[i] = (int)p[i];
	qsort(j->position, (size_t)j->n, sizeof(*j->position), rising);
	j->whole = ARENA_ARRAY(&c->mem, double, j->n + 1);
}

static void
add_points(const struct deletion_curve *c, struct job *j, int order, const uint32_t *rank, int from,
	   int to)
{
	for (int k = 1; k <= c->n_points; k++)
		j->copy[j->n_copies++] = (struct copy){
			.order = order, .point = k, .rank = rank, .from = from, .to = to,
			.deleted = (j->tokens * k + c->n_points / 2) / c->n_points
		};
}

/* A method has an order for each position, a random order is the same for all. */
static void
list_copies(struct deletion_curve *c, struct job *j, const struct token_relevance *method)
{
	const int n = 1 + c->n_points * (c->n_methods * j->n + c->n_random);

	j->copy = ARENA_ARRAY(&c->mem, struct copy, n);
	j->copy[0] = (struct copy){ .order = -1, .point = -1, .to = j->n };
	j->n_copies = 1;
	for (int o = 0; o < c->n_methods; o++)
		for (int i = 0; i < j->n; i++) {
			const float *row = method[o].x +
					   (ptrdiff_t)j->position[i] * method[o].columns;

			add_points(c, j, o, rank_row(c, j, row), i, i + 1);
		}
	for (int o = 0; o < c->n_random; o++)
		add_points(c, j, c->n_methods + o,
			   permutation(c, j, c->seed + (uint64_t)o, "token order", j->tokens), 0,
			   j->n);
}

/* --- passes --- */

static int
make_batch(struct deletion_curve *c, const struct job *j, int n, struct arena *mem, struct batch *b,
	   struct err *e)
{
	const bool cut = record_has(j->rec, side_fields[0].cut) ||
			 record_has(j->rec, side_fields[1].cut);

	return method_batch(c->m, j->rec, j->number, cut, n, mem, b, e);
}

/* Replaces the deleted tokens, and lets each position predict the token that was best there. */
static void
edit_batch(const struct job *j, const struct copy *copy, struct arena *mem, struct batch *b)
{
	int *id = ARENA_ARRAY(mem, int, b->src.layout.rows + 1);
	int *out = ARENA_ARRAY(mem, int, b->tgt.layout.rows + 1);

	memcpy(id, b->src.id, (size_t)b->src.layout.rows * sizeof(*id));
	for (int i = 0; i < b->n; i++) {
		for (int k = 0; k < copy[i].deleted; k++)
			id[b->src.layout.start[i] + j->first + (int)copy[i].rank[k]] = VOCAB_UNK;
		memcpy(out + b->tgt.layout.start[i], j->best, (size_t)j->rows * sizeof(*out));
	}
	b->src.id = id;
	b->tgt.out = out;
}

static void
deletion_curve_take_rows(struct deletion_curve *c, struct job *j, const struct copy *copy,
			 const struct batch *b, const real *row)
{
	for (int i = 0; i < b->n; i++)
		for (int p = copy[i].from; p < copy[i].to; p++) {
			const double x = (double)row[b->tgt.layout.start[i] + j->position[p]];

			if (copy[i].order < 0)
				j->whole[p] = x;
			else
				c->drop[copy[i].order * c->n_points + copy[i].point - 1] +=
					x - j->whole[p];
		}
}

static int
run_copies(struct deletion_curve *c, struct job *j, const struct copy *copy, int n, struct err *e)
{
	struct arena mem;
	struct batch b;
	struct node *h, *nll;
	int bad;

	arena_init(&mem, 0);
	bad = make_batch(c, j, n, &mem, &b, e);
	if (!bad) {
		edit_batch(j, copy, &mem, &b);
		tape_rewind(c->tape);
		h = model_decode(c->m, c->tape, &b, model_encode(c->m, c->tape, &b));
		nll = model_cross_entropy(c->m, c->tape, &b, h);
		deletion_curve_take_rows(c, j, copy, &b, op_cross_entropy_rows(nll));
	}
	arena_release(&mem);
	return bad;
}

/* The deletable tokens: all but the end of the sentence and what every source begins with. */
static int
measure_sentence(struct deletion_curve *c, struct job *j, const struct token_relevance *r,
		 struct err *e)
{
	struct batch_rules rules;
	struct batch b;

	if (make_batch(c, j, 1, &c->mem, &b, e))
		return -1;
	if (b.src.layout.len[0] != r->columns || b.tgt.layout.len[0] != r->rows)
		return err_set(e, EXIT_INPUT, "relevance.src is %d x %d, expected %d x %d for this "
			       "model", r->rows, r->columns, b.tgt.layout.len[0],
			       b.src.layout.len[0]);
	model_batch_rules(c->m, &rules);
	j->rows = r->rows;
	j->first = rules.first_token[0].n > 0;
	j->tokens = r->columns - b.src_end - j->first;
	return 0;
}

int
deletion_curve_add(struct deletion_curve *c, const struct record *rec, int64_t number,
		   const struct token_relevance *method, struct err *e)
{
	struct job j = { .rec = rec, .number = number };
	int together;

	if (measure_sentence(c, &j, &method[0], e) || read_best(c, &j, e))
		return -1;
	for (int i = 1; i < c->n_methods; i++)
		if (method[i].rows != method[0].rows || method[i].columns != method[0].columns)
			return err_set(e, EXIT_INPUT, "relevance.src is %d x %d, expected %d x %d "
				       "as in the first stream", method[i].rows, method[i].columns,
				       method[0].rows, method[0].columns);
	if (j.tokens < 1)
		return 0;
	choose_positions(c, &j);
	list_copies(c, &j, method);
	together = method_together(method[0].rows + method[0].columns);
	for (int i = 0; i < j.n_copies; i += together) {
		const int left = j.n_copies - i;

		if (run_copies(c, &j, &j.copy[i], left < together ? left : together, e))
			return -1;
	}
	c->sentences++;
	c->positions += j.n;
	return 0;
}

/* --- results --- */

double
deletion_curve_drop(const struct deletion_curve *c, int order, int point)
{
	return point ? c->drop[order * c->n_points + point - 1] / (double)c->positions : 0;
}

int
deletion_curve_retained(const struct deletion_curve *c, int point)
{
	return (100 * (c->n_points - point) + c->n_points / 2) / c->n_points;
}

/* --- output --- */

const struct field deletion_curve_fields[] = { { "order", "str", 0 }, { "site", "str", 0 },
					    { "retained", "int", 0 }, { "drop", "float", 0 },
					    { 0 } };

/* The name of a method, or random.SEED; the caller frees it. */
static char *
order_name(const struct deletion_curve *c, int order)
{
	if (order < c->n_methods)
		return xstrdup(c->method[order]);
	return xasprintf("random.%" PRIu64, c->seed + (uint64_t)(order - c->n_methods));
}

static int
put_curve(const struct deletion_curve *c, int order, struct writer *out, struct err *e)
{
	char *name = order_name(c, order);
	struct record *rec = record_new();
	int bad = 0;

	for (int k = 0; !bad && k <= c->n_points; k++) {
		record_set_str(rec, "order", name, strlen(name));
		record_set_str(rec, "site", "source", strlen("source"));
		record_set_int(rec, "retained", deletion_curve_retained(c, k));
		record_set_float(rec, "drop", deletion_curve_drop(c, order, k));
		bad = writer_put(out, rec, e);
	}
	record_free(rec);
	free(name);
	return bad;
}

static int
put_note(struct writer *out, const char *name, int64_t n, struct err *e)
{
	char text[32];

	snprintf(text, sizeof(text), "%" PRId64, n);
	return writer_note(out, name, text, e);
}

int
deletion_curve_put(const struct deletion_curve *c, struct writer *out, struct err *e)
{
	int bad = put_note(out, "sentences", c->sentences, e) ||
		  put_note(out, "positions", c->positions, e);

	for (int i = 0; !bad && i < c->n_methods + c->n_random; i++)
		bad = put_curve(c, i, out, e);
	return bad;
}

void
deletion_curve_tsv(const struct deletion_curve *c, struct buf *out)
{
	buf_add_str(out, "order\tretained\tdrop\n");
	for (int i = 0; i < c->n_methods + c->n_random; i++) {
		char *name = order_name(c, i);

		for (int k = 0; k <= c->n_points; k++)
			buf_printf(out, "%s\t%d\t%.6f\n", name, deletion_curve_retained(c, k),
				   deletion_curve_drop(c, i, k));
		free(name);
	}
}
