/* masking-curve: orders, points, masks, losses and BLEU of pruning curves; see masking-curve.h. */
#include "analysis/masking-curve.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/ranked.h"
#include "base/rng.h"

int
masking_curve_init(struct masking_curve *c, struct model *m, int kind, struct err *e)
{
	*c = (struct masking_curve){ .m = m, .n_gates = heads_before(m->sites, m->n_sites) };
	c->head = xcalloc(c->n_gates + 1, sizeof(*c->head));
	c->n_heads = heads_of_kind(m->sites, m->n_sites, kind, c->head);
	if (c->n_heads)
		return 0;
	masking_curve_release(c);
	return err_set(e, EXIT_USAGE, "the model has no heads of %s",
		       kind < 0 ? "any site" : site_kinds[kind]);
}

void
masking_curve_release(struct masking_curve *c)
{
	for (size_t i = 0; i < c->n_orders; i++) {
		free(c->order[i].name);
		free(c->order[i].rank);
	}
	for (size_t i = 0; i < c->n_skipped; i++) {
		free(c->skipped[i].name);
		free(c->skipped[i].why);
	}
	free(c->skipped);
	free(c->order);
	free(c->head);
	free(c->retained);
	free(c->masks);
	free(c->nll);
	free(c->bleu);
	gated_bleu_release(&c->texts);
	gated_loss_release(&c->gated);
}

/* --- orders --- */

/* Adds an order and takes ownership of its name. */
static uint32_t *
add_order(struct masking_curve *c, char *name)
{
	uint32_t *rank = xcalloc(c->n_heads + 1, sizeof(*rank));

	c->order = mem_grow(c->order, &c->order_room, c->n_orders + 1, sizeof(*c->order));
	c->order[c->n_orders++] = (struct head_order){ name, rank };
	return rank;
}

/* Fills rank with the indices of the values: lowest first; equal values in reverse order. */
static void
rank_values(struct ranked *v, size_t n, uint32_t *rank)
{
	ranked_sort(v, n);
	for (size_t i = 0; i < n; i++)
		rank[i] = (uint32_t)v[n - 1 - i].at;
}

/* The values of a measure for all heads of the curve, which the caller frees; or NULL. */
static struct ranked *
masking_curve_values(const struct masking_curve *c, struct head_table *t, const char *measure,
		     const char *path, struct err *e)
{
	const struct head_column *column = head_table_measure(t, measure, path, e);
	struct ranked *v = column ? xcalloc(c->n_heads, sizeof(*v)) : NULL;

	for (size_t i = 0; v && i < c->n_heads; i++) {
		const size_t row = head_table_row_of(t, c->m->sites, c->head[i]);
		int head;
		const struct site *s = site_of_head(c->m->sites, c->head[i], &head);

		v[i] = (struct ranked){ head_table_get(column, row), i };
		if (!isnan(v[i].value))
			continue;
		err_set(e, EXIT_INPUT, "%s: head %d of %s has no %s, expected one for every head "
			"that may be masked", path, head, s->name, measure);
		free(v);
		return NULL;
	}
	return v;
}

static bool
has_order(const struct masking_curve *c, const char *name)
{
	for (size_t i = 0; i < c->n_orders; i++)
		if (!strcmp(c->order[i].name, name))
			return true;
	return false;
}

static int
add_order_of_measure(struct masking_curve *c, struct head_table *t, const char *measure,
		     bool highest, const char *path, struct err *e)
{
	char *name = xasprintf("%s%s", measure, highest ? ".reverse" : "");
	const bool twice = has_order(c, name);
	struct ranked *v = twice ? NULL : masking_curve_values(c, t, measure, path, e);

	if (v) {
		for (size_t i = 0; highest && i < c->n_heads; i++)
			v[i].value = -v[i].value;
		rank_values(v, c->n_heads, add_order(c, name));
		free(v);
		return 0;
	}
	free(name);
	if (twice)
		return err_usage(e, "--%s: %s is given twice, expected once",
				 highest ? "reverse" : "by", measure);
	if (!c->skip_missing || e->status != EXIT_INPUT)
		return -1;
	c->skipped = mem_grow(c->skipped, &c->skipped_room, c->n_skipped + 1, sizeof(*c->skipped));
	c->skipped[c->n_skipped++] = (struct head_skipped){ xstrdup(measure), xstrdup(e->text) };
	return 0;
}

