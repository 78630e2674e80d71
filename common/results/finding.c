/* finding: slots of sentences; see finding.h. */
#include <fnmatch.h>
#include <string.h>

#include "results/finding.h"

/* --- one slot --- */

#define BIT(v) (1u << (v))
#define TESTED (BIT(VERDICT_REVERSED) | BIT(VERDICT_SPLIT) | BIT(VERDICT_SMALLER) | \
		BIT(VERDICT_WITHIN) | BIT(VERDICT_OPEN) | BIT(VERDICT_CONFIRMED))

/* The first words of slots; those with verdicts are also the second word of a slot of names. */
static const struct slot_word {
	const char *word;
	enum slot_kind kind;
	unsigned verdicts;
} words[] = {
	{ "judged", SLOT_COUNT, TESTED },
	{ "confirmed", SLOT_COUNT, BIT(VERDICT_CONFIRMED) },
	{ "reversed", SLOT_COUNT, BIT(VERDICT_REVERSED) },
	{ "none", SLOT_COUNT, BIT(VERDICT_WITHIN) },
	{ "smaller", SLOT_COUNT, BIT(VERDICT_SMALLER) },
	{ "disagree", SLOT_COUNT, BIT(VERDICT_SPLIT) },
	{ "open", SLOT_COUNT, BIT(VERDICT_OPEN) },
	{ "names", SLOT_NAMES, 0 }, { "effect", SLOT_EFFECT, 0 }, { "result", SLOT_RESULT, 0 },
	{ "needs", SLOT_NEEDS, 0 }, { "detectable", SLOT_DETECTABLE, 0 },
	{ "seeds", SLOT_SEEDS, 0 }, { "mean", SLOT_MEAN, 0 }, { NULL, SLOT_COUNT, 0 }
};

/* Cuts the next word off the front of *text, which ends at end; NULL at the end. */
static const char *
next_word(struct texts *t, const char **text, const char *end)
{
	const char *from = *text + strspn(*text, " \t");
	size_t n;

	if (from >= end)
		return NULL;
	n = strcspn(from, " \t};");
	*text = from + n;
	return texts_add(t, from, n);
}

/* The entry of the next word; the last one, which has no word, if there is none. */
static const struct slot_word *
next_slot_word(struct texts *t, const char **text, const char *end)
{
	const char *word = next_word(t, text, end);
	const struct slot_word *w = words;

	while (w->word && (!word || strcmp(w->word, word)))
		w++;
	return w;
}

/* [SECTION/]ROW:BASE[:COLUMN] */
static bool
read_pattern(struct slot_pattern *p, struct texts *t, const char *word)
{
	const char *slash = strchr(word, '/'), *row = slash ? slash + 1 : word;
	const char *colon = strchr(row, ':'), *column = colon ? strchr(colon + 1, ':') : NULL;

	if (!colon)
		return false;
	*p = (struct slot_pattern) {
		.section = slash ? texts_add(t, word, (size_t)(slash - word)) : NULL,
		.row = texts_add(t, row, (size_t)(colon - row)),
		.base = texts_add(t, colon + 1, column ? (size_t)(column - colon - 1)
						       : strlen(colon + 1)),
		.column = column ? column + 1 : NULL
	};
	return true;
}

/* The words after the first, up to end. */
static const char *
read_patterns(struct slot *s, struct texts *t, const char *at, const char *end)
{
	const char *word;

	if (s->kind == SLOT_NAMES)
		s->verdicts = next_slot_word(t, &at, end)->verdicts;
	if (s->kind == SLOT_NAMES && !s->verdicts)
		return "a verdict: judged, confirmed, reversed, none, smaller, disagree or open";
	if (s->kind == SLOT_MEAN) {
		s->measure = next_word(t, &at, end);
		s->variant = next_word(t, &at, end);
		return s->variant && !next_word(t, &at, end) ? NULL : "a measure and a system";
	}
	while ((word = next_word(t, &at, end)))
		if (s->n == SLOT_PATTERNS || !read_pattern(&s->pattern[s->n++], t, word))
			return "at most 32 claims ROW:BASE, with or without SECTION/ and :COLUMN";
	if (!s->n && s->kind != SLOT_DETECTABLE && s->kind != SLOT_SEEDS)
		return "claims ROW:BASE";
	if ((s->kind == SLOT_EFFECT || s->kind == SLOT_RESULT) && s->n > 1)
		return "one claim ROW:BASE";
	return NULL;
}

