/* folders: columns, and texts and trees in the folders of DATA; see plan.h. */
#include <glob.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/escape.h"
#include "base/regular.h"
#include "parser/parser-file.h"
#include "plan/plan.h"

const char *const split_names[3] = { "train", "dev", "test" };
const char *const side_names[2] = { "src", "tgt" };
static const char *const packed[] = { "", ".gz", ".xz", ".zst", ".bz2" };
enum { N_PACKED = 5 };

/* --- columns --- */

const char *
column_size(const char *column)
{
	const char *at = strrchr(column, '@');

	return at && at[1] && !at[1 + strspn(at + 1, "0123456789.")] ? at + 1 : NULL;
}

const char *
column_whole(struct arena *a, const char *column)
{
	const char *size = column_size(column);

	return size ? text_copy(a, column, (size_t)(size - 1 - column)) : column;
}

const char *
column_pair(struct arena *a, const char *column)
{
	const char *whole = column_whole(a, column), *dot = strrchr(whole, '.');

	return dot ? dot + 1 : "";
}

const char *
column_corpus(struct arena *a, const char *column)
{
	const char *whole = column_whole(a, column), *dot = strrchr(whole, '.');

	return dot ? text_copy(a, whole, (size_t)(dot - whole)) : whole;
}

const char *
column_language(struct arena *a, const char *column, const char *side)
{
	const char *pair = column_pair(a, column), *dash = strchr(pair, '-');

	if (!dash)
		return pair;
	return !strcmp(side, "tgt") ? dash + 1 : text_copy(a, pair, (size_t)(dash - pair));
}

bool
is_fetched(const char *corpus)
{
	return has_word("help manpages wesnoth orders", corpus);
}

/* --- files --- */

struct list
lines_of_file(struct arena *a, const char *path)
{
	struct list lines = { .n = 0 };
	struct err ignored;

	if (!regular_check(path, &ignored) && lines_read(a, path, 0, &lines, &ignored))
		lines.n = 0;
	return lines;
}

const char *
text_of_file(struct arena *a, const char *path)
{
	const struct list lines = lines_of_file(a, path);

	return lines.n || !access(path, R_OK) ? list_text(a, &lines) : NULL;
}

bool
file_has_words(struct arena *a, const char *path, const char *text)
{
	const char *old = text_of_file(a, path);
	const struct list has = list_words(a, old ? old : ""), words = list_words(a, text);

	return old && !strcmp(list_text(a, &has), list_text(a, &words));
}

struct list
files_like(struct arena *a, const char *folder, const char *pattern)
{
	struct list files = { .n = 0 };
	struct buf path = { 0 };
	glob_t g;

	escape_glob(&path, folder);
	buf_add_str(&path, pattern);
	if (!glob(path.data, 0, NULL, &g))
		for (size_t i = 0; i < g.gl_pathc; i++)
			list_add(a, &files, text_copy(a, g.gl_pathv[i], strlen(g.gl_pathv[i])));
	globfree(&g);
	buf_release(&path);
	return files;
}

static const char *
cksum(struct arena *a, const char *path)
{
	uint64_t size;
	uint32_t crc;
	struct err e;

	if (regular_cksum(path, &crc, &size, &e))
		return "";
	return text_print(a, "%u %llu", crc, (unsigned long long)size);
}

/*
 * Lines "PATH SIZE INODE TIME<tab>SUM" of the files that a plan has read, so that the next one does
 * not read them again; not of one that has just changed, since it may change within the same time.
 */
const char *
file_sum(struct plan *p, const char *path)
{
	const char *known = text_print(p->a, "%s ", path), *key, *sum;
	struct stat st;
	size_t place;

	if (stat(path, &st))
		return "";
	key = text_print(p->a, "%s %lld %lld %lld.%09ld\t", path, (long long)st.st_size,
			 (long long)st.st_ino, (long long)st.st_ctim.tv_sec, st.st_ctim.tv_nsec);
	if (!p->sums.n) {
		p->sums = lines_of_file(p->a, text_print(p->a, "%s/cksums", p->work));
		list_add(p->a, &p->sums, "");
	}
	for (place = 0; place < p->sums.n && !has_prefix(p->sums.s[place], known); place++)
		;
	if (place < p->sums.n && has_prefix(p->sums.s[place], key))
		return p->sums.s[place] + strlen(key);
	sum = cksum(p->a, path);
	if (place == p->sums.n)
		list_add(p->a, &p->sums, "");
	p->sums.s[place] = *sum && st.st_ctim.tv_sec + 2 < time(NULL)
				   ? text_print(p->a, "%s%s", key, sum) : "";
	return sum;
}

/* A word of a shell. */
static const char *
quoted_for_shell(struct plan *p, const char *text)
{
	struct scope s = { .p = p };

	scope_set(&s, "text", text);
	return expanded(&s, "{'text}");
}