int
masking_curve_measures(struct masking_curve *c, struct head_table *t, const char *list,
		       bool highest, const char *path, struct err *e)
{
	int bad = 0;

	for (char *name; list && !bad && (name = head_table_next(&list)); free(name))
		bad = add_order_of_measure(c, t, name, highest, path, e);
	return bad;
}

/*
 * Sorts a permutation of the heads by the fraction of each kind that is masked so far: the j-th
 * head of n of its kind gets a random place between (j - 1) / n and j / n.
 */
static void
stratify(const struct masking_curve *c, struct rng *r, uint32_t *rank)
{
	size_t n[DECODER_CROSS + 1] = { 0 }, before[DECODER_CROSS + 1] = { 0 };
	struct ranked *v = xcalloc(c->n_heads, sizeof(*v));

	for (size_t i = 0; i < c->n_heads; i++)
		n[site_of_head(c->m->sites, c->head[i], NULL)->where]++;
	for (size_t i = 0; i < c->n_heads; i++) {
		const int kind = (int)site_of_head(c->m->sites, c->head[rank[i]], NULL)->where;
		const double j = (double)before[kind]++ + rng_uniform(r);

		v[i] = (struct ranked){ j / (double)n[kind], rank[i] };
	}
	rank_values(v, c->n_heads, rank);
	free(v);
}

void
masking_curve_random(struct masking_curve *c, uint64_t seed, bool stratified)
{
	uint32_t *rank = add_order(c, xasprintf("random.%" PRIu64, seed));
	struct rng r;

	rng_init(&r, seed, rng_purpose("head order"), 0);
	rng_permutation(&r, rank, c->n_heads);
	if (stratified)
		stratify(c, &r, rank);
}

/* --- points and masks --- */

void
masking_curve_step(struct masking_curve *c, size_t step)
{
	size_t retained = c->n_heads;

	free(c->retained);
	c->retained = xcalloc(c->n_heads + 1, sizeof(*c->retained));
	c->n_points = 0;
	for (; retained > 0; retained -= retained < step ? retained : step)
		c->retained[c->n_points++] = retained;
	c->retained[c->n_points++] = 0;
}

void
masking_curve_points(struct masking_curve *c, size_t n)
{
	const size_t last = n - 1 < c->n_heads ? n - 1 : c->n_heads;

	free(c->retained);
	c->retained = xcalloc(last + 1, sizeof(*c->retained));
	c->n_points = last + 1;
	for (size_t i = 0; i <= last; i++)
		c->retained[i] = (c->n_heads * (last - i) + last / 2) / last;
}

static void
fill_mask(const struct masking_curve *c, size_t order, size_t point, bool *mask)
{
	const uint32_t *rank = c->order[order].rank;

	memset(mask, 0, c->n_gates);
	for (size_t i = 0; i < c->n_heads - c->retained[point]; i++)
		mask[c->head[rank[i]]] = true;
}

/* The index of a mask in the sorted list, or the index at which to insert it. */
static size_t
place_of_mask(const struct masking_curve *c, const bool *mask, bool *there)
{
	size_t from = 0, to = c->n_masks;

	while (from < to) {
		const size_t middle = (from + to) / 2;

		if (memcmp(c->masks + middle * c->n_gates, mask, c->n_gates) < 0)
			from = middle + 1;
		else
			to = middle;
	}
	*there = from < c->n_masks && !memcmp(c->masks + from * c->n_gates, mask, c->n_gates);
	return from;
}

