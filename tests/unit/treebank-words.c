/*
 * treebank-words: the words of sentences as in EWT, GUM and GSD, written by hand; random sentences
 * keep their characters and the order of words.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "text/treebank-words.h"

enum { MOST = 64, SENTENCES = 20000 };

static int
cut(char *line, const char **word)
{
	int n = 0;

	for (char *s = strtok(line, " "); s; s = strtok(NULL, " "))
		word[n++] = s;
	return n;
}

/*
 * The tokens, and the words of the treebank, each with the number of the token in which it begins.
 * "=": the words are the tokens.
 */
static const struct expected { const char *lang, *text, *words; } expected[] = {
	{ "en", "He isn 't here .", "He/0 is/1 n't/2 here/3 ./4" },
	{ "en", "I can 't", "I/0 ca/1 n't/2" },
	{ "en", "it doesn ’ t", "it/0 does/1 n’t/2" },
	{ "en", "THEY DON 'T", "THEY/0 DO/1 N'T/2" },
	{ "en", "the man 's", "=" },
	{ "en", "do n't", "=" },
	{ "en", "don't won't", "do/0 n't/0 wo/1 n't/1" },
	{ "en", "it’s he'll", "it/0 ’s/0 he/1 'll/1" },
	{ "en", "it ’ s", "it/0 ’s/1" },
	{ "en", "Cannot gonna dont im", "Can/0 not/0 gon/1 na/1 do/2 nt/2 i/3 m/3" },
	{ "en", "a 15-year-old boy", "a/0 15/1 -/1 year/1 -/1 old/1 boy/2" },
	{ "en", "e-mail co-owner non-profit-based",
	  "e-mail/0 co-owner/1 non-profit/2 -/2 based/2" },
	{ "en", "-- - -5 555-1234 2001-10-30", "=" },
	{ "en", "1969-1970 5-10", "1969/0 -/0 1970/0 5/1 -/1 10/1" },
	{ "en", "5pm 7:30PM 3.5k 2nd", "5/0 pm/0 7:30/1 PM/1 3.5/2 k/2 2nd/3" },
	{ "en", "at 7 : 30PM , 9 / 11 / 2001", "at/0 7:30/1 PM/1 ,/4 9/11/2001/5" },
	{ "en", "2 : Basic", "=" },
	{ "en", "a.b @ c.org Rice @ home x _ y _ z", "a.b@c.org/0 Rice/3 @/4 home/5 x_y_z/6" },
	{ "en", "see http : / / www.a.org / b ? c = d / .",
	  "see/0 http://www.a.org/b?c=d//1 ./13" },
	{ "en", "www.a.org : it", "=" },
	{ "en", "AT & T and Smith & Co", "AT&T/0 and/3 Smith/4 &/5 Co/6" },
	{ "en", "No ! ! ! why ? ! . . .", "No/0 !!!/1 why/4 ?!/5 ./7 ./8 ./9" },
	{ "en", "* * * = = ' '", "***/0 ==/3 ''/5" },
	{ "en", "hi : ) ; - ) # tag # 5", "hi/0 :)/1 ;-)/3 #tag/6 #/8 5/9" },
	{ "en", "( so : )", "=" },
	{ "de", "Er geht zum Haus .", "Er/0 geht/1 zu/2 dem/2 Haus/3 ./4" },
	{ "de", "Im IM fürs am", "In/0 dem/0 IN/1 DEM/1 für/2 das/2 an/3 dem/3" },
	{ "de", "am besten am Samstag", "am/0 besten/1 an/2 dem/2 Samstag/3" },
	{ "de", "G-7-Gipfel Rohstoff- -- 527-1",
	  "G/0 -/0 7/0 -/0 Gipfel/0 Rohstoff/1 -/1 --/2 527-1/3" },
	{ "de", "``Wir ' ' ``Im gibt ' s", "``/0 Wir/0 ''/1 ``/3 In/3 dem/3 gibt/4 's/5" },
	{ "de", "gut ! !", "=" },
	{ NULL, NULL, NULL }
};

