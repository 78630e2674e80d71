/* head-match: see head-match.h. */
#include "analysis/head-match.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/stored-attention.h"
#include "base/mem.h"
#include "data/side-tokens.h"
#include "scores/assignment.h"
#include "stream/signature.h"

enum { KINDS = DECODER_CROSS + 1 };

/* The heads of a kind of attention in a model. */
struct heads {
	size_t *head;			/* [n] indices among all heads */
	struct head_weights *weights;	/* [n] in the current sentence */
	double *entropy;		/* [n] of the current row */
	int n;
};

struct kind {
	struct heads of[2];
	double *across[2];		/* [n, n] sums over rows of odd and even sentences */
	double *within;			/* [n, n] of the first model, above the diagonal */
	int64_t rows[2];
};

struct match {
	struct stored_attention in[2];
	struct kind kind[KINDS];
	int64_t sentences, left_out;
};

static void
heads_begin(struct heads *x, const struct site_list *sites, int where)
{
	const size_t all = heads_before(sites->site, sites->n);

	*x = (struct heads){ .head = xcalloc(all + 1, sizeof(*x->head)),
			     .weights = xcalloc(all + 1, sizeof(*x->weights)),
			     .entropy = xcalloc(all + 1, sizeof(*x->entropy)) };
	x->n = (int)heads_of_kind(sites->site, sites->n, where, x->head);
}

static void
match_begin(struct match *m)
{
	for (int where = 0; where < KINDS; where++) {
		struct kind *k = &m->kind[where];

		for (int i = 0; i < 2; i++)
			heads_begin(&k->of[i], &m->in[i].sites, where);
		for (int i = 0; i < 2; i++)
			k->across[i] = xcalloc((size_t)(k->of[0].n * k->of[1].n) + 1,
					       sizeof(*k->across[i]));
		k->within = xcalloc((size_t)(k->of[0].n * k->of[0].n) + 1, sizeof(*k->within));
	}
}

static void
match_end(struct match *m)
{
	for (int where = 0; where < KINDS; where++) {
		struct kind *k = &m->kind[where];

		for (int i = 0; i < 2; i++) {
			free(k->of[i].head);
			free(k->of[i].weights);
			free(k->of[i].entropy);
			free(k->across[i]);
		}
		free(k->within);
	}
	for (int i = 0; i < 2; i++)
		stored_attention_close(&m->in[i]);
}

/* --- distances --- */

static double
entropy_term(double p)
{
	return p > 0 ? -p * log(p) : 0;
}

/* Sets the weights of the heads and returns their number, or 0 without weights of a site. */
static int
weights_now(struct heads *x, const struct stored_attention *stored)
{
	for (int h = 0; h < x->n; h++) {
		x->weights[h] = sentence_attention_head(&stored->sentence, &stored->sites,
							x->head[h]);
		if (!x->weights[h].x)
			return 0;
	}
	return x->n;
}

static const real *
weights_in_row(const struct heads *x, int head, int row)
{
	return x->weights[head].x + (ptrdiff_t)row * x->weights[head].keys;
}

static void
set_entropies(struct heads *x, int row)
{
	for (int h = 0; h < x->n; h++) {
		const real *p = weights_in_row(x, h, row);

		x->entropy[h] = 0;
		for (int j = 0; j < x->weights[h].keys; j++)
			x->entropy[h] += entropy_term((double)p[j]);
	}
}

/* The Jensen-Shannon divergence of a row of head i of a and head j of b. */
static double
divergence(const struct heads *a, int i, const struct heads *b, int j, int row)
{
	const real *p = weights_in_row(a, i, row), *q = weights_in_row(b, j, row);
	double sum = -(a->entropy[i] + b->entropy[j]) / 2;

	for (int k = 0; k < a->weights[i].keys; k++)
		sum += entropy_term(((double)p[k] + (double)q[k]) / 2);
	return sum > 0 ? sum : 0;
}

