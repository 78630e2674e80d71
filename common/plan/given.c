/* given: checks the settings of the command line, and those that a ledger stores; see plan.h. */
#include <string.h>
#include <sys/stat.h>

#include "plan/plan.h"

/*
 * The settings by what their values may have: a number, numbers separated by blanks or commas, one
 * word or several, names of files with wildcards, and options.  Values of all but RUN and RUN_ONE
 * become names of files and targets; pipeline.mk itself refuses what a shell would run.
 */
enum kind { NUMBER, POSITIVE, NUMBERS, COMMAS, WORD, LIST, GLOB, OPTIONS, FREE, KINDS };
static const char *const settings[KINDS] = {
	[NUMBER] = " BLEU_SENTENCES LAYERS SENTENCES SHAPLEY UPDATES VALIDATE WALK ",
	[POSITIVE] = " BATCH BEAM MERGES SLOTS THREADS ",
	[NUMBERS] = " MORE_SEEDS SEEDS SIZES ",
	[COMMAS] = " SEARCH_RUNGS SEARCH_SEEDS ",
	[WORD] = " ALIGN INVALID LANGUAGE MODELS PROFILE R RUN_NAME W ",
	[LIST] = " ALSO CORPUS DATA MODEL PAIR SYSTEMS TABLES TREEBANKS TREEBANK_DEV ",
	[GLOB] = " DEV TEST TRAIN ",
	[OPTIONS] = " ARCH GATING RECIPE SIZE TUNE ",
	[FREE] = " DRAFTS GREEDY RUN RUN_ONE V ",
};
/* Characters that these values cannot have. */
static const char *const refused[KINDS] = {
	"", "", "", "", "=%:*?[]", "=%:*?[]", "=%:/", "*?[]", "",
};
static const char of_makefile[] = " CC CFLAGS CPPFLAGS LDFLAGS LDLIBS KERNEL_FLAGS MODE PREFIX "
				  "BINDIR MANDIR HARDEN ";

static void
check_characters(struct plan *p, const struct keyfile_entry *k, enum kind kind)
{
	const char *bad = strpbrk(k->value, refused[kind]);

	if (bad || (strchr(k->value, ' ') && (kind == NUMBER || kind == COMMAS || kind == WORD)))
		fault(p, EXIT_USAGE,
		      "%s: %s cannot be used; expected a value without blanks, quotes, "
		      "wildcards and other characters that a shell or make interprets",
		      k->key, bad ? text_print(p->a, "character %c", *bad) : "a blank");
}

bool
is_number(const char *s)
{
	return *s && !s[strspn(s, "0123456789")] && (*s != '0' || !s[1]);
}

static void
check_numbers(struct plan *p, const struct keyfile_entry *k, enum kind kind)
{
	const struct list words = list_split(p->a, k->value, kind == COMMAS ? ", \t" : " \t");

	for (size_t i = 0; i < words.n; i++)
		if (!is_number(words.s[i]) &&
		    (strcmp(k->key, "SIZES") || strcmp(words.s[i], "all")))
			fault(p, EXIT_USAGE, "%s=%s: expected %s, without leading zeros", k->key,
			      k->value,
			      kind == NUMBERS  ? "numbers separated by spaces"
			      : kind == COMMAS ? "numbers separated by commas"
					       : "a number");
	if (kind == POSITIVE && (words.n != 1 || !strcmp(words.s[0], "0")))
		fault(p, EXIT_USAGE, "%s=%s: expected a number of 1 or more", k->key, k->value);
	if (!words.n && strstr(k->key, "SEEDS") && kind == NUMBERS)
		fault(p, EXIT_USAGE, "%s: no value, expected one or more numbers", k->key);
}

/* Keys of papers are checked with their papers; parsers by their names. */
static void
check_unknown(struct plan *p, const struct keyfile_entry *k)
{
	const char *dot = strchr(k->key, '.');
	const char *language = *given(p, "LANGUAGE") ? given(p, "LANGUAGE") : "en";

	if (dot ? !plan_paper(p, text_copy(p->a, k->key, (size_t)(dot - k->key))) &&
		  (!has_prefix(k->key, "parse.") || !keyfile_in_files(&p->conf, k->key)) &&
		  (!has_prefix(k->key, "parser.") || strcmp(dot + 1, language))
		: !has_word(of_makefile, k->key) && !has_prefix(k->key, "WITH_"))
		fault(p, EXIT_USAGE,
		      "%s: unknown variable on the command line; heed-pipeline(7) lists all "
		      "variables",
		      k->key);
}

