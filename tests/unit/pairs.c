/* pairs and sentences: splitting into sentences, assignment by group, no source in two parts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "corpora/pairs.h"
#include "text/sentences.h"

static const char *const en_de[] = { "en", "de" };

/* The sentences of s, separated by '|'. */
static const char *
cut(const char *lang, const char *s)
{
	static char text[512];
	struct span span[16];
	size_t n = sentences_cut(lang, s, strlen(s), span, 16), i, at = 0;

	text[0] = '\0';
	for (i = 0; i < n; i++)
		at += (size_t)snprintf(text + at, sizeof(text) - at, "%s%.*s", i ? "|" : "",
				       (int)span[i].n,
				       s + span[i].at);
	return text;
}

static void
sentences_end_at_final_punctuation(void **state)
{
	(void)state;
	assert_string_equal(cut("en", "One. Two? Three! Four"), "One.|Two?|Three!|Four");
	assert_string_equal(cut("en", "See e.g. The Book, p. 3. It is by Mr. Smith."),
			    "See e.g. The Book, p. 3. It is by Mr. Smith.");
	assert_string_equal(cut("en", "He said \"yes.\" She (too.) Then..."),
			    "He said \"yes.\"|She (too.)|Then...");
	assert_string_equal(cut("en", "Write a.b.c here. and small. Version 7. New"),
			    "Write a.b.c here. and small.|Version 7. New");
	assert_string_equal(cut("de", "Am 3. Mai, z. B. Montag, bzw. Freitag. Ende."),
			    "Am 3. Mai, z. B. Montag, bzw. Freitag.|Ende.");
	assert_string_equal(cut("cs", "Např. Praha. Žižkov. část"), "Např. Praha.|Žižkov. část");
	assert_string_equal(cut("ru", "Это так. Да? да. Нет… Вот"), "Это так.|Да? да.|Нет…|Вот");
	assert_string_equal(cut("ja", "これは。「それ。」あれ！ x"), "これは。|「それ。」|あれ！|x");
	assert_string_equal(cut("en-gb", "See Mr. Smith. Dr. No"), "See Mr. Smith.|Dr. No");
	assert_string_equal(cut("de-at", "Am Montag, bzw. Freitag."), "Am Montag, bzw. Freitag.");
	assert_string_equal(cut("e", "See Mr. Smith"), "See Mr.|Smith");
	assert_string_equal(cut("enm", "See Mr. Smith"), "See Mr.|Smith");
	assert_string_equal(cut("tr", "Örn. Ankara. Çev. Ali"), "Örn. Ankara.|Çev. Ali");
	assert_string_equal(cut("cs", "Čl. Praha. PŘÍP. Brno"), "Čl. Praha.|PŘÍP. Brno");
	assert_string_equal(cut("ru", "Рис. Два. См. Три"), "Рис. Два.|См. Три");
	assert_string_equal(cut("xx", ""), "");
	assert_string_equal(cut("xx", "... . A"), "...|.|A");
}

static size_t
alike(const char *a, const char *b)
{
	const char *const s[2] = { a, b };
	const size_t n[2] = { strlen(a), strlen(b) };
	struct span out[2 * 8];

	return sentences_cut_alike(en_de, s, n, 2, out, 8);
}

static void
a_pair_is_split_if_both_sides_agree(void **state)
{
	(void)state;
	assert_int_equal(alike("One thing. And two.", "Eine Sache. Und zwei."), 2);
	assert_int_equal(alike("One thing. And two.", "Eine Sache und zwei."), 1);
	assert_int_equal(alike("Short. This is the much longer one of the two sentences here.",
			       "Dies ist der weitaus längere der beiden Sätze, die hier stehen. "
			       "Kurz."), 1);
}

struct list { int n; struct { enum pairs_part part; char text[64]; } one[64]; };

static int
keep(void *arg, enum pairs_part part, const char *id, const char *const *s, const size_t *n,
     struct err *e)
{
	struct list *l = arg;

	(void)e;
	assert_true(l->n < 64);
	l->one[l->n].part = part;
	snprintf(l->one[l->n++].text, 64, "%s %.*s=%.*s", id, (int)n[0], s[0], (int)n[1], s[1]);
	return 0;
}

static void
add(struct pairs *p, int side, const char *key, const char *group, const char *text)
{
	struct err e;

	assert_int_equal(pairs_add(p, side, key, group, text, strlen(text), &e), 0);
}