static void
match_add_row(struct kind *k, int half, int row)
{
	const struct heads *a = &k->of[0], *b = &k->of[1];

	for (int i = 0; i < 2; i++)
		set_entropies(&k->of[i], row);
	for (int i = 0; i < a->n; i++) {
		for (int j = 0; j < b->n; j++)
			k->across[half][i * b->n + j] += divergence(a, i, b, j, row);
		for (int j = i + 1; j < a->n; j++)
			k->within[i * a->n + j] += divergence(a, i, a, j, row);
	}
	k->rows[half]++;
}

/* --- sentences --- */

static int
same_tokens(const struct match *m, bool target, struct err *e)
{
	struct side_tokens side[2];
	struct arena mem;
	int bad = 0;

	arena_init(&mem, 0);
	for (int i = 0; i < 2 && !bad; i++)
		bad = side_tokens_of(&side[i], m->in[i].sentence.rec, target, &mem, e);
	if (!bad && side[0].n != side[1].n)
		bad = err_set(e, EXIT_INPUT, "%zu %s tokens, expected %zu as in %s", side[1].n,
			      target ? "target" : "source", side[0].n,
			      reader_name(m->in[0].in));
	for (size_t i = 0; !bad && i < side[0].n; i++) {
		const struct str a = side[0].token[i], b = side[1].token[i];

		if (a.n != b.n || memcmp(a.s, b.s, a.n))
			bad = err_set(e, EXIT_INPUT, "%s token %zu differs from that in %s, "
				      "expected the same text and subwords",
				      target ? "target" : "source", i + 1,
				      reader_name(m->in[0].in));
	}
	arena_release(&mem);
	return bad ? -1 : 0;
}

static int
check_sentence(const struct match *m, struct err *e)
{
	const struct sentence_attention *a = &m->in[0].sentence, *b = &m->in[1].sentence;
	int bad = same_tokens(m, false, e) || (a->target && b->target && same_tokens(m, true, e));

	if (!bad && (a->source != b->source || (a->target && b->target && a->target != b->target)))
		bad = err_set(e, EXIT_INPUT, "%d source and %d target positions, expected %d and "
			      "%d as in %s", b->source, b->target, a->source, a->target,
			      reader_name(m->in[0].in));
	return bad ? err_wrap(e, "%s", stored_attention_where(&m->in[1])) : 0;
}

static int
match_add_sentence(struct match *m, struct err *e)
{
	const int half = (int)(m->in[0].sentence.number % 2);

	if (check_sentence(m, e))
		return -1;
	for (int where = 0; where < KINDS; where++) {
		struct kind *k = &m->kind[where];
		const bool both = weights_now(&k->of[0], &m->in[0]) &&
				  weights_now(&k->of[1], &m->in[1]);

		for (int r = 0; both && r < k->of[0].weights[0].rows; r++)
			match_add_row(k, half, r);
	}
	m->sentences++;
	return 0;
}

/* Reads both streams; a sentence whose number is in one of them alone is left out. */
static int
match_add_all(struct match *m, struct err *e)
{
	int more[2] = { 1, 1 };
	bool next[2] = { true, true };

	for (;;) {
		int64_t number[2];

		for (int i = 0; i < 2; i++) {
			if (next[i] && more[i] > 0)
				more[i] = stored_attention_next(&m->in[i], e);
			if (more[i] < 0)
				return -1;
			number[i] = more[i] ? m->in[i].sentence.number : INT64_MAX;
		}
		if (!more[0] && !more[1])
			return 0;
		for (int i = 0; i < 2; i++)
			next[i] = number[i] <= number[1 - i];
		if (number[0] != number[1])
			m->left_out++;
		else if (match_add_sentence(m, e))
			return -1;
	}
}

/* --- the table --- */

/* The columns in their order, of which the first head may not have all. */
static void
match_add_columns(struct head_table *t)
{
	head_table_column(t, "match.layer", HEAD_INT);
	head_table_column(t, "match.head", HEAD_INT);
	head_table_column(t, "match", HEAD_FLOAT);
	head_table_column(t, "match.random", HEAD_FLOAT);
	head_table_column(t, "match.within", HEAD_FLOAT);
	head_table_column(t, "match.stable", HEAD_INT);
}