static bool
is_pair(const char *s)
{
	const char *dash = strchr(s, '-');

	return dash && dash > s && dash[1] && !strpbrk(dash + 1, "-") && !strpbrk(s, "/@.");
}

static void
check_data(struct plan *p)
{
	struct stat st;

	for (size_t i = 0; i < p->folders.n; i++) {
		if (stat(p->folders.s[i], &st) || !S_ISDIR(st.st_mode))
			fault(p, EXIT_USAGE, "DATA=%s: there is no folder %s%s", given(p, "DATA"),
			      p->folders.s[i],
			      p->folders.n < 2 ? ""
					       : " (blanks separate folders; names of folders "
						 "must not contain blanks)");
		if (column_size(p->corpora.s[i]))
			fault(p, EXIT_USAGE,
			      "DATA=%s: the name %s is that of a sample of %s pairs, "
			      "expected a name that does not end with @ and a number",
			      given(p, "DATA"), p->corpora.s[i], column_size(p->corpora.s[i]));
		for (size_t k = 0; k < i; k++)
			if (!strcmp(p->corpora.s[k], p->corpora.s[i]))
				fault(p, EXIT_USAGE,
				      "DATA=%s: two folders are called %s; expected different "
				      "names, one for each column",
				      given(p, "DATA"), p->corpora.s[i]);
	}
	for (size_t i = 0; i < p->pairs.n; i++)
		if (!is_pair(p->pairs.s[i]))
			fault(p, EXIT_USAGE, "PAIR=%s: %s, expected two languages, such as en-de",
			      given(p, "PAIR"), p->pairs.s[i]);
	for (size_t i = 0; !p->draw && !p->folders.n && i < p->corpora.n; i++)
		if (!is_fetched(p->corpora.s[i]))
			fault(p, EXIT_USAGE,
			      "CORPUS=%s: %s, expected help, manpages, wesnoth or orders; "
			      "DATA=folder is your own corpus",
			      given(p, "CORPUS"), p->corpora.s[i]);
}

/* Names of further test sets become names of files and facts. */
static void
check_also(struct plan *p)
{
	const struct list names = list_words(p->a, given(p, "ALSO"));

	for (size_t i = 0; i < names.n; i++)
		if (has_word(" train dev test ", names.s[i]) ||
		    names.s[i][strspn(names.s[i], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRST"
						  "UVWXYZ0123456789_-")])
			fault(p, EXIT_USAGE,
			      "ALSO=%s: '%s', expected names of files of letters, digits, _ and "
			      "-, other than train, dev and test",
			      given(p, "ALSO"), names.s[i]);
	for (size_t i = 0; i < names.n; i++)
		for (size_t k = 0; k < i; k++)
			if (!strcmp(names.s[k], names.s[i]))
				fault(p, EXIT_USAGE, "ALSO=%s: '%s' is given twice",
				      given(p, "ALSO"), names.s[i]);
	if (names.n && !p->folders.n)
		fault(p, EXIT_USAGE, "ALSO=%s: expected DATA, too", given(p, "ALSO"));
}

static void
check_setting(struct plan *p, const struct keyfile_entry *k)
{
	enum kind kind = 0;

	while (kind < KINDS && !has_word(settings[kind], k->key))
		kind++;
	if (kind == KINDS) {
		check_unknown(p, k);
		return;
	}
	check_characters(p, k, kind);
	if (kind <= COMMAS)
		check_numbers(p, k, kind);
	if (!k->value[strspn(k->value, " ")] &&
	    has_word(" DATA MODELS PAIR R UPDATES VALIDATE W ", k->key))
		fault(p, EXIT_USAGE, "%s: no value; expected one, or no %s=", k->key, k->key);
}

void
given_check(struct plan *p)
{
	for (size_t i = 0; i < p->conf.command.n && !p->bad; i++) {
		const struct keyfile_entry *k = &p->conf.given[i];

		check_setting(p, k);
		if (p->bad && k->file) {	/* a setting that the ledger stores */
			err_wrap(p->e, "%s:%zu", k->file, k->line);
			p->e->status = EXIT_INPUT;
		}
	}
	if (*given(p, "INVALID") && !has_word(" error drop-tree ", given(p, "INVALID")))
		fault(p, EXIT_USAGE, "INVALID=%s: expected error or drop-tree",
		      given(p, "INVALID"));
	check_data(p);
	check_also(p);
}