/* The folder of DATA with the corpus of the column, or NULL. */
static const char *
folder_of(const struct scope *s)
{
	const char *corpus = column_corpus(s->p->a, scope_get(s, "column"));

	for (size_t i = 0; i < s->p->folders.n; i++)
		if (!strcmp(strrchr(s->p->folders.s[i], '/') + 1, corpus))
			return s->p->folders.s[i];
	return NULL;
}

struct list
other_tests(const struct scope *s)
{
	return list_words(s->p->a, folder_of(s) ? given(s->p, "ALSO") : "");
}

/* The names that the files of a split may have, without the language. */
static struct list
names_of(const struct scope *s, const char *split)
{
	static const char *const names[][3] = { { "train", "TRAIN", "train" },
						{ "dev", "DEV", "dev val valid" },
						{ "test", "TEST", "test test*" } };
	int i = 0;

	while (i < 3 && strcmp(names[i][0], split))
		i++;
	if (i == 3)
		return list_words(s->p->a, split);
	return list_words(s->p->a, *given(s->p, names[i][1]) ? given(s->p, names[i][1])
							     : names[i][2]);
}

/* --- texts --- */

/* The languages of the files of a split, for a message: those of texts, not of trees. */
static struct list
languages(const struct scope *s, const struct list *names)
{
	struct arena *a = s->p->a;
	struct list found = { .n = 0 };

	for (size_t i = 0; i < names->n; i++) {
		const struct list files =
			files_like(a, folder_of(s), text_print(a, "/%s.*", names->s[i]));

		for (size_t f = 0; f < files.n; f++) {
			const char *name = strrchr(files.s[f], '/') + 1, *dot;

			for (size_t z = 1; z < N_PACKED; z++) {
				const size_t n = strlen(name), m = strlen(packed[z]);

				if (n > m && !strcmp(name + n - m, packed[z]))
					name = text_copy(a, name, n - m);
			}
			dot = strrchr(name, '.');
			if (dot && strcmp(dot, ".conllu") && strcmp(dot, ".ptb"))
				list_add(a, &found, dot + 1);
		}
	}
	list_sort(&found);
	return found;
}

static void
no_text(const struct scope *s, const struct list *names, const struct list *patterns)
{
	struct arena *a = s->p->a;
	const struct list found = languages(s, names);
	const char *pair =
		found.n == 2 ? text_print(a, "%s-%s", found.s[0], found.s[1]) : "";

	fault(s->p, EXIT_INPUT, "no text, expected one of these files: %s%s",
	      list_text(a, patterns),
	      found.n < 2 ? ""
			  : text_print(a, "; found texts in %.100s: PAIR=%s?",
				       list_text(a, &found), pair));
}

/* The length of the name of a text without its language and compression: that of "toy/dev". */
static size_t
stem_length(const struct scope *s, const char *file, const char *side)
{
	const char *language = column_language(s->p->a, scope_get(s, "column"), side);
	const size_t n = strlen(file);

	for (int z = 0; z < N_PACKED; z++) {
		const char *suffix = text_print(s->p->a, ".%s%s", language, packed[z]);

		if (n > strlen(suffix) && !strcmp(file + n - strlen(suffix), suffix))
			return n - strlen(suffix);
	}
	return n;
}

/* Both sides of a text have one name: dev.en and val.de may have other sentences. */
static void
check_sides(const struct scope *s, const char *tgt)
{
	struct scope other = *s;
	const char *src;
	size_t n;

	scope_know(&other, "side", "src");
	src = text_find(&other);
	n = stem_length(s, src, "src");
	if (*src && (n != stem_length(s, tgt, "tgt") || strncmp(src, tgt, n)))
		fault(s->p, EXIT_INPUT,
		      "%s and %s: expected texts with the same name, or the name without the "
		      "language as TRAIN, DEV or TEST",
		      src, tgt);
}

const char *
text_find(const struct scope *s)
{
	struct arena *a = s->p->a;
	const char *split = scope_get(s, "split");
	const char *language = column_language(a, scope_get(s, "column"), scope_get(s, "side"));
	const struct list names = names_of(s, split);
	struct list patterns = { .n = 0 }, found = { .n = 0 };

	for (size_t i = 0; i < names.n; i++)
		for (size_t z = 0; z < N_PACKED; z++) {
			const char *name =
				text_print(a, "/%s.%s%s", names.s[i], language, packed[z]);
			const struct list files = files_like(a, folder_of(s), name);

			list_add(a, &patterns, text_print(a, "%s%s", folder_of(s), name));
			list_add_all(a, &found, &files);
		}
	if (!found.n) {
		no_text(s, &names, &patterns);
		return "";
	}
	if (!list_has(&patterns, found.s[0])) {
		list_sort(&found);
		if (found.n > 1)
			fault(s->p, EXIT_INPUT,
			      "several files for %s: %s, expected one, or its name without the "
			      "language as TRAIN, DEV or TEST",
			      split, list_text(a, &found));
	}
	if (!strcmp(scope_get(s, "side"), "tgt"))
		check_sides(s, found.s[0]);
	return found.s[0];
}

/* --- trees --- */

