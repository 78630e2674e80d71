/* walk-data: attention weights as JSON; see walk-data.h. */
#include "draw/walk-data.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "stream/json-out.h"
#include "trees/record-deps.h"

/* Notes a text that the page would refuse. */
static void
measure_text(struct walk_data *d, const char *text)
{
	size_t characters = 0, n;

	if (d->long_text || strlen(text) <= WALK_TEXT)
		return;
	for (const char *s = text, *end = s + strlen(s); s < end; s += n) {
		utf8_next(s, (size_t)(end - s), &n);
		characters++;
	}
	d->long_text = characters > WALK_TEXT ? characters : 0;
}

static void
walk_data_add_text(struct walk_data *d, const char *text)
{
	measure_text(d, text);
	json_add_string(&d->json, text, strlen(text));
}

/* A comma between the elements of a list, of which i precede this one. */
static void
add_comma(struct buf *out, int i, const char *comma)
{
	if (i)
		buf_add_str(out, comma);
}

/* Weights of at most 3 digits, which pages have many of, without the time that printf needs. */
static void
add_weight(struct buf *out, unsigned thousandths)
{
	char text[5] = "0.", *at = text + 2;

	for (unsigned unit = 100; thousandths && unit; thousandths %= unit, unit /= 10)
		*at++ = (char)('0' + thousandths / unit);
	buf_add(out, text, at > text + 2 ? (size_t)(at - text) : 1);
}

/* Without zeros at the end, which most weights would have. */
static void
walk_data_add_number(struct buf *out, int digits, double x)
{
	char text[64];
	int n;

	if (digits == 3 && x >= 0 && x < 0.9995) {
		add_weight(out, (unsigned)lrint(x * 1000));
		return;
	}
	n = snprintf(text, sizeof(text), "%.*f", digits, x);
	if (n >= (int)sizeof(text))
		bug("%g is no weight", x);
	while (strchr(text, '.') && (text[n - 1] == '0' || text[n - 1] == '.'))
		if (text[--n] == '.')
			break;
	buf_add(out, text, (size_t)n);
}

/* --- a side: tokens, words and tree --- */

static void
walk_data_add_labels(struct walk_data *d, const struct axis *a)
{
	buf_add_char(&d->json, '[');
	for (int i = 0; i < a->n; i++) {
		add_comma(&d->json, i, ",");
		walk_data_add_text(d, a->label[i]);
	}
	buf_add_char(&d->json, ']');
}

/*
 * Heads and, for 2 keys, relations.  first: the number of words that the model adds before the
 * sentence; their heads and relations are null.
 */
static void
walk_data_add_tree(struct walk_data *d, const struct dep_sentence *tree, int n_keys, int first,
		   int n_words)
{
	static const char *const keys[] = { "heads", "relations" };
	struct buf *out = &d->json;

	for (int k = 0; k < n_keys; k++) {
		buf_printf(out, ",\n\"%s\":[", keys[k]);
		for (int i = 0; i < n_words; i++) {
			const int at = i - first, inside = at >= 0 && at < tree->n;
			const int head = inside ? tree->word[at].head : 0;

			add_comma(out, i, ",");
			if (!inside)
				buf_add_str(out, "null");
			else if (k)
				walk_data_add_text(d, tree->word[at].rel);
			else
				buf_printf(out, "%d", head ? head + first : 0);
		}
		buf_add_char(out, ']');
	}
}

/* Reads the tree of a side: 0 without a tree, 1 with heads, 2 with heads and relations. */
static int
walk_data_read_tree(const struct record *rec, const char *side, struct dep_sentence *tree,
		    struct err *e)
{
	const struct side_fields *f = side_fields_of(side);

	if (!record_has(rec, f->heads) || !record_has(rec, f->text))
		return 0;
	if (record_words(rec, f->text, tree, e) || record_heads(rec, f->heads, tree, e))
		return -1;
	if (!record_has(rec, f->rels))
		return 1;
	return record_column(rec, f->rels, DEP_REL, tree, e) ? -1 : 2;
}

/* Of subwords that are the nodes of a linearized tree there are more than words. */
static void
warn_tree(struct walk_data *d, const struct look *l, const char *id, const char *side, int words,
	  int found)
{
	char *parent = xasprintf("%s.parent", side);

	if (!d->no_tree && record_has(l->rec, parent))
		warn("id %s: the dependency tree is not drawn: it has %d words, but %s.pieces are "
		     "%d tree nodes (tree-linearize)", id, words, side, found);
	else if (!d->no_tree)
		warn("id %s: the dependency tree is not drawn: it has %d words, but %s.pieces are "
		     "of %d words", id, words, side, found);
	d->no_tree = true;
	free(parent);
}

