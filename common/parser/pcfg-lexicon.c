/*
 * pcfg-lexicon: P(word | tag), with an estimate for rare and unknown words.
 *
 * With counts c, P(word | tag) = P(tag | word) P(word) / P(tag), of which
 *
 *	P(tag | word) = c(tag, word) / c(word)				if c(word) > RARE
 *	              = (c(tag, word) + MIX P(tag | class)) / (c(word) + MIX)	otherwise
 *
 * and P(word) = c(word) / N, for an unknown word 1 / N.  The class of a word is its shape
 * (capitals, lower-case letters, digits, hyphen) and its ending.  P(tag | class) is counted over
 * rare words and backs off from endings of three characters to shorter ones, as in Brants 2000,
 * TnT:  (c(tag, class) + BACK P(tag | shorter)) / (c(class) + BACK).
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "parser/pcfg-parts.h"
#include "text/unicode.h"

enum { RARE = 5, ENDING = 3 };		/* maximum count of a rare word; characters */
static const double MIX = 1, BACK = 5;

/* The shape and the endings of a word. */
struct look {
	size_t ends[ENDING + 1];	/* start of the endings of 0, 1 ... characters */
	char shape[5];
};

static bool
is_capital(int32_t c)
{
	unsigned k = unicode_classes(c);

	return (k & UNICODE_ALPHA) && !(k & UNICODE_LOWER);
}

/* The start of the character that ends before s + at. */
static size_t
pcfg_lexicon_before(const char *s, size_t at)
{
	for (int i = 0; i < 4 && at > 0; i++)
		if (((unsigned char)s[--at] & 0xc0) != 0x80)
			break;
	return at;
}

static struct look
pcfg_lexicon_look_at(const char *s, size_t n)
{
	bool capital = false, lower = false, digit = false, hyphen = false, first = false;
	struct look l;
	size_t len;

	for (size_t i = 0; i < n; i += len) {
		int32_t c = utf8_next(s + i, n - i, &len);
		unsigned k = unicode_classes(c);

		capital |= is_capital(c);
		first |= i == 0 && is_capital(c);
		lower |= (k & UNICODE_LOWER) != 0;
		digit |= (k & UNICODE_NUMBER) != 0;
		hyphen |= c == '-' && i > 0;
	}
	l.shape[0] = first ? 'C' : capital ? 'c' : '.';
	l.shape[1] = lower ? 'l' : '.';
	l.shape[2] = digit ? '0' : '.';
	l.shape[3] = hyphen ? '-' : '.';
	l.shape[4] = '\0';
	l.ends[0] = n;
	for (int i = 0; i < ENDING; i++)
		l.ends[i + 1] = pcfg_lexicon_before(s, l.ends[i]);
	return l;
}

enum { CLASS_NAME = 8 + 4 * ENDING };

/* The name of a class: shape, number of characters of the ending, ending.  Returns its length. */
static size_t
class_name(const struct look *l, const char *word, int ending, char name[CLASS_NAME])
{
	const char *end = word + l->ends[ending];

	return (size_t)snprintf(name, CLASS_NAME, "%s%d%s", l->shape, ending, end);
}

/* Makes a table from counts of pairs of a key below n_keys and a tag; tag_first: of tag and key. */
static struct tag_table
table_of(const struct word_count *t, int n_keys, bool tag_first, struct arena *mem)
{
	int n = (int)t->words.n, *key = xreallocarray(NULL, (size_t)n + 1, sizeof(*key));
	struct tag_table table;
	struct groups by;
	int pair[2];

	for (int i = 0; i < n; i++) {
		memcpy(pair, strmap_text(&t->words, i, NULL), sizeof(pair));
		key[i] = pair[tag_first];
	}
	by = group_by(key, n, n_keys, mem);
	table.start = by.start;
	table.tag = ARENA_ARRAY(mem, struct tag_count, n);
	table.n = arena_zero(mem, (size_t)n_keys * sizeof(*table.n));
	for (int i = 0; i < n; i++) {
		int from = by.item[i];

		memcpy(pair, strmap_text(&t->words, from, NULL), sizeof(pair));
		table.tag[i] = (struct tag_count){ pair[!tag_first], (double)t->count[from] };
		table.n[key[from]] += (double)t->count[from];
	}
	free(key);
	return table;
}

