/* paper-values: checks the values of the keys of a paper; see paper-check.h. */
#include <string.h>

#include "plan/paper-check.h"

enum part { WORDS, FIRST, LAST };

/* The words of a value that are checked. */
static struct list
part_of(const struct check *c, const struct keyfile_entry *k, enum part part)
{
	struct list words = list_words(c->p->a, k->value);

	if (part == WORDS || !words.n)
		return words;
	if (part == FIRST)
		words.s[0] = text_copy(c->p->a, words.s[0], strcspn(words.s[0], "@"));
	else
		words.s[0] = words.s[words.n - 1];
	words.n = 1;
	return words;
}

static int
check_words(const struct check *c, const struct keyfile_entry *k, enum part part,
	    const struct list *choices, const char *expected)
{
	const struct list words = k ? part_of(c, k, part) : (struct list){ .n = 0 };

	for (size_t i = 0; i < words.n; i++)
		if (!list_has(choices, words.s[i]))
			return keyfile_fault(k, c->e, "%s, expected %s", words.s[i],
					     expected ? expected : list_text(c->p->a, choices));
	return 0;
}

/* A key, or with "*" all keys KEY.NAME, whose words are among the choices. */
static int
check_each(const struct check *c, const char *key, enum part part, const struct list *choices,
	   const char *expected)
{
	const size_t n = strcspn(key, "*");
	struct list names;

	if (!key[n])
		return check_words(c, entry_of(c->p, c->paper, key), part, choices, expected);
	names = paper_names(c->p, c->paper, text_copy(c->p->a, key, n - 1));
	for (size_t i = 0; i < names.n; i++)
		if (check_words(c,
				entry_of(c->p, c->paper,
					 text_print(c->p->a, "%.*s%s", (int)n, key, names.s[i])),
				part, choices, expected))
			return -1;
	return 0;
}

/* Keys whose words are fixed, or names of parsers and searches. */
static int
check_choices(const struct check *c)
{
	struct arena *a = c->p->a;
	struct list sources = { .n = 0 }, forms = c->p->forms;
	const struct list searches = paper_words(c->p, c->paper, "searches");
	const struct list tested = list_words(a, "model pruned"), scored = list_words(a, "raw tok");
	const char *parsers = text_print(a, "none or one of %s", list_text(a, &forms));

	list_add(a, &forms, "none");
	for (size_t i = 0; i < searches.n; i++) {
		list_add(a, &sources, text_print(a, "whole/%s", searches.s[i]));
		list_add(a, &sources, text_print(a, "size/%s", searches.s[i]));
	}
	return check_each(c, "parse", WORDS, &forms, parsers) ||
		       check_each(c, "parse.*", WORDS, &forms, parsers) ||
		       check_each(c, "tested.*", WORDS, &tested, "model or pruned") ||
		       check_each(c, "scored", WORDS, &scored, "raw or tok") ||
		       check_each(c, "after.*", WORDS, &searches, "one of the searches") ||
		       check_each(c, "search.*", WORDS, &sources,
				  "whole/SEARCH or size/SEARCH")
	       ? -1 : 0;
}

/* Keys whose words are variants. */
static int
check_variants(const struct check *c)
{
	static const char *const words[] = { "begin.*", "aligned.*", "studied", "timed", "gated",
					     "walk" };
	struct arena *a = c->p->a;
	const struct list measures = list_words(a, "gate first gradient relevance confidence "
		"random-1 random-2 random-3 all-gradient all-relevance all-confidence all-random-1 "
		"all-random-2 all-random-3");

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (check_each(c, words[i], WORDS, &c->variants, "a variant"))
			return -1;
	return check_each(c, "map.*", FIRST, &c->variants, "a variant and options of head-map") ||
		       check_each(c, "closed.*", FIRST, &c->variants, "a variant") ||
		       check_each(c, "closed.*", LAST, &measures,
				  text_print(a, "a variant and one of %s", list_text(a, &measures)))
	       ? -1 : 0;
}

