/* look: runs a model on a sentence and reads weights from the tape; see look.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attention/attention-heads.h"
#include "base/mem.h"
#include "draw/look.h"
#include "model/model-input.h"
#include "stream/fields.h"
#include "tape/tape.h"

/* --- the tokens of a side --- */

static const char end_token[] = "</s>";

/* The word of each label, by the n word numbers of the labels from `first`. */
static int *
look_word_of(const int32_t *number, size_t n, const struct axis *a, size_t first)
{
	int *word = xcalloc((size_t)a->n + 1, sizeof(*word));

	for (size_t i = 1; i < (size_t)a->n; i++) {
		const bool inside = i > first && i < first + n;

		word[i] = word[i - 1] + !(inside && number[i - first] == number[i - first - 1]);
	}
	return word;
}

/* The words of the first n of all subwords. */
static int
look_find_words(const struct look *l, struct look_side *s, const char *field, size_t first,
		size_t n, size_t all, struct err *e)
{
	const int32_t *number;
	size_t n_entries;

	if (record_ints(l->rec, field, &number, &n_entries)) {
		s->word = axis_word(&s->pieces);
	} else if (n_entries != all) {
		return err_set(e, EXIT_INPUT,
			       "%s has %zu entries, expected one for each of %zu subwords", field,
			       n_entries, all);
	} else {
		s->word = look_word_of(number, n, &s->pieces, first);
	}
	axis_words(&s->pieces, s->word, &s->words);
	return 0;
}

/* before and after: tokens that the model adds, or NULL. */
static int
look_read_side(struct look *l, struct look_side *s, const struct batch_rules *rules,
	       const char *before, const char *after, struct err *e)
{
	const bool target = s == &l->tgt;
	const size_t own = batch_has_first(l->rec, rules, target);
	const size_t room = (size_t)batch_room(rules, target);
	struct side_tokens t;
	struct arena mem;
	struct err none;
	size_t n;

	arena_init(&mem, 0);
	if (side_tokens_of(&t, l->rec, target, &mem, &none))
		t.n = 0;
	n = rules->cut && t.n > room + own ? room + own : t.n;
	if (before)
		axis_add(&s->pieces, before, strlen(before));
	for (size_t i = 0; i < n; i++)
		axis_add(&s->pieces, t.token[i].s, t.token[i].n);
	if (after)
		axis_add(&s->pieces, after, strlen(after));
	arena_release(&mem);
	return look_find_words(l, s, side_fields[target].word, before != NULL, n, t.n, e);
}

static void
release_side(struct look_side *s)
{
	axis_release(&s->pieces);
	axis_release(&s->words);
	free(s->word);
	memset(s, 0, sizeof(*s));
}

/* --- the pass --- */

static const char *
look_first_token(const struct model *m)
{
	switch (m->config.first) {
	case TARGET_BOS: return "<s>";
	case TARGET_EOS: return end_token;
	default: return "<0>";
	}
}

void
look_heads(const struct model *m, struct axis *heads)
{
	char number[16];

	for (int h = 1; h <= m->config.heads; h++)
		axis_add(heads, number, (size_t)snprintf(number, sizeof(number), "%d", h));
}

/* first: what the decoder reads first. */
static int
read_sides(struct look *l, const struct batch_rules *rules, bool source_end, const char *first,
	   struct err *e)
{
	if (look_read_side(l, &l->src, rules, NULL, source_end ? end_token : NULL, e))
		return -1;
	return l->has_target ? look_read_side(l, &l->tgt, rules, l->read ? first : NULL,
					      l->read ? NULL : end_token, e) : 0;
}

void
look_set_model(struct look *l, struct model *m, struct runtime *run)
{
	l->m = m;
	l->run = run;
	l->sites = sites_of_model(m);
}

