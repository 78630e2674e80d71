/* chrf: see chrf.h. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/strmap.h"
#include "base/utf8.h"
#include "scores/chrf.h"
#include "scores/ngram.h"
#include "text/lowercase.h"
#include "text/unicode.h"

/* A text as ids: its characters, and its words with punctuation separated. */
struct ids {
	int32_t *chars, *words;
	size_t n_chars, n_words, char_room, word_room;
};

struct reference {
	struct ngrams chars, words;
	size_t n_chars, n_words;
};

struct sentence {
	const struct chrf *chrf;
	struct strmap words;
	struct buf lower;
	struct ids text;
	struct reference *ref;	/* [room] all entries are initialized */
	size_t n_refs, room;
};

double
chrf_compute(const int64_t *sums, const void *settings)
{
	const struct chrf *c = settings;
	const double eps = 1e-16, factor = (double)c->beta * c->beta;
	const int orders = c->char_order + c->word_order;
	double score = 0, all_prec = 0, all_rec = 0;
	int effective = 0;

	for (int i = 0; i < orders; i++) {
		const double hyp = (double)sums[3 * i], ref = (double)sums[3 * i + 1];
		const double match = (double)sums[3 * i + 2];
		const double prec = hyp > 0 ? match / hyp : eps;
		const double rec = ref > 0 ? match / ref : eps;
		const double below = factor * prec + rec;

		score += below > 0 ? (1 + factor) * prec * rec / below : eps;
		if (hyp > 0 && ref > 0) {
			all_prec += prec;
			all_rec += rec;
			effective++;
		}
	}
	if (c->eps_smoothing)
		return 100 * score / orders;
	if (!effective)
		return 0;
	all_prec /= effective;
	all_rec /= effective;
	if (!(all_prec + all_rec > 0))
		return 0;
	score = (1 + factor) * all_prec * all_rec;
	score /= factor * all_prec + all_rec;
	return 100 * score;
}

static void *
chrf_open_sentence(const void *settings)
{
	struct sentence *st = xcalloc(1, sizeof(*st));

	st->chrf = settings;
	return st;
}

static void
close_sentence(void *scratch)
{
	struct sentence *st = scratch;

	if (!st)
		return;
	for (size_t k = 0; k < st->room; k++) {
		ngrams_release(&st->ref[k].chars);
		ngrams_release(&st->ref[k].words);
	}
	free(st->ref);
	strmap_release(&st->words);
	buf_release(&st->lower);
	free(st->text.chars);
	free(st->text.words);
	free(st);
}

static void
add_char(struct ids *t, int32_t c)
{
	t->chars = mem_grow(t->chars, &t->char_room, t->n_chars + 1, sizeof(*t->chars));
	t->chars[t->n_chars++] = c;
}

static void
chrf_add_word(struct sentence *st, const char *s, size_t n)
{
	struct ids *t = &st->text;

	t->words = mem_grow(t->words, &t->word_room, t->n_words + 1, sizeof(*t->words));
	t->words[t->n_words++] = strmap_add(&st->words, s, n);
}

static bool
punctuation(char c)
{
	return c && strchr("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", c);
}

/* Separates a punctuation character at the end of a word or else at its beginning, never both. */
static void
add_split_word(struct sentence *st, const char *s, size_t n)
{
	size_t len;

	utf8_next(s, n, &len);
	if (len < n && punctuation(s[n - 1])) {
		chrf_add_word(st, s, n - 1);
		chrf_add_word(st, s + n - 1, 1);
	} else if (len < n && punctuation(s[0])) {
		chrf_add_word(st, s, 1);
		chrf_add_word(st, s + 1, n - 1);
	} else {
		chrf_add_word(st, s, n);
	}
}

/* Converts a text to ids in st->text. */
static void
chrf_read_text(struct sentence *st, const char *s, size_t n)
{
	size_t start = 0, len;

	st->text.n_chars = st->text.n_words = 0;
	if (st->chrf->lower) {
		buf_clear(&st->lower);
		lowercase(s, n, &st->lower);
		s = st->lower.data;
		n = st->lower.n;
	}
	for (size_t i = 0; i < n; i += len) {
		const int32_t c = utf8_next(s + i, n - i, &len);
		const bool space = unicode_python_space(c);

		if (!space || st->chrf->whitespace)
			add_char(&st->text, c);
		if (!space && i + len < n)
			continue;
		if (st->chrf->word_order && (space ? i : i + len) > start)
			add_split_word(st, s + start, (space ? i : i + len) - start);
		start = i + len;
	}
}