/* Adds the tags of a rare word to the counts of all its classes. */
static void
count_classes(struct pcfg *g, struct word_count *t, int word)
{
	const struct tag_table *w = &g->lexicon.of_word;
	const char *text;
	struct look look;
	size_t n;

	text = strmap_text(&g->word, word, &n);
	look = pcfg_lexicon_look_at(text, n);
	for (int ending = 0; ending <= ENDING; ending++) {
		char name[CLASS_NAME];
		int pair[2];

		n = class_name(&look, text, ending, name);
		pair[0] = strmap_add(&g->lexicon.class, name, n);
		for (int i = w->start[word]; i < w->start[word + 1]; i++) {
			pair[1] = w->tag[i].tag;
			word_count_add(t, pair, sizeof(pair), (int64_t)w->tag[i].count);
		}
	}
}

static void
count_tags(struct pcfg *g, const double *uses)
{
	struct lexicon *l = &g->lexicon;
	int n_words = (int)g->word.n;

	l->of_tag = arena_zero(&g->mem, (size_t)g->n_labels * sizeof(*l->of_tag));
	l->emit = ARENA_ARRAY(&g->mem, float, g->n_labels);
	for (int i = 0; i < l->of_word.start[n_words]; i++)
		l->of_tag[l->of_word.tag[i].tag] += l->of_word.tag[i].count;
	for (int t = 0; t < g->n_labels; t++) {
		l->n_tokens += l->of_tag[t];
		l->emit[t] = (float)log(l->of_tag[t] / uses[t]);
	}
}

void
lexicon_finish(struct pcfg *g, const double *uses)
{
	struct lexicon *l = &g->lexicon;
	struct word_count t = { .count = NULL };

	l->of_word = table_of(&g->lex, (int)g->word.n, true, &g->mem);
	count_tags(g, uses);
	for (int w = 0; w < (int)g->word.n; w++)
		if (l->of_word.n[w] <= RARE)
			count_classes(g, &t, w);
	l->of_class = table_of(&t, (int)l->class.n, false, &g->mem);
	word_count_release(&t);
}

/* Sets p[tag] to (c(tag) + weight p[tag]) / (c + weight), with counts c of a row of the table. */
static void
pcfg_lexicon_mix(double *p, int n_labels, const struct tag_table *t, int row, double weight)
{
	double all = t->n[row] + weight;

	for (int i = 0; i < n_labels; i++)
		p[i] *= weight / all;
	for (int i = t->start[row]; i < t->start[row + 1]; i++)
		p[t->tag[i].tag] += t->tag[i].count / all;
}

/* Sets p to P(tag | class), backing off from the longest ending to the shape. */
static void
mix_classes(const struct pcfg *g, const char *word, double *p)
{
	const struct lexicon *l = &g->lexicon;
	struct look look = pcfg_lexicon_look_at(word, strlen(word));

	for (int i = 0; i < g->n_labels; i++)
		p[i] = l->of_tag[i] / l->n_tokens;
	for (int ending = 0; ending <= ENDING; ending++) {
		char name[CLASS_NAME];
		size_t n = class_name(&look, word, ending, name);
		int class = strmap_find(&l->class, name, n);

		if (class >= 0)
			pcfg_lexicon_mix(p, g->n_labels, &l->of_class, class, ending ? BACK : 0);
	}
}

int
lexicon_tags(const struct pcfg *g, const char *word, double *p, struct tag_score *out)
{
	const struct lexicon *l = &g->lexicon;
	int id = strmap_find(&g->word, word, strlen(word)), n = 0;
	double seen = id < 0 ? 0 : l->of_word.n[id];

	for (int i = 0; i < g->n_labels; i++)
		p[i] = 0;
	if (seen <= RARE)
		mix_classes(g, word, p);
	if (id >= 0)
		pcfg_lexicon_mix(p, g->n_labels, &l->of_word, id, seen <= RARE ? MIX : 0);
	for (int i = 0; i < g->n_labels; i++)
		if (p[i] > 0)
			out[n++] = (struct tag_score){
				i, (float)log(p[i] * fmax(seen, 1) / l->of_tag[i]) + l->emit[i]
			};
	return n;
}
