/* given: checks the settings of the command line; see plan.h. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "plan/plan.h"

/*
 * The settings and what their values may have: a number, numbers separated by blanks or commas, one
 * word or several, names of files with wildcards, and options.  Values of all but RUN and RUN_ONE
 * become names of files and targets; pipeline.mk itself refuses what a shell would run.
 */
enum kind { NUMBER, POSITIVE, NUMBERS, COMMAS, WORD, LIST, GLOB, OPTIONS, FREE };
static const struct setting {
	const char *name;
	enum kind kind;
} settings[] = {
	{ "ALIGN", WORD },
	{ "ALSO", LIST },
	{ "ARCH", OPTIONS },
	{ "BATCH", POSITIVE },
	{ "BEAM", POSITIVE },
	{ "BLEU_SENTENCES", NUMBER },
	{ "CORPUS", LIST },
	{ "DATA", LIST },
	{ "DEV", GLOB },
	{ "DRAFTS", FREE },
	{ "GREEDY", FREE },
	{ "INVALID", WORD },
	{ "LANGUAGE", WORD },
	{ "LAYERS", NUMBER },
	{ "MERGES", POSITIVE },
	{ "MODEL", LIST },
	{ "MODELS", WORD },
	{ "MORE_SEEDS", NUMBERS },
	{ "PAIR", LIST },
	{ "PROFILE", WORD },
	{ "R", WORD },
	{ "RECIPE", OPTIONS },
	{ "RUN", FREE },
	{ "RUN_NAME", WORD },
	{ "RUN_ONE", FREE },
	{ "SEARCH_RUNGS", COMMAS },
	{ "SEARCH_SEEDS", COMMAS },
	{ "SEEDS", NUMBERS },
	{ "SENTENCES", NUMBER },
	{ "SHAPLEY", NUMBER },
	{ "SIZE", OPTIONS },
	{ "SIZES", NUMBERS },
	{ "SLOTS", POSITIVE },
	{ "SYSTEMS", LIST },
	{ "TABLES", LIST },
	{ "TEST", GLOB },
	{ "THREADS", POSITIVE },
	{ "TRAIN", GLOB },
	{ "TREEBANKS", LIST },
	{ "TREEBANK_DEV", LIST },
	{ "UPDATES", NUMBER },
	{ "V", FREE },
	{ "VALIDATE", NUMBER },
	{ "W", WORD },
	{ "WALK", NUMBER },
};
static const char *const of_makefile[] = {
	/* settings of the build */
	"CC",	"CFLAGS", "CPPFLAGS", "LDFLAGS", "LDLIBS", "KERNEL_FLAGS",
	"MODE", "PREFIX", "BINDIR",   "MANDIR",	 "HARDEN",
};

static int
refuse(const struct keyfile_entry *k, const char *found, struct err *e)
{
	return err_set(e, EXIT_USAGE,
		       "%s: %s cannot be used; expected a value without blanks, quotes, "
		       "wildcards and other characters that a shell or make interprets",
		       k->key, found);
}

static int
check_characters(const struct keyfile_entry *k, enum kind kind, struct err *e)
{
	static const char *const refused[] = {
		[NUMBER] = "",	 [POSITIVE] = "",    [NUMBERS] = "",
		[COMMAS] = "",	 [WORD] = "=%:*?[]", [LIST] = "=%:*?[]",
		[GLOB] = "=%:/", [OPTIONS] = "*?[]", [FREE] = "",
	};
	const char *bad = strpbrk(k->value, refused[kind]);
	char what[] = "character  ";

	if (bad) {
		what[10] = *bad;
		what[11] = '\0';
		return refuse(k, what, e);
	}
	if (strchr(k->value, ' ') && (kind == NUMBER || kind == COMMAS || kind == WORD))
		return refuse(k, "a blank", e);
	return 0;
}

bool
is_number(const char *s)
{
	return *s && !s[strspn(s, "0123456789")] && (*s != '0' || !s[1]);
}

static int
check_numbers(struct plan *p, const struct keyfile_entry *k, enum kind kind, struct err *e)
{
	char *text = xstrdup(k->value);
	struct list words;
	int bad = 0;

	for (char *s = text; kind == COMMAS && (s = strchr(s, ','));)
		*s = ' ';
	words = list_words(p->a, text);
	free(text);
	for (size_t i = 0; i < words.n; i++)
		if (!is_number(words.s[i]) && (strcmp(k->key, "SIZES") || strcmp(words.s[i], "al"
											     "l")))
			bad = err_set(e, EXIT_USAGE, "%s=%s: expected %s, without leading zeros",
				      k->key, k->value,
				      kind == NUMBERS  ? "numbers separated by spaces"
				      : kind == COMMAS ? "numbers separated by commas"
						       : "a number");
	if (!bad && kind == POSITIVE && (words.n != 1 || !strcmp(words.s[0], "0")))
		bad = err_set(e, EXIT_USAGE, "%s=%s: expected a number of 1 or more", k->key,
			      k->value);
	if (!bad && !words.n && (!strcmp(k->key, "SEEDS") || !strcmp(k->key, "MORE_SEEDS")))
		bad = err_set(e, EXIT_USAGE, "%s: no value, expected one or more numbers", k->key);
	return bad;
}

