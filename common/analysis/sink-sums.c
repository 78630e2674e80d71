/* sink-sums: see sink-sums.h. */
#include "analysis/sink-sums.h"

#include <math.h>

#include "base/utf8.h"
#include "text/unicode.h"

enum key_kind
key_kind_of(struct str token)
{
	size_t used;

	for (size_t i = 0; i < token.n; i += used)
		if (unicode_classes(utf8_next(token.s + i, token.n - i, &used)) & UNICODE_ALNUM)
			return KEY_CONTENT;
	return KEY_PUNCTUATION;
}

static void
add_shares(struct sink_sums *s, const struct head_weights *w, const enum key_kind *kind,
	   const real *x)
{
	bool first = true;

	for (int j = 0; j < w->keys; j++) {
		if (kind[j] == KEY_SPECIAL) {
			s->special += (double)x[j];
			continue;
		}
		if (first)
			s->first += (double)x[j];
		if (kind[j] == KEY_PUNCTUATION)
			s->punctuation += (double)x[j];
		first = false;
	}
}

static void
add_copies(struct sink_sums *s, const struct head_weights *w, const struct sink_tokens *t, int row)
{
	const bool *same = t->same + (ptrdiff_t)row * w->columns;
	const int best = head_weights_best(w, row);
	bool any = false;

	for (int j = 0; j < w->columns && !any; j++)
		any = same[j];
	s->chances += any;
	s->copies += best >= 0 && same[best];
}

void
sink_sums_add(struct sink_sums *s, const struct head_weights *w, const struct sink_tokens *t)
{
	for (int i = 0; i < w->rows; i++) {
		add_shares(s, w, t->kind, w->x + (ptrdiff_t)i * w->keys);
		add_copies(s, w, t, i);
	}
	s->rows += w->rows;
}

void
sink_sums_join(struct sink_sums *s, const struct sink_sums *more)
{
	s->rows += more->rows;
	s->special += more->special;
	s->punctuation += more->punctuation;
	s->first += more->first;
	s->copies += more->copies;
	s->chances += more->chances;
}

double
sink_sums_copy(const struct sink_sums *s)
{
	return s->chances ? (double)s->copies / (double)s->chances : NAN;
}

double
sink_content(const real *x, const enum key_kind *kind, int keys)
{
	double sum = 0;

	for (int j = 0; j < keys; j++)
		if (kind[j] == KEY_CONTENT)
			sum += (double)x[j];
	return sum;
}
