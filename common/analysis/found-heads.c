/* found-heads: see found-heads.h. */
#include "analysis/found-heads.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/sink-tokens.h"
#include "base/mem.h"

const char *const found_whats[] = { "align", "copy", "sink", "position", "syntax", NULL };

static bool
has_sums(const struct found_heads *f)
{
	return f->sought == FOUND_SINK || f->sought == FOUND_COPY;
}

int
found_heads_begin(struct found_heads *f, struct err *e)
{
	const struct site_list *sites = &f->roles.sites;
	const size_t heads = heads_before(sites->site, sites->n);
	const bool syntax = f->sought == FOUND_SYNTAX;

	f->roles.errors = true;
	f->roles.trees = syntax;
	if (has_sums(f))
		f->sums = xcalloc(heads, sizeof(*f->sums));
	else
		head_roles_begin(&f->roles);
	f->row = xcalloc(heads + 1, sizeof(*f->row));
	for (size_t i = 0; i < heads; i++)
		if (!syntax || site_of_head(sites->site, i, NULL)->where == ENCODER_SELF)
			f->row[f->n++].at = i;
	return f->n ? 0 : err_usage(e, "the model has no heads of %s, expected some",
				    syntax ? "encoder self-attention" : "attention");
}

void
found_heads_release(struct found_heads *f)
{
	if (!f->row)
		return;
	if (!has_sums(f))
		head_roles_release(&f->roles);
	free(f->sums);
	free(f->row);
	*f = (struct found_heads){ .n = 0 };
}

/* --- sentences --- */

static int
add_sinks(struct found_heads *f, const struct sentence_attention *s, size_t site, struct err *e)
{
	const struct site_list *sites = &f->roles.sites;
	size_t at = heads_before(sites->site, site);
	struct sink_tokens tokens = { .kind = NULL };
	const int bad = sink_tokens_read(&tokens, s, sites->site[site].where, e);

	for (int h = 0; !bad && h < sites->site[site].heads; h++, at++) {
		const struct head_weights w = sentence_attention_head(s, sites, at);
		struct found_sums *sums = &f->sums[at];
		struct sink_sums one = { 0 };

		sink_sums_add(&one, &w, &tokens);
		sink_sums_join(&sums->all, &one);
		ratio_error_add(&sums->sink, one.special + one.punctuation, (double)one.rows);
		ratio_error_add(&sums->copy, (double)one.copies, (double)one.chances);
	}
	sink_tokens_release(&tokens);
	return bad;
}

int
found_heads_add(void *arg, const struct sentence_attention *s, struct err *e)
{
	struct found_heads *f = arg;

	if (!has_sums(f) && head_roles_add(&f->roles, s, e))
		return -1;
	for (size_t k = 0; has_sums(f) && k < f->roles.sites.n; k++)
		if (s->x[k] && add_sinks(f, s, k, e))
			return -1;
	f->sentences++;
	f->target_rows += s->target ? s->target - 1 : 0;
	return 0;
}

/* --- measures --- */

static double
share_of_rows(double x, int64_t rows)
{
	return rows ? x / (double)rows : NAN;
}

static void
measure_sink(const struct found_sums *s, struct found_row *r)
{
	const struct sink_sums *a = &s->all;

	r->value = share_of_rows(a->special + a->punctuation, a->rows);
	r->error = ratio_error_of(&s->sink);
	r->more[0] = share_of_rows(a->special, a->rows);
	r->more[1] = share_of_rows(a->punctuation, a->rows);
	r->more[2] = share_of_rows(a->first, a->rows);
	r->found = r->value > 0.5;
}

static void
measure_copy(const struct found_sums *s, struct found_row *r)
{
	const struct sink_sums *a = &s->all;

	r->value = sink_sums_copy(a);
	r->error = ratio_error_of(&s->copy);
	r->more[0] = (double)a->chances;
	r->more[1] = share_of_rows(a->special, a->rows);
	r->more[2] = 1 - share_of_rows(a->special + a->punctuation, a->rows);
	r->found = r->value > 0.5 && a->chances >= ROLE_ARCS;
}

static void
measure_position(const struct head_roles *roles, struct found_row *r)
{
	const struct attention_sums *s = &roles->sums[r->at];
	const int offset = attention_sums_offset(s, &r->value);

	r->error = ratio_error_of(&roles->sum_errors[r->at].offset[offset + OFFSET_MAX]);
	r->more[0] = isnan(r->value) ? (double)NAN : (double)offset;
	r->more[1] = share_of_rows(s->confidence, s->rows);
	r->more[2] = s->weight > 0 ? s->distance / s->weight : NAN;
	r->found = r->value >= ROLE_POSITIONAL;
}

/*
 * The relation and direction that exceed the baseline most, the first of equals, among those that
 * make the head syntactic, if there are any.
 */
static void
measure_syntax(const struct head_roles *roles, struct found_row *r)
{
	for (size_t i = 0; i < roles->relations->n * SYNTAX_WAYS; i++) {
		const enum syntax_way way = (enum syntax_way)(i % SYNTAX_WAYS);
		const struct role_syntax x = head_roles_syntax(roles, r->at, i / SYNTAX_WAYS, way);
		const double gain = x.share - x.base;

		if (isnan(gain) || (!isnan(r->rank) &&
				    (x.syntactic < r->found ||
				     (x.syntactic == r->found && gain <= r->rank))))
			continue;
		snprintf(r->relation, sizeof(r->relation), "%.100s.%s",
			 roles->relations->entry[i / SYNTAX_WAYS].name, syntax_ways[way]);
		r->value = x.share;
		r->error = x.error;
		r->more[0] = x.base;
		r->more[1] = r->rank = gain;
		r->more[2] = (double)x.arcs;
		r->found = x.syntactic;
	}
}

static void
measure_head(const struct found_heads *f, struct found_row *r)
{
	r->value = r->error = r->rank = r->more[0] = r->more[1] = r->more[2] = NAN;
	switch (f->sought) {
	case FOUND_ALIGN: bug("heads that align are not found here");
	case FOUND_SINK: measure_sink(&f->sums[r->at], r); break;
	case FOUND_COPY: measure_copy(&f->sums[r->at], r); break;
	case FOUND_POSITION: measure_position(&f->roles, r); break;
	case FOUND_SYNTAX: measure_syntax(&f->roles, r); return;
	}
	r->rank = r->value;
}

/* Those that are found first, then by rank; heads without a measure last. */
static int
by_found(const void *a, const void *b)
{
	const struct found_row *p = a, *q = b;
	const double x = isnan(p->rank) ? -INFINITY : p->rank;
	const double y = isnan(q->rank) ? -INFINITY : q->rank;

	if (p->found != q->found)
		return p->found ? -1 : 1;
	return x != y ? (x < y) - (x > y) : (p->at > q->at) - (p->at < q->at);
}

int
found_heads_rank(struct found_heads *f, struct err *e)
{
	int64_t arcs = 0;

	for (size_t i = 0; f->sought == FOUND_SYNTAX && i < f->roles.relations->n; i++)
		arcs += f->roles.counts[i].arcs;
	if (f->sought == FOUND_SYNTAX && !arcs)
		return err_set(e, EXIT_INPUT, "no arcs of the relations in %lld trees, expected "
			       "some; select others with --relations",
			       (long long)(f->sentences - f->roles.treeless));
	for (size_t i = 0; i < f->n; i++)
		measure_head(f, &f->row[i]);
	qsort(f->row, f->n, sizeof(*f->row), by_found);
	while (f->n_found < f->n && f->row[f->n_found].found)
		f->n_found++;
	return 0;
}
