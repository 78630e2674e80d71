/* treebank-de: the words of UD German GSD. */
#include <string.h>

#include "text/treebank-rules.h"

/* Tokens that are a preposition and an article. */
static const struct contraction { const char *token, *preposition, *article; } contractions[] = {
	{ "im", "in", "dem" }, { "am", "an", "dem" }, { "zum", "zu", "dem" },
	{ "zur", "zu", "der" }, { "vom", "von", "dem" }, { "beim", "bei", "dem" },
	{ "ins", "in", "das" }, { "ans", "an", "das" }, { "aufs", "auf", "das" },
	{ "fürs", "für", "das" }, { "ums", "um", "das" }, { "übers", "über", "das" },
	{ "durchs", "durch", "das" }, { "vors", "vor", "das" }, { "unters", "unter", "das" },
	{ "hinters", "hinter", "das" }, { "vorm", "vor", "dem" }, { "unterm", "unter", "dem" },
	{ "überm", "über", "dem" }, { "hinterm", "hinter", "dem" }, { NULL, NULL, NULL }
};

enum { ROOM = 16 };	/* bytes for a preposition or an article */

static bool
treebank_de_is_capital(char c)
{
	return c >= 'A' && c <= 'Z';
}

/* am besten: here, am is a particle. */
static bool
is_superlative(const struct treebank_work *w, const char *s)
{
	const char *next = treebank_word(w, 1);
	const size_t n = strlen(next);

	return treebank_is_one_of(s, strlen(s), "am") && !treebank_de_is_capital(*next) && n > 4 &&
	       !strcmp(next + n - 4, "sten");
}

/* Adds a word of the table with the first `capitals` letters in upper case, if they are ASCII. */
static void
add_capitals(struct treebank_work *w, const char *word, size_t capitals)
{
	const size_t n = strlen(word);
	char s[ROOM];

	memcpy(s, word, n + 1);
	for (size_t i = 0; i < n && i < capitals; i++)
		if (s[i] >= 'a' && s[i] <= 'z')
			s[i] = (char)(s[i] - 'a' + 'A');
	treebank_add(w, s, n, w->i);
}

/* Zum: Zu dem; ZUM: ZU DEM.  False if s is no contraction. */
static bool
add_contraction(struct treebank_work *w, const char *s)
{
	const struct contraction *c = contractions;
	const bool all = treebank_de_is_capital(s[0]) && treebank_de_is_capital(s[strlen(s) - 1]);

	while (c->token && !treebank_is_one_of(s, strlen(s), c->token))
		c++;
	if (!c->token || is_superlative(w, s))
		return false;
	add_capitals(w, c->preposition, all ? ROOM : treebank_de_is_capital(s[0]));
	add_capitals(w, c->article, all ? ROOM : 0);
	return true;
}

/* gibt ' s */
static int
join_es(const struct treebank_work *w)
{
	return 1 + (!strcmp(treebank_word(w, 0), "'") && !strcmp(treebank_word(w, 1), "s"));
}

/* Hyphens are words after a letter or digit: G-7-Gipfel, Rohstoff-; not in numbers. */
static bool
has_parts(const char *s)
{
	bool letters = false;

	for (const char *p = s; *p; p++) {
		if (*p == '-' && (p == s || p[-1] == '-'))
			return false;
		if (*p != '-' && *p != '.' && !treebank_is_wordy(p))
			return false;
		letters = letters || treebank_is_letter(*p);
	}
	return letters && strchr(s, '-');
}

static void
split_german(struct treebank_work *w, const char *s)
{
	const bool parts = has_parts(s);
	size_t n;

	if (add_contraction(w, s))
		return;
	if (!strncmp(s, "``", 2) && s[2]) {
		treebank_add(w, s, 2, w->i);
		split_german(w, s + 2);
		return;
	}
	for (; *s; s += n) {
		n = !parts ? strlen(s) : *s == '-' ? 1 : strcspn(s, "-");
		treebank_add(w, s, n, w->i);
	}
}

const struct treebank_rules treebank_de = {
	.lang = "de", .split = split_german,
	.join = { treebank_join_address, treebank_join_linked, treebank_join_repeated,
		  treebank_join_emoticon, join_es }
};
