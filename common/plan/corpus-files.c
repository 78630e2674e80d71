/* corpus-files: texts and trees in the folders of DATA; see plan.h. */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "plan/plan.h"

static const char *const packed[] = { "", ".gz", ".xz", ".zst", ".bz2" };

/* --- files --- */

/* Adds the files that match a pattern, in the order of their names. */
static void
add_matches(struct arena *a, const char *pattern, struct list *files)
{
	glob_t g;

	if (!glob(pattern, 0, NULL, &g))
		for (size_t i = 0; i < g.gl_pathc; i++)
			list_add(a, files, text_copy(a, g.gl_pathv[i], strlen(g.gl_pathv[i])));
	globfree(&g);
}

/* A word of a shell. */
static const char *
quoted(struct arena *a, const char *s)
{
	struct buf b = { 0 };

	add_quoted(&b, s);
	return text_take(a, &b);
}

/* "CRC SIZE" of a file, as the command cksum prints them. */
static const char *
cksum(struct arena *a, const char *path)
{
	FILE *f = fopen(path, "rb");
	char part[8192];
	uint32_t crc = 0;
	uint64_t size = 0;
	size_t n;

	if (!f)
		return "";
	for (; (n = fread(part, 1, sizeof(part), f)); size += n)
		crc = cksum_add(crc, part, n);
	fclose(f);
	return text_print(a, "%u %llu", cksum_end(crc, size), (unsigned long long)size);
}

/* The folder of DATA with the corpus of a column, or NULL. */
static const char *
folder_of(const struct scope *s)
{
	const char *corpus = column_corpus(s->p->a, s->column);

	for (size_t i = 0; i < s->p->folders.n; i++)
		if (!strcmp(strrchr(s->p->folders.s[i], '/') + 1, corpus))
			return s->p->folders.s[i];
	return NULL;
}

struct list
other_tests(const struct scope *s)
{
	const struct keyfile_entry *k = keyfile_given(&s->p->conf, "ALSO");

	return list_words(s->p->a, k && folder_of(s) ? k->value : "");
}

/* The names that the files of a split may have, without the language. */
static struct list
names_of(const struct scope *s, const char *split)
{
	const char *setting[] = { "TRAIN", "DEV", "TEST" };
	const char *names[] = { "train", "dev val valid", "test test*" };
	const struct keyfile_entry *k;
	int i = 0;

	while (i < 3 && strcmp(split_names[i], split))
		i++;
	if (i == 3)
		return list_words(s->p->a, split);
	k = keyfile_given(&s->p->conf, setting[i]);
	return list_words(s->p->a, k && *k->value ? k->value : names[i]);
}

/* --- texts --- */

/* The languages of the files of a split, for a message: those of texts, not of trees. */
static struct list
languages(const struct scope *s, const struct list *names)
{
	struct arena *a = s->p->a;
	struct list files = { .n = 0 }, found = { .n = 0 };

	for (size_t i = 0; i < names->n; i++)
		add_matches(a, text_print(a, "%s/%s.*", folder_of(s), names->s[i]), &files);
	for (size_t i = 0; i < files.n; i++) {
		const char *name = strrchr(files.s[i], '/') + 1, *dot;

		for (size_t z = 1; z < 5; z++) {
			const size_t n = strlen(name), m = strlen(packed[z]);

			if (n > m && !strcmp(name + n - m, packed[z]))
				name = text_copy(a, name, n - m);
		}
		dot = strrchr(name, '.');
		if (dot && strcmp(dot, ".conllu") && strcmp(dot, ".ptb"))
			list_add(a, &found, dot + 1);
	}
	list_sort(&found);
	return found;
}

static int
no_text(const struct scope *s, const struct list *names, const struct list *patterns, struct err *e)
{
	const struct list found = languages(s, names);
	char hint[160] = "";

	if (found.n > 1)
		snprintf(hint, sizeof(hint), "; found texts in %.100s: PAIR=%s?",
			 list_text(s->p->a, &found),
			 found.n > 2 ? "" : text_print(s->p->a, "%s-%s", found.s[0], found.s[1]));
	return err_set(e, EXIT_INPUT, "no text, expected one of these files: %s%s",
		       list_text(s->p->a, patterns), hint);
}

int
text_find(const struct scope *s, const char **file, const char **sum, struct err *e)
{
	struct arena *a = s->p->a;
	const struct list names = names_of(s, s->split);
	struct list patterns = { .n = 0 }, found = { .n = 0 };

	for (size_t i = 0; i < names.n; i++)
		for (size_t z = 0; z < 5; z++)
			list_add(a, &patterns,
				 text_print(a, "%s/%s.%s%s", folder_of(s), names.s[i],
					    column_language(a, s->column, s->side), packed[z]));
	for (size_t i = 0; i < patterns.n; i++)
		add_matches(a, patterns.s[i], &found);
	if (!found.n)
		return no_text(s, &names, &patterns, e);
	if (!list_has(&patterns, found.s[0])) {
		list_sort(&found);
		if (found.n > 1)
			return err_set(e, EXIT_INPUT,
				       "several files for %s: %s, expected one, or its "
				       "name without the language as TRAIN, DEV or TEST",
				       s->split, list_text(a, &found));
	}
	*file = quoted(a, found.s[0]);
	*sum = cksum(a, found.s[0]);
	return 0;
}

/* --- trees --- */