static void
set_int(struct head_table *t, size_t row, const char *name, int x)
{
	head_table_set(t, row, head_table_column(t, name, HEAD_INT), x);
}

/* found: matches by all sentences, and by the two halves. */
static void
match_fill_head(const struct match *m, const struct kind *k, int i, int *const found[3],
		struct head_table *t)
{
	const struct heads *a = &k->of[0], *b = &k->of[1];
	const struct site *sites = m->in[0].sites.site;
	const size_t head = a->head[i], row = head_table_row_of(t, sites, head);
	const int j = found[2][i];
	const double rows = (double)(k->rows[0] + k->rows[1]);
	double sum = 0, within = INFINITY;

	for (int h = 0; h < b->n; h++)
		sum += k->across[0][i * b->n + h];
	for (int h = 0; h < a->n; h++)
		if (h != i)
			within = fmin(within, k->within[h < i ? h * a->n + i : i * a->n + h]);
	if (j >= 0) {
		int number;
		const struct site *other = site_of_head(m->in[1].sites.site, b->head[j], &number);

		set_int(t, row, "match.layer", other->layer);
		set_int(t, row, "match.head", number);
		head_table_fill(t, sites, head, "match", k->across[0][i * b->n + j] / rows);
	}
	head_table_fill(t, sites, head, "match.random", sum / b->n / rows);
	head_table_fill(t, sites, head, "match.within", within / rows);
	if (j >= 0 && k->rows[0] && k->rows[1])
		set_int(t, row, "match.stable", found[0][i] == j && found[1][i] == j);
}

/* Afterward, across[0] has the sums of both halves. */
static void
fill_kind(const struct match *m, struct kind *k, struct head_table *t)
{
	const int n = k->of[0].n, others = k->of[1].n;
	int *found[3];

	for (int i = 0; i < 3; i++)
		found[i] = xcalloc((size_t)n + 1, sizeof(*found[i]));
	for (int i = 0; i < 2; i++)
		assignment_find(n, others, k->across[i], found[i]);
	for (int i = 0; i < n * others; i++)
		k->across[0][i] += k->across[1][i];
	assignment_find(n, others, k->across[0], found[2]);
	for (int i = 0; i < n; i++)
		match_fill_head(m, k, i, found, t);
	for (int i = 0; i < 3; i++)
		free(found[i]);
}

static void
sign_match(const struct match *m, struct head_table *t)
{
	const char *other = header_meta(reader_header(m->in[1].in), HEADER_SCORED);
	struct buf s = { 0 };

	buf_add_str(&s, "heed|end:excl");
	signature_add(&s, "match", other ? other : reader_name(m->in[1].in));
	buf_printf(&s, "|sentences:%" PRId64 "|version:%s", m->sentences, cli_version());
	free(t->signature);
	t->signature = s.data;
}

int
head_match(char *const path[2], unsigned flags, struct head_table *t, struct err *e)
{
	struct match m = { .sentences = 0 };
	int bad = 0;

	for (int i = 0; i < 2 && !bad; i++)
		bad = stored_attention_open(&m.in[i], path[i], NULL, flags, e);
	if (!bad) {
		match_begin(&m);
		bad = match_add_all(&m, e);
	}
	if (!bad && !m.sentences)
		bad = err_set(e, EXIT_INPUT, "%s: no sentence that is in %s, too, expected at "
			      "least one", path[1], path[0]);
	if (!bad && m.left_out)
		warn("%s and %s: %" PRId64 " of %" PRId64 " sentences have weights in only one of "
		     "the two", path[0], path[1], m.left_out, m.sentences + m.left_out);
	if (!bad)
		match_add_columns(t);
	for (int where = 0; !bad && where < KINDS; where++)
		if (m.kind[where].rows[0] + m.kind[where].rows[1])
			fill_kind(&m, &m.kind[where], t);
	if (!bad)
		sign_match(&m, t);
	match_end(&m);
	return bad ? -1 : 0;
}
