/* head-roles: measures and roles of heads; see head-roles.h. */
#include "analysis/head-roles.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"

const char *const syntax_ways[] = { [FROM_DEPENDENT] = "dep", [FROM_HEAD] = "head" };

int
head_roles_margin(struct head_roles *r, const char *text, struct err *e)
{
	const bool relative = !strncmp(text, "rel:", 4);

	if (!relative && strncmp(text, "abs:", 4))
		return err_usage(e, "--margin: '%s', expected abs:N or rel:N", text);
	if (num_float(text + 4, strlen(text + 4), 0, 1e6, &r->margin, e))
		return err_wrap(e, "--margin");
	r->margin /= 100;
	r->relative = relative;
	return 0;
}

void
head_roles_begin(struct head_roles *r)
{
	const size_t heads = heads_before(r->sites.site, r->sites.n), relations = r->relations->n;

	r->sums = xcalloc(heads, sizeof(*r->sums));
	r->sum_errors = xcalloc(heads, sizeof(*r->sum_errors));
	r->hits = xcalloc(heads * relations * SYNTAX_WAYS, sizeof(*r->hits));
	r->hit_errors = xcalloc(heads * relations * SYNTAX_WAYS, sizeof(*r->hit_errors));
	r->found = xcalloc(relations * SYNTAX_WAYS, sizeof(*r->found));
	r->counts = xcalloc(relations, sizeof(*r->counts));
	r->rare_hits = xcalloc((size_t)r->sites.site[0].heads, sizeof(*r->rare_hits));
	r->tree = (struct dep_sentence){ .n = 0 };
	r->fields = side_fields[0];
}

void
head_roles_release(struct head_roles *r)
{
	free(r->sums);
	free(r->sum_errors);
	free(r->hits);
	free(r->hit_errors);
	free(r->found);
	for (size_t i = 0; i < r->relations->n; i++)
		syntax_counts_release(&r->counts[i]);
	free(r->counts);
	free(r->rare_hits);
	syntax_arcs_release(&r->arcs);
	dep_sentence_release(&r->tree);
	piece_words_release(&r->words);
	free(r->best);
	free(r->row);
}

/* --- trees --- */

static bool
has_tree(const struct head_roles *r, const struct record *rec)
{
	const int32_t *head;
	size_t n;

	return r->trees && !record_ints(rec, r->fields.heads, &head, &n) && n > 0 &&
	       record_has(rec, r->fields.rels);
}

/* Finds the arcs of a sentence of n_pieces subwords; none if it has no tree. */
static int
find_arcs(struct head_roles *r, const struct record *rec, int n_pieces, struct err *e)
{
	r->arcs.n = 0;
	if (!has_tree(r, rec)) {
		r->treeless++;
		return 0;
	}
	if (record_words(rec, r->fields.text, &r->tree, e) ||
	    record_heads(rec, r->fields.heads, &r->tree, e) ||
	    record_column(rec, r->fields.rels, DEP_REL, &r->tree, e) ||
	    record_pieces(rec, &r->fields, r->tree.n, &r->words, e))
		return -1;
	if (r->words.n != n_pieces)
		return err_set(e, EXIT_INPUT,
			       "%s has %d entries, expected one for each of %d subwords",
			       r->fields.word, r->words.n, n_pieces);
	syntax_arcs_find(&r->arcs, &r->tree, r->relations, r->words.word, n_pieces, r->unit);
	syntax_counts_add(r->counts, &r->arcs);
	r->best = mem_grow(r->best, &r->best_room, (size_t)r->tree.n, sizeof(*r->best));
	r->row = mem_grow(r->row, &r->row_room, (size_t)r->tree.n, sizeof(*r->row));
	return 0;
}

/* --- heads --- */

static void
add_rare(struct rare_hits *hits, const struct head_weights *w, const int rarest[2], bool errors)
{
	int first = 0, either = 0;

	for (int i = 0; i < w->rows; i++) {
		const int best = head_weights_best(w, i);

		first += best == rarest[0];
		either += best >= 0 && (best == rarest[0] || best == rarest[1]);
	}
	hits->rows += w->rows;
	hits->first += first;
	hits->either += either;
	if (errors) {
		ratio_error_add(&hits->first_error, first, w->rows);
		ratio_error_add(&hits->either_error, either, w->rows);
	}
}