/* English words keep their characters: each token begins in the word that has its first byte. */
static void
check_english(const struct treebank_words *t, const char *const *word)
{
	size_t at = 0, end = strlen(t->form[0]);

	for (int i = 0, k = 0; i < t->n_text; at += strlen(word[i++])) {
		while (end <= at)
			end += strlen(t->form[++k]);
		assert_int_equal(t->in_parse[i], k);
	}
}

static void
sentences_have_the_words_of_treebanks(void **state)
{
	(void)state;
	for (const struct expected *x = expected; x->lang; x++) {
		char line[256], got[512] = "";
		const char *word[MOST];
		struct treebank_words t;
		struct arena mem;
		int n;

		snprintf(line, sizeof(line), "%s", x->text);
		n = cut(line, word);
		arena_init(&mem, 0);
		treebank_words(&t, treebank_rules_of(x->lang), word, n, &mem);
		for (int k = 0; k < t.n; k++)
			snprintf(got + strlen(got), sizeof(got) - strlen(got), "%s%s/%d",
				 k ? " " : "", t.form[k], t.in_text[k]);
		assert_int_equal(t.same, !strcmp(x->words, "="));
		if (!strcmp(x->lang, "en"))
			check_english(&t, word);
		if (!t.same)
			assert_string_equal(got, x->words);
		for (int i = 0; t.same && i < n; i++)
			assert_string_equal(t.form[i], word[i]);
		arena_release(&mem);
	}
}

/* A random sentence of tokens to which the rules apply. */
static int
draw(struct rng *rng, const char **word)
{
	static const char *const some[] = {
		"isn", "'t", "’", "s", "t", "n", "http", ":", "/", "/", "www.a.org", "-", "a-b",
		"!", "?", ".", "_", "@", "a.b", "5", "5pm", "5-10", "(", ")", "'", "''",
		"``a", "&", "A", "don't", "cannot", "#", "x", "=", "non-a-b", "'ma", "ü-ü",
		"-a", "a-", "n't"
	};
	const uint32_t kinds = sizeof(some) / sizeof(*some);
	const int n = 1 + (int)rng_below(rng, 12);

	for (int i = 0; i < n; i++)
		word[i] = some[rng_below(rng, kinds)];
	return n;
}

static void
nothing_is_lost(void **state)
{
	struct rng rng;

	(void)state;
	rng_init(&rng, 2026, 0, 0);
	for (int number = 0; number < SENTENCES; number++) {
		char a[256] = "", b[256] = "";
		const char *word[MOST];
		struct treebank_words t;
		struct arena mem;
		const int n = draw(&rng, word);

		arena_init(&mem, 0);
		treebank_words(&t, treebank_rules_of("en"), word, n, &mem);
		for (int i = 0; i < n; i++)
			strcat(a, word[i]);
		for (int k = 0; k < t.n; k++)
			strcat(b, t.form[k]);
		assert_string_equal(a, b);
		assert_true(t.n && !t.in_text[0] && !t.in_parse[0]);
		for (int k = 1; k < t.n; k++)
			assert_in_range(t.in_text[k], t.in_text[k - 1], n - 1);
		for (int i = 1; i < n; i++)
			assert_in_range(t.in_parse[i], t.in_parse[i - 1], t.n - 1);
		for (int k = 0; k < t.n; k++)	/* each begins in its word */
			assert_true(t.in_parse[t.in_text[k]] <= k);
		arena_release(&mem);
	}
}

static void
other_languages_have_no_rules(void **state)
{
	(void)state;
	assert_null(treebank_rules_of("fr"));
	assert_null(treebank_rules_of("e"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sentences_have_the_words_of_treebanks),
		cmocka_unit_test(nothing_is_lost),
		cmocka_unit_test(other_languages_have_no_rules),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