static void
texts_are_joined_by_key_and_duplicates_removed(void **state)
{
	struct list l = { .n = 0 };
	struct pairs p;
	struct err e;

	(void)state;
	pairs_init(&p, en_de, 2);
	add(&p, 0, "k1", "g", "One. Two.");
	add(&p, 0, "k2", "g", "One.");
	add(&p, 0, "k3", "h", "Same");
	add(&p, 0, "k4", "h", "Alone");
	add(&p, 0, "k1", "h", "the second of a key is dropped");
	add(&p, 0, "k5", "h", "");
	add(&p, 1, "k9", "x", "unknown keys are dropped");
	add(&p, 1, "k2", "x", "Eins.");
	add(&p, 1, "k1", "x", "Eins. Zwei.");
	add(&p, 1, "k3", "x", "Same");
	add(&p, 1, "k5", "x", "leer");
	assert_int_equal(pairs_deal(&p, keep, &l, &e), 0);
	assert_int_equal(l.n, 2);
	assert_string_equal(l.one[0].text, "g:1 One.=Eins.");
	assert_string_equal(l.one[1].text, "g:2 Two.=Zwei.");
	assert_int_equal(l.one[0].part, PAIRS_TRAIN);
	assert_int_equal(p.joined, 4);
	assert_int_equal(p.empty, 1);
	assert_int_equal(p.untranslated, 1);
	assert_int_equal(p.cut, 1);
	assert_int_equal(p.repeated, 1);
	pairs_release(&p);
}

/* Forty groups have one of two forms of a source as text: it may be in one part only. */
static void
check_near_duplicates(const char *one, const char *other)
{
	struct list l = { .n = 0 };
	struct pairs p;
	struct err e;
	int i;

	pairs_init(&p, en_de, 2);
	p.share[PAIRS_TEST] = p.share[PAIRS_DEV] = 0.3;
	for (i = 0; i < 40; i++) {
		char key[16], text[32];

		snprintf(key, sizeof(key), "k%d", i);
		add(&p, 0, key, key, i % 2 ? one : other);
		snprintf(text, sizeof(text), "Schritt %d", i);
		add(&p, 1, key, key, text);
	}
	assert_int_equal(pairs_deal(&p, keep, &l, &e), 0);
	assert_true(l.n > 3);
	for (i = 0; i < l.n; i++)
		assert_int_equal(l.one[i].part, PAIRS_TEST);
	assert_int_equal(p.sources.n, 1);
	assert_int_equal(p.leaked, 40 - l.n);
	pairs_release(&p);
}

static void
a_source_is_in_one_part_only(void **state)
{
	(void)state;
	check_near_duplicates("Step 12", "step 3.");
	check_near_duplicates("Öffnen Sie \"ÄRGER\"", "öffnen sie „Ärger“");
	check_near_duplicates("Откройте ФАЙЛ «А»", "откройте\u00a0файл “а”…");
	check_near_duplicates("افتح الملف ٣", "افتح الملف، ٤٢؟");
	check_near_duplicates("打开文件。", "打开文件！");
	check_near_duplicates("Dateiname", "Datei\u00adname");
	check_near_duplicates("\ufeffفتح\u200b الملف", "\u2067فتح\u2060 الملف\u2069\u200e");
}

/* The parts of the groups k0 to k39: T, D or R for each. */
static const char *
split(uint64_t seed)
{
	static const char letter[] = { [PAIRS_TEST] = 'T', [PAIRS_DEV] = 'D', [PAIRS_TRAIN] = 'R' };
	static char text[41];
	struct list l = { .n = 0 };
	struct pairs p;
	struct err e;
	int i;

	pairs_init(&p, en_de, 2);
	p.seed = seed;
	p.share[PAIRS_TEST] = p.share[PAIRS_DEV] = 0.3;
	for (i = 0; i < 40; i++) {
		char key[16], word[3] = { (char)('a' + i / 26), (char)('a' + i % 26) };

		snprintf(key, sizeof(key), "k%d", i);
		add(&p, 0, key, key, word);
		add(&p, 1, key, key, "Wort");
	}
	assert_int_equal(pairs_deal(&p, keep, &l, &e), 0);
	assert_int_equal(l.n, 40);
	for (i = 0; i < 40; i++)
		text[atoi(l.one[i].text + 1)] = letter[l.one[i].part];
	pairs_release(&p);
	return text;
}

/* The letters were computed with Python: zlib.crc32 and splitmix64 of the group and the seed. */
static void
all_bits_of_the_seed_count(void **state)
{
	static const char seven[] = "RTRTRRRDDDTTTDDDRRTRTTDRRDRRTDTRDDRDDTTD";

	(void)state;
	assert_string_equal(split(0), "TTDDRRDTTDRRRDDRTTRDDRDRRRDTRTDTRTDTRRDD");
	assert_string_equal(split(7), seven);
	assert_string_not_equal(split(7 + ((uint64_t)1 << 32)), seven);
	assert_string_not_equal(split(7 + ((uint64_t)1 << 52)), seven);
}

