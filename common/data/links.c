/* links: see links.h. */
#include "data/links.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "stream/input.h"

/* One of n numbers from first, as one from 0; -1 if there is none. */
static int
link_number(const char **s, int first, int n)
{
	long x = 0;

	if (!isdigit((unsigned char)**s))
		return -1;
	for (; isdigit((unsigned char)**s); ++*s)
		if ((x = x * 10 + **s - '0') >= (long)first + n)
			return -1;
	return x < first ? -1 : (int)x - first;
}

int
link_next(const char **s, const struct link_words *w, struct link *found, struct err *e)
{
	const char *link = *s += strspn(*s, " \t");
	char mark;

	if (!*link || *link == '\n' || *link == '\r')
		return 0;
	found->source = link_number(s, w->first, w->source);
	mark = found->source < 0 ? '\0' : **s;
	*s += mark != '\0';
	found->target = mark == '-' || mark == 'p' || mark == '?' ?
		     link_number(s, w->first, w->target) : -1;
	found->sure = mark == '-';
	if (found->target >= 0 && strchr(" \t\r\n", **s))
		return 1;
	return err_set(e, EXIT_INPUT, "'%.*s', expected links such as %s or 1p2 within %d source "
		       "and %d target words%s", (int)strcspn(link, " \t\r\n"), link,
		       w->first ? "1-1" : "0-0", w->source, w->target,
		       w->first ? ", counted from 1" : "");
}

int
link_side_read(struct link_side *s, const struct record *rec, const char *field, int tokens,
	       struct err *e)
{
	size_t n;

	*s = (struct link_side){ .tokens = tokens, .words = tokens };
	if (!record_has(rec, field))
		return 0;
	if (record_ints(rec, field, &s->word, &n))
		return err_set(e, EXIT_INPUT, "%s is not a list of integers", field);
	if ((int)n != tokens)
		return err_set(e, EXIT_INPUT, "%s has %zu entries, expected one for each of %d "
			       "subwords", field, n, tokens);
	s->words = tokens ? s->word[tokens - 1] + 1 : 0;
	for (int i = 0; i < tokens; i++)
		if (s->word[i] < 0 || s->word[i] - (i ? s->word[i - 1] : 0) > (i > 0) ||
		    (i && s->word[i] < s->word[i - 1]))
			return err_set(e, EXIT_INPUT, "%s has %d at subword %d, expected words in "
				       "order, from 0", field, (int)s->word[i], i + 1);
	return 0;
}

int
link_side_word(const struct link_side *s, int token)
{
	return s->word ? s->word[token] : token;
}

/* --- sets of links --- */

void
link_set_release(struct link_set *s)
{
	free(s->v);
	*s = (struct link_set){ .n = 0 };
}

void
link_set_clear(struct link_set *s)
{
	s->n = 0;
}

void
link_set_add(struct link_set *s, struct link link)
{
	s->v = mem_grow(s->v, &s->room, s->n + 1, sizeof(*s->v));
	s->v[s->n++] = link;
}

static int
by_words(const void *a, const void *b)
{
	const struct link *p = a, *q = b;

	return p->target != q->target ? p->target - q->target : p->source - q->source;
}

/* Among links of the same words, sure ones first. */
static int
by_words_and_mark(const void *a, const void *b)
{
	const struct link *p = a, *q = b;
	const int order = by_words(p, q);

	return order ? order : q->sure - p->sure;
}

int
link_set_read(struct link_set *s, const char *line, const struct link_words *w, struct err *e)
{
	struct link link;
	size_t n = 0;
	int more;

	link_set_clear(s);
	while ((more = link_next(&line, w, &link, e)) > 0)
		link_set_add(s, link);
	if (s->n)
		qsort(s->v, s->n, sizeof(*s->v), by_words_and_mark);
	for (size_t i = 0; i < s->n; i++)
		if (!i || by_words(&s->v[i], &s->v[n - 1]))
			s->v[n++] = s->v[i];
	s->n = n;
	return more;
}

/* --- scores --- */