int
look_at(struct look *l, const struct record *rec, int64_t number, struct err *e)
{
	struct batch_rules rules;
	struct node *h;
	struct batch *b = &l->batch;

	l->rec = rec;
	l->has_target = record_has(rec, "tgt.pieces") || record_has(rec, "tgt");
	model_batch_rules(l->m, &rules);
	rules.with_target = l->has_target;
	rules.word_dropout = 0;
	rules.cut = l->cut;
	look_heads(l->m, &l->heads);
	if (read_sides(l, &rules, l->m->config.src_eos, look_first_token(l->m), e))
		return -1;
	tape_rewind(l->run->tape);
	if (model_batch(l->m, b, tape_arena(l->run->tape), &l->rec, &number, 1, &rules, e))
		return -1;
	h = model_encode(l->m, l->run->tape, b);
	l->decoded = l->has_target ? model_decode(l->m, l->run->tape, b, h) : NULL;
	if (l->has_target)
		h = l->decoded;
	return model_finite(h, b, l->has_target, e);
}

int
look_stored(struct look *l, const struct sentence_attention *s, struct err *e)
{
	const struct batch_rules rules = { .max_length = 0 };

	l->rec = s->rec;
	l->stored = s;
	l->has_target = s->target > 0;
	return read_sides(l, &rules, s->source_end, "<s>", e);
}

void
look_clear(struct look *l)
{
	release_side(&l->src);
	release_side(&l->tgt);
	axis_release(&l->heads);
}

/* --- weights --- */

/* Appends "enc.1.self to enc.6.self" for the sites of a kind, if there are any. */
static void
list_sites(const struct site_list *sites, enum site_where where, struct buf *out)
{
	const struct site *first = NULL, *last = NULL;

	for (size_t i = 0; i < sites->n; i++)
		if (sites->site[i].where == where) {
			first = first ? first : &sites->site[i];
			last = &sites->site[i];
		}
	if (first)
		buf_printf(out, "%s%s to %s", out->n ? ", " : "", first->name, last->name);
}

int
look_sites(const struct look *l, const char *name, size_t *first, size_t *end, struct err *e)
{
	struct buf list = { 0 };

	if (!sites_find(l->sites.site, l->sites.n, name, strlen(name), first, end, e))
		return 0;
	for (int k = ENCODER_SELF; k <= DECODER_CROSS; k++)
		list_sites(&l->sites, (enum site_where)k, &list);
	err_hint(e, "%s has %s", l->m ? "the model" : "the stream", list.data);
	buf_release(&list);
	return -1;
}

/* The share of each head in a combination of heads, constant or for each query. */
struct head_share {
	const struct node *importance;	/* [rows, heads] */
	const struct site *site;
	int head;			/* its number, from 1; LOOK_MEAN and LOOK_WEIGHTED */
};

static real
share_of(const struct head_share *s, int query, int head)
{
	if (s->head == LOOK_WEIGHTED)
		return s->importance->x[(ptrdiff_t)query * s->importance->ld + head];
	return s->head == LOOK_MEAN
		? 1 / (real)s->site->heads : (real)(s->head == s->site->head[head] + 1);
}

/* x [heads, queries, keys]. */
static void
look_add_heads(const struct head_share *s, const real *x, struct panel *panel)
{
	const int T = panel->rows->n, S = panel->columns->n;

	for (int h = 0; h < s->site->heads; h++)
		for (int i = 0; i < T; i++) {
			const real share = share_of(s, i, h);
			const real *from = x + ((ptrdiff_t)h * T + i) * S;
			float *row = panel_row(panel, i);

			for (int j = 0; share != 0 && j < S; j++)
				row[j] += (float)(share * from[j]);
		}
}

static const struct node *
importance_of(const struct look *l, size_t site)
{
	return l->m ? attention_set_importance(l->m->attention, site, l->run->tape) : NULL;
}

const char *
look_weighting(void)
{
	for (const struct attention_variant *const *v = attention_variants; *v; v++)
		if ((*v)->importance)
			return (*v)->name;
	return "that weights heads";
}

static int
no_importance(const struct look *l, size_t site, struct err *e)
{
	return err_set(e, EXIT_USAGE, "%s has no head importance, expected a module with the "
		       "variant %s", l->sites.site[site].name, look_weighting());
}