/* The length without trailing whitespace, which sacreBLEU removes from lines. */
static size_t
strip(const char *s, size_t n)
{
	size_t end = 0, len;

	for (size_t i = 0; i < n; i += len)
		if (!unicode_python_space(utf8_next(s + i, n - i, &len)))
			end = i + len;
	return end;
}

static struct reference *
chrf_next_reference(struct sentence *st)
{
	if (st->n_refs == st->room) {
		st->ref = xreallocarray(st->ref, ++st->room, sizeof(*st->ref));
		ngrams_init(&st->ref[st->n_refs].chars);
		ngrams_init(&st->ref[st->n_refs].words);
	}
	return &st->ref[st->n_refs++];
}

static void
chrf_reference(void *scratch, size_t k, const char *s, size_t n)
{
	struct sentence *st = scratch;
	const struct chrf *c = st->chrf;
	struct reference *r;

	if (k == 0) {
		st->n_refs = 0;
		strmap_clear(&st->words);
	}
	r = chrf_next_reference(st);
	chrf_read_text(st, s, strip(s, n));
	r->n_chars = st->text.n_chars;
	r->n_words = st->text.n_words;
	ngrams_clear(&r->chars);
	ngrams_add(&r->chars, st->text.chars, r->n_chars, c->char_order);
	ngrams_clear(&r->words);
	if (c->word_order)
		ngrams_add(&r->words, st->text.words, r->n_words, c->word_order);
}

/*
 * Stores three values for each order: the numbers of n-grams in the hypothesis (0 if the reference
 * lacks n-grams of this order), in the reference, and in both.
 */
static void
chrf_compare(struct ngrams *g, const int32_t *id, size_t n_hyp, size_t n_ref, int order,
	     int32_t *stats)
{
	int32_t match[NGRAM_MAX_ORDER];

	ngrams_match(g, id, n_hyp, order, match);
	for (int k = 0; k < order; k++) {
		const int32_t n = (int32_t)ngrams_total(n_ref, k + 1);

		stats[3 * k] = n ? (int32_t)ngrams_total(n_hyp, k + 1) : 0;
		stats[3 * k + 1] = n;
		stats[3 * k + 2] = match[k];
	}
}

static void
chrf_hypothesis(void *scratch, const char *s, size_t n, int32_t *stats)
{
	struct sentence *st = scratch;
	const struct chrf *c = st->chrf;
	const int char_width = 3 * c->char_order, width = char_width + 3 * c->word_order;
	const struct ids *t = &st->text;
	double best = -1;

	chrf_read_text(st, s, strip(s, n));
	for (size_t k = 0; k < st->n_refs; k++) {
		struct reference *r = &st->ref[k];
		int32_t now[METRIC_MAX_WIDTH];
		int64_t wide[METRIC_MAX_WIDTH];
		double f;

		chrf_compare(&r->chars, t->chars, t->n_chars, r->n_chars, c->char_order, now);
		chrf_compare(&r->words, t->words, t->n_words, r->n_words, c->word_order,
			     now + char_width);
		for (int i = 0; i < width; i++)
			wide[i] = now[i];
		f = chrf_compute(wide, c);
		if (f > best) {
			best = f;
			memcpy(stats, now, (size_t)width * sizeof(*stats));
		}
	}
}

static void
chrf_name(const void *settings, struct buf *out)
{
	const struct chrf *c = settings;

	buf_printf(out, "chrF%d", c->beta);
	for (int i = 0; i < c->word_order; i++)
		buf_add_char(out, '+');
}

static void
chrf_signature(const void *settings, bool brief, struct buf *out)
{
	const struct chrf *c = settings;

	buf_printf(out, "%s:%s|%s:%s|nc:%d|nw:%d|%s:%s",
		   brief ? "c" : "case", c->lower ? "lc" : "mixed",
		   brief ? "e" : "eff", c->eps_smoothing ? "no" : "yes",
		   c->char_order, c->word_order,
		   brief ? "s" : "space", c->whitespace ? "yes" : "no");
}

struct metric
chrf_metric(const struct chrf *c)
{
	return (struct metric) {
		.how = c, .width = 3 * (c->char_order + c->word_order), .decimals = 1,
		.open = chrf_open_sentence, .close = close_sentence,
		.reference = chrf_reference, .hypothesis = chrf_hypothesis,
		.score = chrf_compute, .name = chrf_name, .signature = chrf_signature
	};
}