/* Variants, sections and the like that keys refer to. */
int
check_references(const struct check *c)
{
	struct arena *a = c->p->a;
	const struct list texts = paper_names(c->p, c->paper, "text");
	const char *section = text_print(a, "a section of src/papers/%s.grid", c->paper->name);

	if (check_choices(c) || check_variants(c) ||
	    check_each(c, "corpora.*", WORDS, &texts,
		       text_print(a, "a corpus of %s.text.NAME", c->paper->name)) ||
	    check_each(c, "main", WORDS, &c->sections, section) ||
	    check_each(c, "plots", WORDS, &c->sections, section) ||
	    check_each(c, "gains", WORDS, &c->sections, section))
		return -1;
	return check_each(c, "trace.*", FIRST, &c->sections,
			  text_print(a, "%s and the beginning of a name in logs", section));
}

/* The words in quotes in the meaning of a key, "any of 'a' and 'b'". */
static struct list
listed(const struct check *c, const char *key)
{
	struct list words = { .n = 0 };

	for (size_t i = 0; i < c->p->keys.n; i++) {
		const char *s = strstr(c->p->keys.s[i], "any of ");

		if (strncmp(c->p->keys.s[i], key, strlen(key)) ||
		    c->p->keys.s[i][strlen(key)] != '\t')
			continue;
		while (s && (s = strchr(s, '\''))) {
			const size_t n = strcspn(++s, "'");

			list_add(c->p->a, &words, text_copy(c->p->a, s, n));
			s += n + (s[n] == '\'');
		}
	}
	return words;
}

/* Tables and figures beside those of the grid, whose names may end with one of their own. */
int
check_tables(const struct check *c)
{
	const struct list known = listed(c, "also"), maps = listed(c, "head-maps");
	const struct keyfile_entry *k = entry_of(c->p, c->paper, "also");
	const struct list also = list_words(c->p->a, k ? k->value : "");

	for (size_t i = 0; i < also.n; i++) {
		const bool own =
			!strncmp(also.s[i], "posthoc-", 8) || !strncmp(also.s[i], "trace-", 6);

		if (!own && !list_has(&known, also.s[i]))
			return keyfile_fault(k, c->e, "%s, expected %s", also.s[i],
					     list_text(c->p->a, &known));
	}
	return check_each(c, "head-maps", WORDS, &maps, NULL)
		       ? -1
		       : check_each(c, "brief", WORDS, &also, "tables that also names");
}

/* A preparation has its own commands or parser, or is named after a parser, or the paper has both.
 */
static bool
is_prepared(const struct check *c, const char *data)
{
	struct arena *a = c->p->a;

	return !strcmp(data, "plain") || list_has(&c->p->forms, data) ||
	       entry_of(c->p, c->paper, text_print(a, "prepare.%s", data)) ||
	       entry_of(c->p, c->paper, text_print(a, "parse.%s", data)) ||
	       (entry_of(c->p, c->paper, "prepare") && entry_of(c->p, c->paper, "parse"));
}

int
check_data(const struct check *c, const struct keyfile_entry *k, const char *name)
{
	const struct list words = list_words(c->p->a, k->value);

	if (strcmp(name, "data") && strncmp(name, "data.", 5))
		return 0;
	for (size_t i = 0; i < words.n; i++)
		if (!is_prepared(c, words.s[i]))
			return keyfile_fault(k, c->e,
					     "%s, expected a preparation; %s.prepare.%s is missing",
					     words.s[i], c->paper->name, words.s[i]);
	return 0;
}

int
check_number(const struct check *c, const struct keyfile_entry *k, const char *name)
{
	static const char *const numbers[] = {
		"sizes",  "seeds", "more_seeds", "updates",  "batch", "validate",
		"merges", "beam",  "samples",	 "timed-on", "probe", "few",
	};
	const struct list words = list_words(c->p->a, k->value);
	const size_t n = strcspn(name, ".@");

	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		if (strlen(numbers[i]) != n || strncmp(name, numbers[i], n))
			continue;
		for (size_t w = 0; w < words.n; w++)
			if (!is_number(words.s[w]) && *words.s[w] != '{' &&
			    (i || strcmp(words.s[w], "all")))
				return keyfile_fault(k, c->e,
						     "%s, expected a number without leading zeros",
						     words.s[w]);
	}
	return 0;
}