static int
find_share(struct look *l, size_t site, struct head_share *s, struct err *e)
{
	if (s->head > s->site->all_heads)
		return err_set(e, EXIT_USAGE, "head %d of %s, expected 1 to %d", s->head,
			       s->site->name, s->site->all_heads);
	if (s->head != LOOK_WEIGHTED)
		return 0;
	s->importance = importance_of(l, site);
	return s->importance ? 0 : no_importance(l, site, e);
}

static bool
is_retained(const struct site *s, int head)
{
	for (int h = 0; h < s->heads; h++)
		if (s->head[h] + 1 == head)
			return true;
	return false;
}

static char *
look_title_of(const struct site *s, int head)
{
	if (head == LOOK_MEAN)
		return xstrdup("mean of heads");
	if (head == LOOK_WEIGHTED)
		return xstrdup("heads weighted by importance");
	return xasprintf(is_retained(s, head) ? "head %d" : "head %d, pruned", head);
}

/* Combines subwords into words if l->words.  columns is NULL if columns are not tokens. */
static void
merge_pieces(const struct look *l, const struct look_side *rows, const struct look_side *columns,
	     struct panel *m)
{
	struct panel words;

	if (!l->words)
		return;
	panel_init(&words, &rows->words, columns ? &columns->words : m->columns);
	panel_words(m, rows->word, columns ? columns->word : NULL, &words);
	words.title = m->title;
	m->title = NULL;
	panel_release(m);
	*m = words;
}

static const struct look_side *
queries_of(const struct look *l, const struct site *s)
{
	return s->where == ENCODER_SELF ? &l->src : &l->tgt;
}

static const struct look_side *
look_keys_of(const struct look *l, const struct site *s)
{
	return s->where == DECODER_SELF ? &l->tgt : &l->src;
}

static int
look_check_target(const struct look *l, const struct site *s, struct err *e)
{
	if (s->where != ENCODER_SELF && !l->has_target)
		return err_set(e, EXIT_INPUT, "no target, expected one for %s", s->name);
	return 0;
}

bool
look_has_importance(struct look *l, size_t site)
{
	return importance_of(l, site) != NULL;
}

int
look_importance(struct look *l, size_t site, struct panel *panel, struct err *e)
{
	const struct look_side *rows = queries_of(l, &l->sites.site[site]);
	const struct node *n;

	if (look_check_target(l, &l->sites.site[site], e))
		return -1;
	n = importance_of(l, site);
	if (!n)
		return no_importance(l, site, e);
	if (n->d[0] != rows->pieces.n || n->d[1] != l->heads.n)
		bug("importance of %d x %d for %d tokens", n->d[0], n->d[1], rows->pieces.n);
	panel_init(panel, &rows->pieces, &l->heads);
	for (int i = 0; i < panel->rows->n; i++)
		for (int h = 0; h < panel->columns->n; h++)
			panel_row(panel, i)[h] = (float)n->x[(ptrdiff_t)i * n->ld + h];
	merge_pieces(l, rows, NULL, panel);
	return 0;
}

/* The weights [heads, rows, columns] of a site. */
static const real *
weights_at(const struct look *l, size_t site, int rows, int columns)
{
	const char *name = l->sites.site[site].name;
	const struct layout *queries, *keys;
	const ptrdiff_t *block;
	const real *x;

	if (l->stored)
		return l->stored->x[site];
	x = model_site_weights(l->m, l->run->tape, site, &block, &queries, &keys);
	if (!x)
		bug("no attention weights of %s", name);
	if (queries->len[0] != rows || keys->len[0] != columns)
		bug("%s has %d x %d weights for %d x %d tokens", name, queries->len[0],
		    keys->len[0], rows, columns);
	return x;
}

int
look_pieces(struct look *l, size_t site, int head, struct panel *panel, struct err *e)
{
	const struct site *s = &l->sites.site[site];
	const struct look_side *rows = queries_of(l, s), *columns = look_keys_of(l, s);
	struct head_share share = { .head = head, .site = s };

	if (look_check_target(l, s, e) || find_share(l, site, &share, e))
		return -1;
	panel_init(panel, &rows->pieces, &columns->pieces);
	panel->title = look_title_of(s, head);
	if (s->heads)
		look_add_heads(&share, weights_at(l, site, rows->pieces.n, columns->pieces.n),
			       panel);
	return 0;
}