static void
insert_mask(struct masking_curve *c, const bool *mask)
{
	bool *at;
	bool there;
	const size_t place = place_of_mask(c, mask, &there);

	if (there)
		return;
	at = c->masks + place * c->n_gates;
	memmove(at + c->n_gates, at, (c->n_masks - place) * c->n_gates);
	memcpy(at, mask, c->n_gates);
	c->n_masks++;
}

void
masking_curve_begin(struct masking_curve *c)
{
	bool *mask = xcalloc(c->n_gates, sizeof(*mask));

	c->masks = xcalloc((c->n_orders * c->n_points + 1) * c->n_gates, sizeof(*c->masks));
	for (size_t i = 0; i < c->n_orders; i++)
		for (size_t k = 0; k < c->n_points; k++) {
			fill_mask(c, i, k, mask);
			insert_mask(c, mask);
		}
	free(mask);
	c->nll = xcalloc(c->n_masks + 1, sizeof(*c->nll));
	c->bleu = xcalloc(c->n_masks + 1, sizeof(*c->bleu));
	for (size_t i = 0; i < c->n_masks; i++)
		c->bleu[i] = NAN;
	gated_loss_begin(&c->gated, c->m);
}

/* Sets the model's gates to a mask. */
static void
set_mask(struct masking_curve *c, size_t mask)
{
	for (size_t i = 0; i < c->n_gates; i++)
		c->gated.gates[i] = c->masks[mask * c->n_gates + i] ? 0 : 1;
}

/* --- losses and BLEU --- */

void
masking_curve_add(struct masking_curve *c, struct tape *t, const struct batch *b,
		  masking_curve_done *done, void *arg)
{
	const int64_t tokens = gated_loss_tokens(c->m, b);

	c->masked += b->tgt.layout.rows - tokens;
	c->tokens += tokens;
	gated_loss_next(&c->gated);
	for (size_t i = 0; i < c->n_masks; i++) {
		set_mask(c, i);
		c->nll[i] += gated_loss_of(&c->gated, t, b);
		if (done)
			done(arg, (int64_t)i + 1);
	}
}

int
masking_curve_check(const struct masking_curve *c, struct err *e)
{
	struct buf masked = { 0 };

	if (!c->tokens)
		return err_set(e, EXIT_INPUT, "no target token, expected at least one%s", c->masked
			       ? " that the output mask does not exclude" : "");
	for (size_t i = 0; i < c->n_masks; i++) {
		if (isfinite(c->nll[i]))
			continue;
		masking_curve_describe(c, i, &masked);
		err_set(e, EXIT_INPUT, "the loss %s%s is %g, expected a number",
			masked.n ? "without " : "with all heads", masked.n ? masked.data : "",
			c->nll[i]);
		buf_release(&masked);
		return -1;
	}
	return 0;
}

int
masking_curve_translate(struct masking_curve *c, struct pass *p, int beam, bool cut,
			masking_curve_done *done, void *arg, struct err *e)
{
	const size_t n = c->n_masks * c->n_gates;
	real *gates = xcalloc(n + 1, sizeof(*gates));
	const struct gated_masks masks = { c->n_masks, c->bleu, gates, done, arg };
	int bad;

	for (size_t i = 0; i < n; i++)
		gates[i] = c->masks[i] ? 0 : 1;
	bad = gated_bleu_score(&c->texts, c->m, p, beam, cut, &masks, e);
	free(gates);
	return bad;
}

/* --- results --- */

size_t
masking_curve_mask(const struct masking_curve *c, size_t order, size_t point)
{
	bool *mask = xcalloc(c->n_gates, sizeof(*mask)), there;
	size_t place;

	fill_mask(c, order, point, mask);
	place = place_of_mask(c, mask, &there);
	free(mask);
	return place;
}

void
masking_curve_describe(const struct masking_curve *c, size_t mask, struct buf *out)
{
	head_set_describe(c->masks + mask * c->n_gates, c->m->sites, c->m->n_sites, out);
}

double
masking_curve_nll(const struct masking_curve *c, size_t mask)
{
	return c->nll[mask] / (double)c->tokens;
}