/* The file with own trees of a kind, "conllu" or "ptb", or NULL. */
static const char *
trees_file(const struct scope *s, const char *split, const char *side, const char *kind)
{
	struct arena *a = s->p->a;
	const char *folder = folder_of(s);
	const struct list names = names_of(s, split);

	for (size_t i = 0; folder && i < names.n; i++) {
		const char *language = column_language(a, scope_get(s, "column"), side);

		for (size_t z = 0; z < N_PACKED; z++) {
			const struct list files =
				files_like(a, folder, text_print(a, "/%s.%s.%s%s", names.s[i],
								 language, kind, packed[z]));

			if (files.n)
				return files.s[0];
		}
	}
	return NULL;
}

static const char *
reader(const struct scope *s, const char *split, const char *side, const char *kind)
{
	const char *file = trees_file(s, split, side, kind);

	return !file ? NULL
		     : text_print(s->p->a, "%s2heed --align char --side %s%s -p %s", kind, side,
				  strcmp(given(s->p, "INVALID"), "drop-tree")
					  ? ""
					  : " --invalid drop-tree",
				  quoted_for_shell(s->p, file));
}

const char *
trees_command(const struct scope *s, const char *side)
{
	const char *split = scope_get(s, "split") ? scope_get(s, "split") : "train";
	const char *conllu = reader(s, split, side, "conllu"), *ptb = reader(s, split, side, "ptb");

	if (!conllu)
		return ptb ? ptb : "";
	return ptb ? text_print(s->p->a, "%s | %s", conllu, ptb)
		   : text_print(s->p->a, "%s --upos | dep2const --side %s", conllu, side);
}

const char *
trees_sums(const struct scope *s)
{
	struct list sums = { .n = 0 };

	for (int i = 0; i < 4; i++) {
		const char *file = trees_file(s, scope_get(s, "split"), side_names[i / 2],
					      i % 2 ? "ptb" : "conllu");

		if (file)
			list_add(s->p->a, &sums, file_sum(s->p, file));
	}
	return list_text(s->p->a, &sums);
}

static const char *
kinds_of(const struct scope *s, const char *split, const char *side)
{
	const bool ptb = trees_file(s, split, side, "ptb");

	return trees_file(s, split, side, "conllu") ? ptb ? "conllu ptb" : "conllu"
	       : ptb				    ? "ptb"
						    : "";
}

void
trees_check(struct plan *p)
{
	for (size_t i = 0; p->folders.n && i < p->columns.n; i++) {
		const struct scope s = scope_of(p, NULL, p->columns.s[i]);
		struct list splits = other_tests(&s);

		list_add(p->a, &splits, "dev");
		list_add(p->a, &splits, "test");
		for (size_t k = 0; k < 2 * splits.n; k++) {
			const char *split = splits.s[k / 2], *side = side_names[k % 2];
			const char *language = column_language(p->a, p->columns.s[i], side);
			const char *found = kinds_of(&s, split, side);
			const char *expected = kinds_of(&s, "train", side);

			if (strcmp(found, expected))
				fault(p, EXIT_INPUT,
				      "%s: the trees of %s.%s are '%s', expected those of "
				      "train.%s: '%s'",
				      folder_of(&s), split, language, found, language, expected);
		}
	}
}

/* --- parsers --- */

const char *
parser_file(const struct scope *s, const char *side, bool *trained)
{
	struct arena *a = s->p->a;
	const char *language = column_language(a, scope_get(s, "column"), side);
	const char *file = text_print(a, "%scommon/parser/models/%s.parser", s->p->top, language);

	*trained = access(file, R_OK) != 0;
	if (!*trained)
		return file;
	file = text_print(a, "%s/%s.parser", setting(s->p, "MODELS"), language);
	return *setting(s->p, "MODELS") && !access(file, R_OK) ? file : NULL;
}

/* The labels that a parser predicts: "upos rel span"; none if it cannot be read. */
static struct list
predicted(struct plan *p, const char *file)
{
	static const char *const set[LABEL_SETS] = { "upos", "xpos", "rel", "span" };
	struct list found = { .n = 0 };
	struct parser parser = { 0 };
	struct err ignored;
	struct bundle_in *b = parser_read(&parser, file, false, &ignored);

	for (int i = 0; b && i < LABEL_SETS; i++)
		if (parser.network->labels[i].n)
			list_add(p->a, &found, set[i]);
	if (b)
		bundle_in_drop(b);
	parser_release(&parser);
	return found;
}

const char *
parser_phrases(const struct scope *s, const char *side)
{
	struct arena *a = s->p->a;
	bool trained;
	const char *parser = parser_file(s, side, &trained);
	struct list found = { .n = 0 };

	if (!strcmp(column_language(a, scope_get(s, "column"), side), "en"))
		return "";
	if (parser)
		found = predicted(s->p, parser);
	if (!found.n)
		found = list_words(a, "upos rel");
	if (list_has(&found, "span"))
		return "";
	return text_print(a, "%s| dep2const --side %s",
			  list_has(&found, "upos") && !strcmp(side, "src") ? "--upos " : "", side);
}