/* The file with own trees of a kind, "conllu" or "ptb", or NULL. */
static const char *
trees_file(const struct scope *s, const char *split, const char *kind)
{
	struct arena *a = s->p->a;
	struct list names, found = { .n = 0 };

	if (!folder_of(s))
		return NULL;
	names = names_of(s, split);
	for (size_t i = 0; i < names.n; i++)
		add_matches(a,
			    text_print(a, "%s/%s.%s.%s*", folder_of(s), names.s[i],
				       column_language(a, s->column, s->side), kind),
			    &found);
	return found.n ? found.s[0] : NULL;
}

static const char *
reader(const struct scope *s, const char *program, const char *kind)
{
	const char *file = trees_file(s, s->split, kind);
	const struct keyfile_entry *k = keyfile_given(&s->p->conf, "INVALID");

	return !file ? NULL
		     : text_print(s->p->a, "%s --align char --side %s%s -p %s", program, s->side,
				  k && !strcmp(k->value, "drop-tree") ? " --invalid drop-tree" : "",
				  quoted(s->p->a, file));
}

const char *
trees_command(const struct scope *s)
{
	const char *conllu = s->split ? reader(s, "conllu2heed", "conllu") : NULL;
	const char *ptb = s->split ? reader(s, "ptb2heed", "ptb") : NULL;

	if (!s->split) { /* whether there are any */
		struct scope train = *s;

		train.split = "train";
		return trees_command(&train);
	}
	if (!conllu)
		return ptb ? ptb : "";
	return ptb ? text_print(s->p->a, "%s | %s", conllu, ptb)
		   : text_print(s->p->a, "%s --upos | dep2const --side %s", conllu, s->side);
}

const char *
trees_sums(const struct scope *s)
{
	static const char *const sides[] = { "src", "tgt" }, *const kinds[] = { "conllu", "ptb" };
	struct list sums = { .n = 0 };
	struct scope of = *s;

	for (int i = 0; i < 4; i++) {
		const char *file;

		of.side = sides[i / 2];
		file = trees_file(&of, s->split, kinds[i % 2]);
		if (file)
			list_add(s->p->a, &sums, cksum(s->p->a, file));
	}
	return list_text(s->p->a, &sums);
}

static const char *
kinds_of(const struct scope *s, const char *split)
{
	const bool conllu = trees_file(s, split, "conllu"), ptb = trees_file(s, split, "ptb");

	return conllu ? ptb ? "conllu ptb" : "conllu" : ptb ? "ptb" : "";
}

/* Whether a split has trees of the same kinds as the training set. */
static int
check_kinds(struct scope *s, const char *split, const char *side, struct err *e)
{
	const char *language = column_language(s->p->a, s->column, side), *kinds;

	s->side = side;
	kinds = kinds_of(s, split);
	if (!strcmp(kinds_of(s, "train"), kinds))
		return 0;
	return err_set(e, EXIT_INPUT,
		       "%s: the trees of %s.%s are '%s', expected those of train.%s: '%s'",
		       folder_of(s), split, language, kinds, language,
		       kinds_of(s, "train"));
}

int
trees_check(struct plan *p, struct err *e)
{
	struct scope s = { .p = p };

	for (size_t i = 0; p->folders.n && i < p->columns.n; i++) {
		struct list splits;

		s.column = p->columns.s[i];
		splits = other_tests(&s);
		list_add(p->a, &splits, split_names[1]);
		list_add(p->a, &splits, split_names[2]);
		for (size_t k = 0; k < splits.n; k++)
			if (check_kinds(&s, splits.s[k], "src", e) ||
			    check_kinds(&s, splits.s[k], "tgt", e))
				return -1;
	}
	return 0;
}

/* --- parsers --- */

const char *
parser_file(const struct scope *s, bool *trained)
{
	struct arena *a = s->p->a;
	const struct keyfile_entry *k = keyfile_find(&s->p->conf, "MODELS");
	const char *language = column_language(a, s->column, s->side);
	const char *file = text_print(a, "%scommon/parser/models/%s.parser", s->p->top, language);

	*trained = access(file, R_OK) != 0;
	if (!*trained)
		return file;
	file = k ? text_print(a, "%s/%s.parser", k->value, language) : NULL;
	return file && !access(file, R_OK) ? file : NULL;
}

/* What a parser predicts, from the list of its labels: "upos rel span". */
static const char *
predicted(struct arena *a, const char *parser)
{
	const char *command = text_print(a,
					 "nmt-info %s 2> /dev/null | sed -n 's/^labels[.]"
					 "\\([a-z]*\\)\t[1-9].*/\\1/p' | xargs",
					 quoted(a, parser));
	FILE *f = popen(command, "r");
	char line[256] = "";
	const char *text;

	if (!f)
		return "";
	if (!fgets(line, sizeof(line), f))
		*line = '\0';
	pclose(f);
	text = text_copy(a, line, strcspn(line, "\n"));
	return text;
}

const char *
parser_phrases(const struct scope *s)
{
	struct arena *a = s->p->a;
	bool trained;
	const char *parser = parser_file(s, &trained), *words = "";
	struct list found;

	if (!strcmp(column_language(a, s->column, s->side), "en"))
		return "";
	if (parser)
		words = predicted(a, parser);
	found = list_words(a, *words ? words : "upos rel");
	if (list_has(&found, "span"))
		return "";
	return text_print(a, "%s| dep2const --side %s",
			  list_has(&found, "upos") && !strcmp(s->side, "src") ? "--upos " : "",
			  s->side);
}
