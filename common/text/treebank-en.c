/* treebank-en: the words of English treebanks: Penn Treebank and Universal Dependencies v2. */
#include <string.h>

#include "text/treebank-rules.h"

/* Prefixes after which a hyphen does not end a word. */
static const char prefixes[] = "anti co counter cross e ex inter mid mini multi non over post pre "
			       "pro re semi sub";
/* Units after a number without a space. */
static const char units[] = "am pm a.m. p.m. k m mm cm km kg ft mb gb";
static const char clitics[] = "s re ve ll d m";

/* Words that are two words, and the length of the first one. */
static const struct contraction { const char *word; size_t first; } contractions[] = {
	{ "cannot", 3 }, { "gonna", 3 }, { "wanna", 3 }, { "gotta", 3 }, { "lotta", 3 },
	{ "outta", 3 }, { "'ma", 2 },
	{ "dont", 2 }, { "doesnt", 4 }, { "didnt", 3 }, { "isnt", 2 }, { "arent", 3 },
	{ "wasnt", 3 }, { "werent", 4 }, { "havent", 4 }, { "hasnt", 3 }, { "couldnt", 5 },
	{ "wouldnt", 5 }, { "shouldnt", 6 }, { "cant", 2 }, { "wont", 2 }, { "aint", 2 },
	{ "im", 1 }, { "ive", 1 }, { "thats", 4 }, { "theres", 5 }, { "youre", 3 },
	{ NULL, 0 }
};

/* The length of the apostrophe at s, ASCII or U+2019; 0 without one. */
static size_t
apostrophe(const char *s)
{
	return *s == '\'' ? 1 : strncmp(s, "’", 3) ? 0 : 3;
}

static bool
is_n(char c)
{
	return c == 'n' || c == 'N';
}

static bool
is_t(const char *s)
{
	return (*s == 't' || *s == 'T') && !s[1];
}

/* isn 't, isn ’ t: is n't, is n’t */
static int
move(struct treebank_work *w)
{
	const char *a = treebank_word(w, 0), *b = treebank_word(w, 1), *c = treebank_word(w, 2);
	const size_t n = strlen(a), mark = apostrophe(b);
	char not[16];

	if (n < 3 || !is_n(a[n - 1]) || !mark)
		return 0;
	if (!is_t(b + mark) && (b[mark] || !is_t(c)))
		return 0;
	not[0] = a[n - 1];
	strcpy(stpcpy(not + 1, b), b[mark] ? "" : c);
	treebank_add(w, a, n - 1, w->i);
	treebank_add(w, not, strlen(not), w->i + 1);
	return b[mark] ? 2 : 3;
}

/* ’ s, # tag */
static int
join_rest(const struct treebank_work *w)
{
	const char *a = treebank_word(w, 0), *b = treebank_word(w, 1);
	const size_t mark = apostrophe(a);

	if (mark && !a[mark] && treebank_is_one_of(b, strlen(b), clitics))
		return 2;
	return 1 + (!strcmp(a, "#") && treebank_is_letter(*b));
}

/* The length of the word before n't or another clitic at the end; n without one. */
static size_t
before_clitic(const char *s, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		const size_t mark = apostrophe(s + i);
		const char *rest = s + i + mark;

		if (!mark || !treebank_is_letter(s[i - 1]))
			continue;
		if (i > 1 && is_n(s[i - 1]) && s + n == rest + 1 && (*rest == 't' || *rest == 'T'))
			return i - 1;
		if (treebank_is_one_of(rest, (size_t)(s + n - rest), clitics))
			return i;
	}
	return n;
}

/* The length of the number before a unit; n without one. */
static size_t
before_unit(const char *s, size_t n)
{
	const size_t number = strspn(s, "0123456789.,:");

	if (!treebank_is_digit(*s) || number >= n || !treebank_is_digit(s[number - 1]))
		return n;
	return treebank_is_one_of(s + number, n - number, units) ? number : n;
}

/* Adds the one or two words of a part of n bytes between hyphens. */
static void
treebank_en_add_part(struct treebank_work *w, const char *s, size_t n)
{
	size_t first = before_clitic(s, n);

	if (first == n)
		first = before_unit(s, n);
	for (const struct contraction *c = contractions; c->word && first == n; c++)
		if (treebank_is_one_of(s, n, c->word))
			first = c->first;
	treebank_add(w, s, first, w->i);
	if (first < n)
		treebank_add(w, s + first, n - first, w->i);
}

/* Of numbers, only ranges are split: 5-10 and 1969-1970, not 555-1234 or 2001-10-30. */
static bool
is_range(const char *s)
{
	const size_t a = strcspn(s, "-"), b = strlen(s + a + 1);

	return treebank_is_number(s + a + 1) && (a == b || (a < 3 && b < 3));
}

/* Are the hyphens between the parts of a compound, which are words? */
static bool
is_compound(const char *s)
{
	bool letters = false;

	for (const char *p = s; *p; p++) {
		const bool part = treebank_is_letter(*p) || treebank_is_digit(*p);

		if (*p == '-' && (p == s || !treebank_is_wordy(p + 1)))
			return false;
		if (!part && !strchr("-.'", *p))
			return false;
		letters = letters || treebank_is_letter(*p);
	}
	return strchr(s, '-') && (letters || is_range(s));
}

static void
split_english(struct treebank_work *w, const char *s)
{
	size_t n = strcspn(s, "-");

	if (!is_compound(s)) {
		treebank_en_add_part(w, s, strlen(s));
		return;
	}
	if (treebank_is_one_of(s, n, prefixes))
		n += 1 + strcspn(s + n + 1, "-");
	for (; s[n]; s += n + 1, n = strcspn(s, "-")) {
		treebank_en_add_part(w, s, n);
		treebank_add(w, "-", 1, w->i);
	}
	treebank_en_add_part(w, s, n);
}

const struct treebank_rules treebank_en = {
	.lang = "en", .move = move, .split = split_english,
	.join = { treebank_join_address, treebank_join_linked, treebank_join_ends,
		  treebank_join_repeated, treebank_join_emoticon, join_rest }
};