static const struct setting *
find_setting(const char *name)
{
	for (size_t i = 0; i < sizeof(settings) / sizeof(*settings); i++)
		if (!strcmp(settings[i].name, name))
			return &settings[i];
	return NULL;
}

/* Keys of papers are checked with their papers; parsers by their names. */
static int
check_unknown(struct plan *p, const struct keyfile_entry *k, struct err *e)
{
	const char *dot = strchr(k->key, '.');
	const char *first = text_copy(p->a, k->key, strcspn(k->key, "."));
	const struct keyfile_entry *language = keyfile_given(&p->conf, "LANGUAGE");

	if (dot && plan_paper(p, first))
		return 0;
	if (dot && !strcmp(first, "parse") && keyfile_in_files(&p->conf, k->key))
		return 0;
	if (dot && !strcmp(first, "parser") && !strcmp(dot + 1, language ? language->value : "en"))
		return 0;
	for (size_t i = 0; i < sizeof(of_makefile) / sizeof(*of_makefile); i++)
		if (!strcmp(of_makefile[i], k->key) || !strncmp(k->key, "WITH_", 5))
			return 0;
	return err_set(e, EXIT_USAGE,
		       "%s: unknown variable on the command line; heed-pipeline(7) lists "
		       "all variables",
		       k->key);
}

static bool
is_pair(const char *s)
{
	const char *dash = strchr(s, '-');

	return dash && dash > s && dash[1] && !strpbrk(dash + 1, "-") && !strpbrk(s, "/@.");
}

static int
check_folders(struct plan *p, struct err *e)
{
	const struct keyfile_entry *data = keyfile_given(&p->conf, "DATA");
	struct stat st;

	for (size_t i = 0; i < p->folders.n; i++) {
		const char *name = strrchr(p->folders.s[i], '/') + 1;

		if (stat(p->folders.s[i], &st) || !S_ISDIR(st.st_mode))
			return err_set(e, EXIT_USAGE, "DATA=%s: there is no folder %s%s",
				       data->value, p->folders.s[i],
				       p->folders.n < 2 ? ""
							: " (blanks separate folders; "
							  "names of folders must not contain "
							  "blanks)");
		for (size_t k = 0; k < i; k++)
			if (!strcmp(strrchr(p->folders.s[k], '/') + 1, name))
				return err_set(e, EXIT_USAGE,
					       "DATA=%s: two folders are called %s; expected "
					       "different names, one for each column",
					       data->value, name);
	}
	for (size_t i = 0; i < p->pairs.n; i++)
		if (!is_pair(p->pairs.s[i]))
			return err_set(e, EXIT_USAGE,
				       "PAIR=%s: %s, expected two languages, such as en-de",
				       keyfile_given(&p->conf, "PAIR")->value, p->pairs.s[i]);
	return 0;
}

/* Names of further test sets become names of files and facts. */
static int
check_also(struct plan *p, struct err *e)
{
	const struct keyfile_entry *k = keyfile_given(&p->conf, "ALSO");
	const struct list names = list_words(p->a, k ? k->value : "");

	for (size_t i = 0; i < names.n; i++) {
		const char *s = names.s[i];

		if (!strcmp(s, "train") || !strcmp(s, "dev") || !strcmp(s, "test") ||
		    s[strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				"0123456789_-")])
			return err_set(e, EXIT_USAGE, "ALSO=%s: '%s', expected names of files of "
				       "letters, digits, _ and -, other than train, dev and test",
				       k->value, s);
	}
	if (names.n && !p->folders.n)
		return err_set(e, EXIT_USAGE, "ALSO=%s: expected DATA, too", k->value);
	return 0;
}

int
given_check(struct plan *p, struct err *e)
{
	static const char *const needed[] = { "DATA", "MODELS", "PAIR", "R", "W" };
	const struct keyfile_entry *k;

	for (size_t i = 0; i < p->conf.command.n; i++) {
		const struct setting *s = find_setting(p->conf.given[i].key);

		k = &p->conf.given[i];
		if (!s && check_unknown(p, k, e))
			return -1;
		if (check_characters(k, s ? s->kind : FREE, e) ||
		    (s && s->kind <= COMMAS && check_numbers(p, k, s->kind, e)))
			return -1;
	}
	for (size_t i = 0; i < sizeof(needed) / sizeof(*needed); i++) {
		k = keyfile_given(&p->conf, needed[i]);
		if (k && !k->value[strspn(k->value, " ")])
			return err_set(e, EXIT_USAGE,
				       "%s: no value; expected one, or no %s=", k->key, k->key);
	}
	k = keyfile_given(&p->conf, "INVALID");
	if (k && strcmp(k->value, "error") && strcmp(k->value, "drop-tree"))
		return err_set(e, EXIT_USAGE, "INVALID=%s: expected error or drop-tree", k->value);
	return check_folders(p, e) || check_also(p, e) ? -1 : 0;
}
