/* links: see links.h. */
#include "data/links.h"

#include <ctype.h>
#include <string.h>

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