/* at: the head among those of all sites. */
static void
add_sums(struct head_roles *r, size_t at, const struct head_weights *w)
{
	struct attention_sums one = { 0 };

	attention_sums_add(&r->sums[at], w);
	if (!r->errors)
		return;
	attention_sums_add(&one, w);
	attention_errors_add(&r->sum_errors[at], &one, r->by_sentence);
}

static void
add_syntax(struct head_roles *r, size_t at, const struct head_weights *w)
{
	const size_t n = r->relations->n * SYNTAX_WAYS;

	memset(r->found, 0, n * sizeof(*r->found));
	syntax_hits_add(r->found, &r->arcs, w, r->unit, r->best, r->row);
	for (size_t i = 0; i < n; i++) {
		r->hits[at * n + i] += r->found[i];
		if (r->errors)
			ratio_error_add(&r->hit_errors[at * n + i], (double)r->found[i],
					syntax_arcs_of(&r->arcs, (int)(i / SYNTAX_WAYS)));
	}
}

static void
head_roles_add_site(struct head_roles *r, const struct sentence_attention *s, size_t site,
		    const int *rarest)
{
	const struct site *at = &r->sites.site[site];
	const size_t first = heads_before(r->sites.site, site);

	for (int h = 0; s->x[site] && h < at->heads; h++) {
		const struct head_weights w = sentence_attention_head(s, &r->sites,
								      first + (size_t)h);

		add_sums(r, first + (size_t)h, &w);
		if (at->where == ENCODER_SELF && r->arcs.n)
			add_syntax(r, first + (size_t)h, &w);
		if (site == 0 && rarest)
			add_rare(&r->rare_hits[h], &w, rarest, r->errors);
	}
}

int
head_roles_add(struct head_roles *r, const struct sentence_attention *s, struct err *e)
{
	const int n = s->source - s->source_end;
	int rarest[2];
	const bool rare = s->id && r->rare &&
			  rare_words_find(r->rare, r->frequent, s->id, n, rarest);

	if (find_arcs(r, s->rec, n, e))
		return -1;
	for (size_t k = 0; k < r->sites.n; k++)
		head_roles_add_site(r, s, k, rare ? rarest : NULL);
	r->sentences++;
	r->rare_sentences += rare;
	r->source_rows += n;
	r->target_rows += s->target ? s->target - 1 : 0;
	return 0;
}

/* --- the table --- */

static void
head_roles_set(struct head_table *t, size_t row, const char *name, double x)
{
	if (!isnan(x))
		head_table_set(t, row, head_table_column(t, name, HEAD_FLOAT), x);
}

/* Without errors, all struct ratio_error are empty, and nothing is added. */
static void
set_mean(struct head_table *t, size_t row, const char *name, double x,
	 const struct ratio_error *error)
{
	head_roles_set(t, row, name, x);
	head_table_set_error(t, row, name, ratio_error_of(error));
}

static double
head_roles_ratio(double a, double b)
{
	return b > 0 ? a / b : NAN;
}

/* Fills the measures of attention weights.  Returns whether the head is positional. */
static bool
fill_sums(const struct head_roles *r, size_t at, struct head_table *t, size_t row)
{
	const struct attention_sums *s = &r->sums[at];
	const struct attention_errors *error = &r->sum_errors[at];
	const double rows = (double)s->rows;
	double share;
	int offset;
	char name[32];

	set_mean(t, row, "confidence",
		 r->by_sentence ? head_roles_ratio(s->confidence_mean, (double)s->sentences)
				: head_roles_ratio(s->confidence, rows), &error->confidence);
	set_mean(t, row, "entropy", head_roles_ratio(s->entropy, rows), &error->entropy);
	set_mean(t, row, "distance", head_roles_ratio(s->distance, s->weight), &error->distance);
	offset = attention_sums_offset(s, &share);
	if (!isnan(share))
		head_table_set(t, row, head_table_column(t, "offset", HEAD_INT), offset);
	set_mean(t, row, "positional", share, &error->offset[offset + OFFSET_MAX]);
	for (int o = -OFFSET_MAX; o <= OFFSET_MAX; o++) {
		snprintf(name, sizeof(name), "offsets.%d", o);
		if (rows > 0)		/* even if no row has this offset, for a fixed order */
			head_table_mean_columns(t, name, r->errors);
		set_mean(t, row, name, attention_sums_share(s, o),
			 &error->offset[o + OFFSET_MAX]);
	}
	return share >= ROLE_POSITIONAL;
}