void
link_score_add(struct link_score *s, const struct link_set *gold, const struct link_set *a)
{
	int linked = -1, right = -1;		/* the last target words that were counted */

	for (size_t i = 0; i < gold->n; i++) {
		s->gold_sure += gold->v[i].sure;
		s->words += gold->v[i].target != linked;
		linked = gold->v[i].target;
	}
	s->links += (int64_t)a->n;
	for (size_t i = 0; i < a->n && gold->n; i++) {
		const struct link *found = bsearch(&a->v[i], gold->v, gold->n, sizeof(*gold->v),
						   by_words);

		if (!found)
			continue;
		s->possible++;
		s->sure += found->sure;
		s->right += found->target != right;
		right = found->target;
	}
}

static double
link_fraction(int64_t part, int64_t whole)
{
	return whole ? (double)part / (double)whole : 0;
}

static double
precision(const struct link_score *s)
{
	return link_fraction(s->possible, s->links);
}

static double
recall(const struct link_score *s)
{
	return link_fraction(s->sure, s->gold_sure);
}

static double
f1(const struct link_score *s)
{
	const double p = precision(s), r = recall(s);

	return p + r > 0 ? 2 * p * r / (p + r) : 0;
}

double
link_score_aer(const struct link_score *s)
{
	return 1 - link_fraction(s->sure + s->possible, s->links + s->gold_sure);
}

double
link_score_translation(const struct link_score *s)
{
	return link_fraction(s->right, s->words);
}

const struct link_measure link_measures[] = {
	{ "precision", precision }, { "recall", recall }, { "f1", f1 },
	{ "aer", link_score_aer }, { "translation", link_score_translation }, { 0 }
};

/* --- files --- */

static int
link_file_read_lines(struct link_file *f, struct input *input, struct err *e)
{
	const char *line;
	size_t n;
	int more;

	while ((more = input_line(input, &line, &n, e)) > 0) {
		f->line = mem_grow(f->line, &f->line_room, f->lines + 1, sizeof(*f->line));
		f->line[f->lines++] = f->text.n;
		buf_add(&f->text, line, n);
		buf_add_char(&f->text, '\0');
	}
	if (!more && !f->lines)
		return err_set(e, EXIT_INPUT, "%s has no lines, expected one for each sentence",
			       f->name);
	return more;
}

int
link_file_from(struct link_file *f, struct input *input, int first, struct err *e)
{
	int bad;

	*f = (struct link_file){ .name = xstrdup(input_name(input)), .first = first };
	bad = link_file_read_lines(f, input, e);
	input_close(input);
	return bad;
}

int
link_file_open(struct link_file *f, const char *path, int first, struct err *e)
{
	struct input *in = input_open(path, INPUT_UTF8, e);

	*f = (struct link_file){ .lines = 0 };
	return in ? link_file_from(f, in, first, e) : -1;
}

void
link_file_release(struct link_file *f)
{
	free(f->name);
	free(f->line);
	buf_release(&f->text);
	*f = (struct link_file){ .lines = 0 };
}

int
link_file_read(struct link_file *f, int64_t i, int source_words, int target_words,
	       struct link_set *set, struct err *e)
{
	const struct link_words w = { source_words, target_words, f->first };

	if (i >= (int64_t)f->lines)
		return err_set(e, EXIT_INPUT, "%s has %zu lines, expected one for each sentence",
			       f->name, f->lines);
	if (link_set_read(set, f->text.data + f->line[i], &w, e))
		return err_wrap(e, "%s: line %lld", f->name, (long long)i + 1);
	f->read = true;
	for (size_t k = 0; k < set->n; k++) {
		f->any = true;
		f->any_first |= !set->v[k].source || !set->v[k].target;
	}
	return 0;
}

int
link_file_check(struct link_file *f, int64_t sentences, struct err *e)
{
	if ((int64_t)f->lines != sentences)
		return err_set(e, EXIT_INPUT, "%s has %zu lines, expected one for each of %lld "
			       "sentences", f->name, f->lines, (long long)sentences);
	if (f->read && !f->any)
		return err_set(e, EXIT_INPUT, "%s has no links, expected at least one", f->name);
	if (f->any && !f->any_first && !f->first && !f->warned)
		warn("%s: no link has word 0; if words are counted from 1, use --one-based",
		     f->name);
	f->warned = true;
	return 0;
}