static int
walk_data_add_side(struct walk_data *d, const struct look *l, const struct look_side *s,
		   const char *id, struct err *e)
{
	struct buf *out = &d->json;
	const bool target = s == &l->tgt;
	const char *side = target ? "tgt" : "src";
	const int first = target && l->read;
	const int last = target ? !l->read : l->stored ? l->stored->source_end
							: l->m->config.src_eos;
	struct dep_sentence tree = { .n = 0 };
	int found;

	buf_printf(out, "\"%s\":{\"tokens\":", target ? "target" : "source");
	walk_data_add_labels(d, &s->pieces);
	for (int i = 0; i < s->words.n; i++)
		measure_text(d, s->words.label[i]);
	buf_add_str(out, ",\n\"words\":[");
	for (int i = 0; i < s->pieces.n; i++) {
		add_comma(out, i, ",");
		buf_printf(out, "%d", s->word[i]);
	}
	buf_add_char(out, ']');
	found = walk_data_read_tree(l->rec, side, &tree, e);
	if (found > 0 && first + tree.n + last == s->words.n)
		walk_data_add_tree(d, &tree, found, first, s->words.n);
	else if (found > 0)
		warn_tree(d, l, id, side, tree.n, s->words.n - first - last);
	dep_sentence_release(&tree);
	buf_add_str(out, "},\n");
	return found < 0 ? -1 : 0;
}

/* --- weights --- */

static void
walk_data_add_matrix(struct buf *out, int digits, const struct panel *m)
{
	buf_add_char(out, '[');
	for (int i = 0; i < m->rows->n; i++) {
		add_comma(out, i, ",");
		buf_add_char(out, '[');
		for (int j = 0; j < m->columns->n; j++) {
			add_comma(out, j, ",");
			walk_data_add_number(out, digits, (double)panel_row(m, i)[j]);
		}
		buf_add_char(out, ']');
	}
	buf_add_char(out, ']');
}

/* A pruned head is null. */
static int
walk_data_add_heads(struct walk_data *d, struct look *l, size_t site, struct err *e)
{
	const struct site *s = &l->sites.site[site];
	struct buf *out = &d->json;
	struct panel m;

	buf_add_char(out, '[');
	for (int h = 1, retained = 0; h <= s->all_heads; h++) {
		add_comma(out, h - 1, ",\n");
		if (retained == s->heads || s->head[retained] + 1 != h) {
			buf_add_str(out, "null");
			continue;
		}
		retained++;
		if (look_pieces(l, site, h, &m, e))
			return -1;
		walk_data_add_matrix(out, d->digits, &m);
		panel_release(&m);
	}
	buf_add_char(out, ']');
	return 0;
}

static bool
has_run(const struct look *l, size_t site)
{
	return l->has_target || l->sites.site[site].where == ENCODER_SELF;
}

static int
walk_data_add_attention(struct walk_data *d, struct look *l, struct err *e)
{
	struct buf *out = &d->json;
	int n = 0;

	buf_add_str(out, "\"attention\":{");
	for (size_t i = 0; i < l->sites.n; i++) {
		if (!has_run(l, i))
			continue;
		add_comma(out, n++, ",\n");
		buf_printf(out, "\"%s\":", l->sites.site[i].name);
		if (walk_data_add_heads(d, l, i, e))
			return -1;
	}
	buf_add_char(out, '}');
	return 0;
}

/* The weight of each head for each query, at sites with a variant that weights heads. */
static int
add_importance(struct walk_data *d, struct look *l, struct err *e)
{
	const bool words = l->words;
	struct panel m;
	int n = 0, r = 0;

	l->words = false;
	for (size_t i = 0; !r && i < l->sites.n; i++) {
		if (!has_run(l, i) || !look_has_importance(l, i))
			continue;
		buf_add_str(&d->json, n++ ? ",\n" : ",\n\"importance\":{");
		buf_printf(&d->json, "\"%s\":", l->sites.site[i].name);
		r = look_importance(l, i, &m, e);
		if (!r) {
			walk_data_add_matrix(&d->json, d->digits, &m);
			panel_release(&m);
		}
	}
	l->words = words;
	if (n)
		buf_add_char(&d->json, '}');
	return r;
}

static int
check_tokens(const struct look *l, struct err *e)
{
	const int src = l->src.pieces.n, tgt = l->has_target ? l->tgt.pieces.n : 0;
	const int n = src > tgt ? src : tgt;

	return n <= WALK_TOKENS ? 0 : err_set(e, EXIT_INPUT, "%d tokens, expected at most %d", n,
					      WALK_TOKENS);
}