int
look_weights(struct look *l, size_t site, int head, struct panel *panel, struct err *e)
{
	const struct site *s = &l->sites.site[site];
	const bool none = head > 0 ? !is_retained(s, head) : !s->heads;

	if (look_pieces(l, site, head, panel, e))
		return -1;
	for (int i = 0; none && i < panel->rows->n; i++)
		for (int j = 0; j < panel->columns->n; j++)
			panel_row(panel, i)[j] = NAN;
	merge_pieces(l, queries_of(l, s), look_keys_of(l, s), panel);
	return 0;
}

/* --- pictures of variants --- */

/* The weights hook of a view: those of a panel, over subwords. */
static int
take_weights(const struct picture_view *v, enum site_where where, int64_t layer, int64_t head,
	     struct picture_matrix *matrix, struct err *e)
{
	struct look *l = v->arg;
	struct panel m;
	size_t i = 0;

	while (v->sites[i].where != where || v->sites[i].layer != layer)
		if (++i == v->n_sites)
			bug("a picture of layer %d, which the model lacks", (int)layer);
	if (look_pieces(l, i, (int)head, &m, e))
		return -1;
	*matrix = (struct picture_matrix){
		.rows = where == ENCODER_SELF ? AXIS_SOURCE : AXIS_TARGET,
		.columns = where == DECODER_SELF ? AXIS_TARGET : AXIS_SOURCE,
		.n_rows = m.rows->n, .n_columns = m.columns->n, .x = m.x
	};
	m.x = NULL;
	panel_release(&m);
	return 0;
}

static void
fill_labels(const struct look *l, const struct attention_picture *p, struct look_labels *labels)
{
	if (!labels->heads.n)
		look_heads(l->m, &labels->heads);
	for (int i = 0; p->names && p->names[i] && labels->names.n <= i; i++)
		axis_add(&labels->names, p->names[i], strlen(p->names[i]));
}

/* The tokens of an axis, or NULL. */
static const struct look_side *
picture_side(const struct look *l, enum picture_axis axis)
{
	return axis == AXIS_SOURCE ? &l->src : axis == AXIS_TARGET ? &l->tgt : NULL;
}

static const struct axis *
axis_of(const struct look *l, const struct look_labels *labels, enum picture_axis axis)
{
	const struct look_side *side = picture_side(l, axis);

	return side ? &side->pieces : axis == AXIS_HEADS ? &labels->heads : &labels->names;
}

/* The panel takes the values of the matrix. */
static void
make_panel(const struct look *l, const struct attention_picture *p,
	   const struct look_labels *labels, const struct picture_matrix *m, struct panel *panel)
{
	*panel = (struct panel){ .rows = axis_of(l, labels, m->rows),
			      .columns = axis_of(l, labels, m->columns), .x = m->x };
	if (m->n_rows != panel->rows->n || m->n_columns != panel->columns->n)
		bug("picture %s is %d x %d, expected %d x %d", p->name, m->n_rows, m->n_columns,
		    panel->rows->n, panel->columns->n);
	panel->title = m->title ? xstrdup(m->title) : NULL;
	if (p->words)
		merge_pieces(l, picture_side(l, m->rows), picture_side(l, m->columns), panel);
}

int
look_picture(struct look *l, const struct attention_variant *v, const struct attention_picture *p,
	     size_t site, int head, struct look_labels *labels, struct panel *panel, struct err *e)
{
	const struct picture_view view = {
		.set = l->m->attention, .a = attention_set_find(l->m->attention, v->name, site),
		.sites = l->m->sites, .site = &l->m->sites[site], .n_sites = l->m->n_sites,
		.head = head, .batch = p->sentence ? &l->batch : NULL,
		.weights = take_weights, .arg = l
	};
	struct picture_matrix *m = xcalloc((size_t)p->n, sizeof(*m));
	const int bad = p->draw(&view, m, e);

	fill_labels(l, p, labels);
	for (int i = 0; i < p->n; i++)
		if (bad)
			free(m[i].x);
		else
			make_panel(l, p, labels, &m[i], &panel[i]);
	free(m);
	return bad;
}