int
slot_read(struct slot *s, struct texts *t, const char *text, struct err *e)
{
	const char *close = strchr(text, '}'), *at = text + 1, *semicolon, *expected = NULL;
	const struct slot_word *first;

	if (!close)
		return err_set(e, EXIT_INPUT, "'%s', expected } after {", text);
	semicolon = memchr(text, ';', (size_t)(close - text));
	first = next_slot_word(t, &at, close);
	*s = (struct slot){
		.kind = first->kind, .verdicts = first->verdicts, .end = close + 1
	};
	if (!first->word)
		expected = "judged, confirmed, reversed, none, smaller, disagree, open, names, "
			   "effect, result, needs, detectable, seeds or mean";
	else
		expected = read_patterns(s, t, at, semicolon ? semicolon : close);
	if (!expected && semicolon) {
		semicolon += 1 + strspn(semicolon + 1, " \t");
		s->noun = texts_add(t, semicolon, (size_t)(close - semicolon));
		if (s->kind != SLOT_COUNT || !*s->noun)
			expected = "a noun after ; of a count only";
	}
	return expected ? err_set(e, EXIT_INPUT, "slot '%.*s', expected %s",
				  (int)(s->end - text), text, expected) : 0;
}

/* --- claims --- */

static bool
slot_fits(const char *pattern, const char *text)
{
	return !pattern || !fnmatch(pattern, text, 0);
}

bool
slot_selects(const struct slot_pattern *p, const struct grid_section *s, const struct grid_row *row)
{
	if (!grid_is_claims(s) || !slot_fits(p->section, s->name) ||
	    !slot_fits(p->row, row->variant))
		return false;
	for (size_t b = 0; b < row->n_bases; b++)
		if (slot_fits(p->base, row->base[b]))
			return true;
	return false;
}

/* A claim that a pattern selects. */
struct selected {
	const struct grid_section *section;
	const struct grid_row *row;
	const char *measure;
};

static bool
is_same_claim(const struct selected *a, const struct selected *b)
{
	return !strcmp(a->measure, b->measure) &&
	       grid_same_claim(a->section, a->row, b->section, b->row);
}

/* The number of claims that a pattern selects; the same one in consecutive rows counts once. */
static size_t
selected(const struct grid *g, const struct slot_pattern *p)
{
	struct selected claim, previous;
	size_t n = 0;

	for (size_t i = 0; i < g->n; i++)
		for (size_t r = 0; r < g->section[i].n_rows; r++) {
			const struct grid_section *s = &g->section[i];
			const size_t columns = slot_selects(p, s, &s->row[r]) ? s->n_columns : 0;

			for (size_t k = 0; k < columns; k++) {
				claim = (struct selected) {
					s, &s->row[r], s->column[k].measure
				};
				n += !n || !is_same_claim(&claim, &previous);
				previous = claim;
			}
		}
	return n;
}

static bool
has_variant(const struct grid *g, const char *variant)
{
	for (size_t i = 0; i < g->n; i++)
		for (size_t r = 0; r < g->section[i].n_rows; r++)
			if (!strcmp(g->section[i].row[r].variant, variant))
				return true;
	return false;
}

static int
slot_check(const struct grid *g, const struct slot *s, struct err *e)
{
	const bool one = s->kind == SLOT_EFFECT || s->kind == SLOT_RESULT;

	if (s->kind == SLOT_MEAN && !has_variant(g, s->variant))
		return err_set(e, EXIT_INPUT, "no row %s", s->variant);
	for (size_t i = 0; i < s->n; i++) {
		const struct slot_pattern *p = &s->pattern[i];
		const size_t n = selected(g, p);

		if (!n || (one && n > 1))
			return err_set(e, EXIT_INPUT, "%s claim %s%s%s:%s", n ? "more than one"
				       : "no", p->section ? p->section : "", p->section ? "/" : "",
				       p->row, p->base);
	}
	return 0;
}

int
findings_check(struct grid *g, const char *name, struct err *e)
{
	struct slot s;

	for (size_t i = 0; i < g->n_findings; i++)
		for (const char *at = g->finding[i].text; (at = strchr(at, '{')); at = s.end)
			if (slot_read(&s, &g->texts, at, e) || slot_check(g, &s, e))
				return err_wrap(e, "%s: line %lld: finding", name,
						(long long)g->finding[i].line);
	return 0;
}