static int
walk_data_check_size(const struct walk_data *d, struct err *e)
{
	const size_t most = (size_t)WALK_MIB << 20;

	if (d->sentences > WALK_SENTENCES)
		return err_set(e, EXIT_INPUT, "more than %d sentences, expected fewer",
			       WALK_SENTENCES);
	if (d->long_text)
		return err_set(e, EXIT_INPUT, "a text of %zu characters, expected at most %d",
			       d->long_text, WALK_TEXT);
	if (d->json.n > most)
		return err_set(e, EXIT_INPUT, "more than %d MiB of weights after %d sentences, "
			       "expected fewer sentences", WALK_MIB, d->sentences);
	return 0;
}

int
walk_data_add(struct walk_data *d, struct look *l, const char *id, struct err *e)
{
	struct buf *out = &d->json;

	if (check_tokens(l, e))
		return -1;
	add_comma(out, d->sentences++, ",\n");
	buf_add_str(out, "{\"id\":");
	walk_data_add_text(d, id);
	buf_add_str(out, ",\n");
	if ((l->src.pieces.n && walk_data_add_side(d, l, &l->src, id, e)) ||
	    (l->has_target && walk_data_add_side(d, l, &l->tgt, id, e)) ||
	    walk_data_add_attention(d, l, e) || add_importance(d, l, e))
		return -1;
	if (d->more)
		buf_add(out, d->more->data, d->more->n);
	buf_add_char(out, '}');
	return walk_data_check_size(d, e);
}

/* --- models --- */

/* Sets the measure gate to the gates of the model, at sites whose variants have gates. */
static void
fill_gates(const struct model *m, struct head_table *t)
{
	const size_t n = heads_before(m->sites, m->n_sites);
	double *gate = xcalloc(n + 1, sizeof(*gate));

	for (size_t i = 0; i < n; i++)
		gate[i] = 1;
	attention_set_unrounded(m->attention, gate);
	for (size_t i = 0; i < n; i++)
		if (attention_set_gated(m->attention, (size_t)(site_of_head(m->sites, i, NULL) -
							       m->sites)))
			head_table_fill(t, m->sites, i, "gate", gate[i]);
	free(gate);
}

static void
add_measures(struct walk_data *d, const struct head_table *t, size_t row)
{
	struct buf *out = &d->json;
	int n = 0;

	buf_add_char(out, '{');
	for (size_t i = 0; i < t->n_columns; i++) {
		const struct head_column *c = &t->column[i];
		const char *text = head_table_text(c, row);
		const double x = head_table_get(c, row);

		if (!text && !isfinite(x))
			continue;
		add_comma(out, n++, ",");
		walk_data_add_text(d, c->name);
		buf_add_char(out, ':');
		if (text)
			walk_data_add_text(d, text);
		else
			buf_printf(out, "%.6g", x);
	}
	buf_add_char(out, '}');
}

/* The measures of head h of a site, from 1; nothing is known of some. */
static void
walk_data_add_head(struct walk_data *d, const struct head_table *t, const struct site *s, int h)
{
	for (size_t r = 0; r < t->n; r++)
		if (t->row[r].where == s->where && t->row[r].layer == s->layer &&
		    t->row[r].head == h) {
			add_measures(d, t, r);
			return;
		}
	buf_add_str(&d->json, "{}");
}

void
walk_data_heads(struct walk_data *d, struct site_list sites, const struct head_table *t)
{
	struct buf *out = &d->json;

	buf_add_str(out, "\"heads\":{");
	for (size_t i = 0; t->n && i < sites.n; i++) {
		const struct site *s = &sites.site[i];

		add_comma(out, (int)i, ",\n");
		buf_printf(out, "\"%s\":[", s->name);
		for (int h = 1; h <= s->all_heads; h++) {
			add_comma(out, h - 1, ",\n");
			walk_data_add_head(d, t, s, h);
		}
		buf_add_char(out, ']');
	}
	buf_add_char(out, '}');
}

void
walk_data_model(struct walk_data *d, const struct look *l, const char *name, struct head_table *t,
		const char *measure)
{
	struct buf *out = &d->json;

	if (l->m)
		fill_gates(l->m, t);
	buf_add_str(out, d->models++ ? "\n]},\n{\"name\":" : "{\"name\":");
	d->sentences = 0;
	walk_data_add_text(d, name);
	if (measure) {
		buf_add_str(out, ",\"by\":");
		walk_data_add_text(d, measure);
	}
	buf_printf(out, ",\"labels\":\"%s\",\n", l->read ? "read" : "predicted");
	walk_data_heads(d, l->sites, t);
	buf_add_str(out, ",\n\"sentences\":[\n");
}

void
walk_data_begin(struct walk_data *d, int digits)
{
	*d = (struct walk_data){ .digits = digits };
	buf_add_str(&d->json, "{\"format\":\"heed-attention\",\"version\":1,\"models\":[\n");
}

void
walk_data_end(struct walk_data *d)
{
	buf_add_str(&d->json, d->models ? "\n]}]}\n" : "]}\n");
}

void
walk_data_release(struct walk_data *d)
{
	buf_release(&d->json);
}