struct role_syntax
head_roles_syntax(const struct head_roles *r, size_t at, size_t relation, enum syntax_way way)
{
	const size_t way_at = (at * r->relations->n + relation) * SYNTAX_WAYS + (size_t)way;
	const struct syntax_counts *c = &r->counts[relation];
	int offset;
	const double hits = (double)r->hits[way_at];
	struct role_syntax x = { .arcs = c->arcs, .base = syntax_counts_baseline(c, &offset),
				 .share = head_roles_ratio(hits, (double)c->arcs),
				 .error = ratio_error_of(&r->hit_errors[way_at]) };
	/* The rounding of sums must not exclude a share that is equal. */
	const double required = (r->relative ? x.base * (1 + r->margin)
					     : x.base + r->margin) - 1e-9;

	x.syntactic = x.share >= required && x.arcs >= ROLE_ARCS;
	return x;
}

/* Fills the syntactic measures.  Returns whether the head is syntactic. */
static bool
fill_syntax(const struct head_roles *r, size_t at, struct head_table *t, size_t row)
{
	bool syntactic = false;
	char name[160];

	for (size_t i = 0; i < r->relations->n; i++) {
		const char *relation = r->relations->entry[i].name;
		double base = NAN;

		for (int k = 0; k < SYNTAX_WAYS; k++) {
			const struct role_syntax x = head_roles_syntax(r, at, i,
								       (enum syntax_way)k);

			snprintf(name, sizeof(name), "syntax.%.100s.%s", relation,
				 syntax_ways[k]);
			head_roles_set(t, row, name, x.share);
			head_table_set_error(t, row, name, x.error);
			syntactic = syntactic || x.syntactic;
			base = x.base;
		}
		snprintf(name, sizeof(name), "syntax.%.100s.base", relation);
		head_roles_set(t, row, name, base);
	}
	return syntactic;
}

static bool
fill_rare(const struct rare_hits *h, struct head_table *t, size_t row)
{
	const double either = head_roles_ratio((double)h->either, (double)h->rows);

	set_mean(t, row, "rare", head_roles_ratio((double)h->first, (double)h->rows),
		 &h->first_error);
	set_mean(t, row, "rare2", either, &h->either_error);
	return either >= ROLE_RARE;
}

static const char *
role_of(bool positional, bool syntactic, bool rare)
{
	return positional ? "positional" : syntactic ? "syntactic" : rare ? "rare" : "other";
}

/* A head without rows gets no role. */
static void
fill_head_role(const struct head_roles *r, size_t site, int head, struct head_table *t)
{
	const struct site *s = &r->sites.site[site];
	const size_t at = heads_before(r->sites.site, site) + (size_t)head;
	const size_t row = head_table_row_of(t, r->sites.site, at);
	const bool encoder = s->where == ENCODER_SELF;
	const bool positional = fill_sums(r, at, t, row);
	const bool syntactic = encoder && fill_syntax(r, at, t, row);
	const bool rare = site == 0 && fill_rare(&r->rare_hits[head], t, row);
	const char *role = role_of(positional, syntactic, rare);

	if (r->sums[at].rows)
		head_table_set_text(t, row, head_table_column(t, "role", HEAD_STR), role,
				    strlen(role));
}

void
head_roles_fill(const struct head_roles *r, struct head_table *t)
{
	for (size_t i = 0; i < r->sites.n; i++) {
		if (r->sites.site[i].where != ENCODER_SELF && !r->target_rows)
			continue;
		for (int h = 0; h < r->sites.site[i].heads; h++)
			fill_head_role(r, i, h, t);
	}
}