static void
places_are_unique(void **state)
{
	struct list l = { .n = 0 };
	struct pairs p;
	struct err e;

	(void)state;
	pairs_init(&p, en_de, 2);
	add(&p, 0, "k1", "g", "One. Two.");
	add(&p, 0, "k2", "h", "Three.");
	add(&p, 0, "k3", "g", "Four.");
	add(&p, 1, "k1", "g", "Eins. Zwei.");
	add(&p, 1, "k2", "h", "Drei.");
	add(&p, 1, "k3", "g", "Vier.");
	assert_int_equal(pairs_deal(&p, keep, &l, &e), 0);
	assert_int_equal(l.n, 4);
	assert_string_equal(l.one[0].text, "g:1 One.=Eins.");
	assert_string_equal(l.one[1].text, "g:2 Two.=Zwei.");
	assert_string_equal(l.one[2].text, "h:1 Three.=Drei.");
	assert_string_equal(l.one[3].text, "g:3 Four.=Vier.");
	pairs_release(&p);
}

/* A text is split only if all languages agree, and left out if one language lacks it. */
static void
three_languages_have_the_same_sentences(void **state)
{
	static const char *const lang[] = { "en", "de", "ja" };
	struct list l = { .n = 0 };
	struct pairs p;
	struct err e;

	(void)state;
	pairs_init(&p, lang, 3);
	add(&p, 0, "k1", "g", "One. Two.");
	add(&p, 0, "k2", "g", "Three. Four.");
	add(&p, 0, "k3", "g", "Five.");
	add(&p, 0, "k4", "g", "Six.");
	add(&p, 2, "k1", "g", "一。二。");
	add(&p, 1, "k1", "g", "Eins. Zwei.");
	add(&p, 1, "k2", "g", "Drei. Vier.");
	add(&p, 2, "k2", "g", "三、四。");
	add(&p, 1, "k3", "g", "Fünf.");
	add(&p, 1, "k4", "g", "Sechs.");
	add(&p, 2, "k4", "g", "Six.");
	assert_int_equal(pairs_deal(&p, keep, &l, &e), 0);
	assert_int_equal(l.n, 3);
	assert_string_equal(l.one[0].text, "g:1 One.=Eins.");
	assert_string_equal(l.one[1].text, "g:2 Two.=Zwei.");
	assert_string_equal(l.one[2].text, "g:3 Three. Four.=Drei. Vier.");
	assert_int_equal(p.joined, 3);
	assert_int_equal(p.untranslated, 1);
	pairs_release(&p);
}

static void
groups_are_assigned_by_name(void **state)
{
	static const char *test[] = { "h" }, *dev[] = { "g", "nope" };
	const struct opt_list tests = { 1, test };
	struct opt_list devs = { 1, dev };
	struct list l = { .n = 0 };
	struct pairs p;
	struct err e;

	(void)state;
	pairs_init(&p, en_de, 2);
	p.named[PAIRS_TEST] = &tests;
	p.named[PAIRS_DEV] = &devs;
	p.min_words = 2;
	add(&p, 0, "k1", "g", "One  and.");
	add(&p, 0, "k2", "h", "Two and");
	add(&p, 0, "k3", "i", "Three and");
	add(&p, 0, "k4", "i", "Four");
	add(&p, 1, "k1", "g", "Eins");
	add(&p, 1, "k2", "h", "Zwei");
	add(&p, 1, "k3", "i", "Drei");
	add(&p, 1, "k4", "i", "Vier");
	assert_int_equal(pairs_deal(&p, keep, &l, &e), 0);
	assert_int_equal(l.n, 3);
	assert_int_equal(p.few, 1);
	assert_string_equal(l.one[0].text, "h:1 Two and=Zwei");
	assert_int_equal(l.one[0].part, PAIRS_TEST);
	assert_int_equal(l.one[1].part, PAIRS_DEV);
	assert_int_equal(l.one[2].part, PAIRS_TRAIN);
	devs.n = 2;
	assert_int_equal(pairs_deal(&p, keep, &l, &e), -1);
	assert_int_equal(e.status, EXIT_INPUT);
	assert_non_null(strstr(e.text, "no page 'nope' for development data"));
	pairs_release(&p);
}

static void
the_memory_limit_is_enforced(void **state)
{
	struct pairs p;
	struct err e;

	(void)state;
	pairs_init(&p, en_de, 2);
	p.limit = 20;
	add(&p, 0, "a", "g", "0123456789");
	assert_int_equal(pairs_add(&p, 0, "b", "g", "0123456789", 10, &e), -1);
	assert_int_equal(e.status, EXIT_INPUT);
	pairs_release(&p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sentences_end_at_final_punctuation),
		cmocka_unit_test(a_pair_is_split_if_both_sides_agree),
		cmocka_unit_test(texts_are_joined_by_key_and_duplicates_removed),
		cmocka_unit_test(a_source_is_in_one_part_only),
		cmocka_unit_test(all_bits_of_the_seed_count),
		cmocka_unit_test(places_are_unique),
		cmocka_unit_test(three_languages_have_the_same_sentences),
		cmocka_unit_test(groups_are_assigned_by_name),
		cmocka_unit_test(the_memory_limit_is_enforced),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
