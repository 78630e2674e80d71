/* check: checks the keys and values of a paper by the lines of src/papers.keys; see plan.h. */
#include <ctype.h>
#include <fnmatch.h>
#include <string.h>
#include <unistd.h>

#include "plan/preparation.h"

/*
 * The fields of a line: KEY, KEY.KIND, KEY[.KIND] or KEY[.PROFILE[.PAIR]]; default; example;
 * meaning; and what a value consists of: words of a KIND or of choices A|B; after "KIND!", a single
 * word; after "KIND*", the first word, and with another KIND, a second and last one.
 */
enum { FIELD_KEY, FIELD_DEFAULT, FIELD_EXAMPLE, FIELD_MEANING, FIELD_VALUE };

/* A paper that is being checked. */
struct check {
	struct plan *p;
	const struct paper *paper;
	struct list uses;		/* names in the values of all papers */
};

/*
 * Kinds of words.  from: keys that have them, "=KEY" the names of KEY.NAME, "KEY.*" the words of
 * all of these, "KEY-*" its words after KEY-, "/" sections of the grid, ":" parsers, and others
 * after "+".  Those with a prefix, without it.
 */
static const struct kind { const char *name, *from, *prefix, *expected; } kinds[] = {
	{ "ALSO", "also", "", "a table of also" },
	{ "CORPUS", "=text", "", "a corpus of text.CORPUS" },
	{ "CURVE", "posthoc", "", "a curve of posthoc" },
	{ "DATA", "data data.* statistics +plain", "", "a data preparation" },
	{ "FIGURE", "/ also maps head-maps gains-* +curves +claims", "", "a table or figure" },
	{ "MAP", "maps", "", "one of the maps" },
	{ "PARSER", ": +none", "", "none or a parser of src/forms.conf" },
	{ "PLOT", "plots", "", "one of the plots" },
	{ "SEARCH", "searches", "", "one of the searches" },
	{ "SECTION", "/", "", "a section of the grid" },
	{ "TRACE", "also", "trace-", "a table trace-NAME of also" },
	{ "VARIANT", "=variant", "", "a variant" },
};

static void
add_from(const struct check *c, const char *source, struct list *words)
{
	struct plan *p = c->p;
	struct list more = { .n = 0 };
	const char *star = strstr(source, ".*"), *dash = strstr(source, "-*");

	if (dash) {
		source = text_copy(p->a, source, (size_t)(dash - source));
		more = key_words(p, c->paper, source);
		for (size_t i = 0; i < more.n; i++)
			list_add(p->a, words, text_print(p->a, "%s-%s", source, more.s[i]));
		return;
	}
	if (*source == '+')
		list_add(p->a, words, source + 1);
	else if (*source == ':')
		more = p->forms;
	else if (*source == '=')
		more = key_names(p, c->paper, source + 1);
	else if (!star)
		more = key_words(p, c->paper, source);
	list_add_all(p->a, words, &more);
	for (size_t i = 0; *source == '/' && i < c->paper->grid.n; i++)
		list_add(p->a, words, c->paper->grid.section[i].name);
	if (!star)
		return;
	source = text_copy(p->a, source, (size_t)(star - source));
	more = key_names(p, c->paper, source);
	for (size_t i = 0; i < more.n; i++)
		add_from(c, text_print(p->a, "%s.%s", source, more.s[i]), words);
}

static const struct kind *
find_kind(const char *name)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (!strcmp(kinds[i].name, name))
			return &kinds[i];
	return NULL;
}

/* The words of a kind. */
static struct list
words_of_kind(const struct check *c, const struct kind *kind)
{
	const struct list from = list_words(c->p->a, kind->from);
	struct list all = { .n = 0 }, words = { .n = 0 };

	for (size_t i = 0; i < from.n; i++)
		add_from(c, from.s[i], &all);
	if (!strcmp(kind->name, "DATA") && *key_text(c->p, c->paper, "studied"))
		list_add(c->p->a, &all, "probe");
	for (size_t i = 0; i < all.n; i++)
		if (has_prefix(all.s[i], kind->prefix))
			list_add(c->p->a, &words, all.s[i] + strlen(kind->prefix));
	return words;
}

/* --- names of keys --- */

/* Without .PROFILE, .PROFILE.PAIR, .PAIR and @SIZE at the end; the same without one. */
static const char *
without_suffix(const struct check *c, const char *name)
{
	const char *at = strrchr(name, '@'), *dot = strrchr(name, '.');

	if (at && at[1] && !at[1 + strspn(at + 1, "0123456789")])
		return text_copy(c->p->a, name, (size_t)(at - name));
	if (dot && (list_has(&c->p->profiles, dot + 1) ||
		    (islower((unsigned char)dot[1]) && strlen(dot) == 6 && dot[3] == '-')))
		return text_copy(c->p->a, name, (size_t)(dot - name));
	return name;
}

/* The kind of name in the first field of a line, "PROFILE" or the like; "" without one. */
static const char *
kind_in(const struct check *c, const char *line)
{
	const char *name = list_field(c->p->a, line, FIELD_KEY), *dot = strchr(name, '.');

	return dot ? text_copy(c->p->a, dot + 1, strcspn(dot + 1, "[]")) : "";
}

/* Whether the line allows the key; else *kind is what its last part should have been, or NULL. */
static bool
allows(const struct check *c, const char *line, const char *name, const struct kind **kind)
{
	const size_t n = strcspn(line, "[.\t");
	const char *rest = name + n, *of = kind_in(c, line);
	const struct kind *names = find_kind(of);
	struct list words;

	if (strncmp(line, name, n) || !strchr(".@", *rest))
		return false;
	if (!strcmp(of, "PROFILE")) {
		const char *pair = strstr(list_field(c->p->a, line, FIELD_KEY), ".PAIR") ? "*-*"
											  : "";

		rest = text_copy(c->p->a, rest, strcspn(rest, "@"));
		if (*pair && strchr(rest, '-') && !fnmatch(pair, strrchr(rest, '.'), 0))
			rest = text_copy(c->p->a, rest, (size_t)(strrchr(rest, '.') - rest));
		return !*rest || list_has(&c->p->profiles, rest + 1);
	}
	if (!*rest)
		return !*of || line[n] == '[';
	if (!names)
		return *of && *rest == '.';
	words = words_of_kind(c, names);
	*kind = names;
	if (strstr(list_field(c->p->a, line, FIELD_KEY), "[.PROFILE]") && *rest == '.')
		rest = without_suffix(c, rest);
	return *rest == '.' && list_has(&words, rest + 1);
}

/* --- names in values --- */

/* The end of a name, or with all, of everything in its braces; *name: "pairs-{split}" as "pairs-*".
 */
static const char *
use_end(const char *s, bool all, struct buf *name)
{
	int depth = 0;

	buf_clear(name);
	for (; *s && (depth || (*s != '}' && (all || *s != ' '))); s++) {
		if (*s == '{' && !depth++)
			buf_add_char(name, '*');
		else if (*s == '}')
			depth--;
		else if (!depth)
			buf_add_char(name, *s);
	}
	buf_add_str(name, "");
	return s;
}

/* Adds the names in braces, also those within others; with words, also the words after them. */
static void
add_uses(struct arena *a, const char *text, bool words, struct list *uses)
{
	struct buf name = { 0 };

	for (const char *s = strchr(text, '{'); s; s = strchr(s, '{')) {
		struct list all;

		s += 1 + (strchr("?!'", s[1]) && s[1]);
		use_end(s, words, &name);
		all = list_words(a, name.data);
		for (size_t i = 0; i < all.n; i++)
			if (strcmp(all.s[i], "*"))
				list_once(a, uses, all.s[i]);
	}
	buf_release(&name);
}

/* Whether a value of a paper uses the key of that name, with or without that of the paper. */
static bool
is_key_used(const struct check *c, const char *name)
{
	const char *full = text_print(c->p->a, "%s.%s", c->paper->name, name);
	const char *shorter = without_suffix(c, name);

	for (size_t i = 0; i < c->uses.n; i++)
		if (!fnmatch(c->uses.s[i], name, 0) || !fnmatch(c->uses.s[i], full, 0))
			return true;
	return shorter != name && is_key_used(c, shorter);
}

/* Whether a file sets the key, with or without a suffix. */
static bool
is_set(const struct plan *p, const char *key)
{
	const size_t n = strlen(key);

	for (size_t i = 0; i < p->conf.files.n; i++)
		if (has_prefix(p->conf.entry[i].key, key) && strchr(".@", p->conf.entry[i].key[n]))
			return true;
	return false;
}

/* Names in braces that no file has. */
static void
check_uses(const struct check *c, const struct keyfile_entry *k)
{
	struct list uses = { .n = 0 };

	add_uses(c->p->a, k->value, false, &uses);
	for (size_t i = 0; i < uses.n; i++) {
		const char *use = uses.s[i];

		if (isalpha((unsigned char)*use) && !strchr(use, '*') && !name_known(use) &&
		    !is_key(c->p, use) && !is_set(c->p, use) &&
		    !is_set(c->p, text_print(c->p->a, "%s.%s", c->paper->name, use)))
			fault_key(c->p, k, "{%s}: there is no such key or name", use);
	}
}

/* --- values --- */

/* A preparation has its own commands or parser, or is named after a parser, or the paper has both.
 */
static bool
is_prepared(const struct check *c, const char *data)
{
	struct plan *p = c->p;

	return !strcmp(data, "plain") || list_has(&p->forms, data) ||
	       is_set(p, text_print(p->a, "%s.prepare.%s", c->paper->name, data)) ||
	       is_set(p, text_print(p->a, "%s.parse.%s", c->paper->name, data)) ||
	       (is_set(p, text_print(p->a, "%s.prepare", c->paper->name)) &&
		is_set(p, text_print(p->a, "%s.parse", c->paper->name)));
}

/* Whether a word is one of the choices; "posthoc-NAME" stands for all with this prefix. */
static bool
is_choice(const struct list *choices, const char *word)
{
	for (size_t i = 0; i < choices->n; i++) {
		const char *choice = choices->s[i], *name = strstr(choice, "NAME");

		if (name ? !strncmp(choice, word, (size_t)(name - choice)) : !strcmp(choice, word))
			return true;
	}
	return false;
}

/* What a word should be, if it is not of the kind; NULL if it is. */
static const char *
expected_instead(const struct check *c, const char *kind, const char *word)
{
	struct arena *a = c->p->a;
	const struct kind *of = find_kind(kind);
	const char *file;
	struct list words;

	if (!strcmp(kind, "CORPUS") && strchr(word, '.')) {	/* a column: a corpus and a pair */
		const char *corpus = column_corpus(a, word), *plus = strrchr(corpus, '+');

		if (!plus && is_fetched(corpus))
			return NULL;
		word = plus ? plus : corpus;
	}
	if (of) {
		words = words_of_kind(c, of);
		return list_has(&words, word) ? NULL : of->expected;
	}
	if (!strcmp(kind, "NUMBER") || !strcmp(kind, "SIZE"))
		return is_number(word) || *word == '{' || (*kind == 'S' && !strcmp(word, "all"))
			       ? NULL
			       : "a number without leading zeros";
	if (!strcmp(kind, "PREPARATION"))
		return is_prepared(c, word) ? NULL
					    : text_print(a,
							 "a preparation; %s.prepare.%s is missing",
							 c->paper->name, word);
	if (!strcmp(kind, "SOURCE")) {
		words = words_of_kind(c, find_kind("SEARCH"));
		return (has_prefix(word, "whole/") || has_prefix(word, "size/")) &&
				       list_has(&words, strchr(word, '/') + 1)
			       ? NULL
			       : "whole/SEARCH or size/SEARCH";
	}
	if (!strcmp(kind, "FILE") || !strcmp(kind, "SEARCHFILE")) {
		file = *kind == 'F' ? word
				    : text_print(a, "src/papers/%s.%s.%s", c->paper->name, word,
						 c->p->profile);
		return access(text_print(a, "%s%s", c->p->top, file), F_OK)
			       ? text_print(a, "a file %s", file)
			       : NULL;
	}
	file = text_print(a, "src/papers/%s.%s", c->paper->name, word);
	if (has_word("statistics found syntax", word) && has_prefix(kind, "statistics|") &&
	    access(text_print(a, "%s%s", c->p->top, file), F_OK)) /* with the rows of the paper */
		return text_print(a, "a file %s", file);
	words = list_split(a, kind, "|");
	return is_choice(&words, word) ? NULL
				       : text_print(a, "one of %s", list_text(a, &words));
}

/* The words of a value; or of KIND*, the first word, up to an @, and the last one. */
static void
check_value(const struct check *c, const struct keyfile_entry *k, const char *value_kinds)
{
	const struct list kinds_of = list_words(c->p->a, value_kinds);
	const struct list words = list_words(c->p->a, k->value);
	const char *one = kinds_of.n ? strchr(kinds_of.s[0], '!') : NULL;

	if (one && words.n > 1 && !strchr(k->value, '{'))
		fault_key(c->p, k, "'%s', expected one word", k->value);
	if (kinds_of.n > 1 && words.n && words.n != kinds_of.n)
		fault_key(c->p, k, "'%s', expected %zu words", k->value, kinds_of.n);
	for (size_t i = 0; kinds_of.n && i < words.n; i++) {
		const char *kind = kinds_of.s[0], *star = strchr(kind, '*'), *word = words.s[i];
		const char *expected;

		if (star && i && (kinds_of.n < 2 || i + 1 < words.n))
			continue;
		if (star && i)
			kind = kinds_of.s[1];
		else if (star) {
			kind = text_copy(c->p->a, kind, (size_t)(star - kind));
			word = text_copy(c->p->a, word, strcspn(word, "@"));
		} else if (one) {
			kind = text_copy(c->p->a, kind, (size_t)(one - kind));
		}
		expected = expected_instead(c, kind, word);
		if (expected)
			fault_key(c->p, k, "%s, expected %s", word, expected);
	}
}

static void
check_key(const struct check *c, const struct keyfile_entry *k)
{
	const char *name = k->key + strlen(c->paper->name) + 1, *line = NULL;
	const struct kind *kind = NULL;

	for (size_t i = 0; !line && i < c->p->keys.n; i++)
		if (allows(c, c->p->keys.s[i], name, &kind))
			line = c->p->keys.s[i];
	if (line)
		check_value(c, k, list_field(c->p->a, line, FIELD_VALUE));
	else if (name_known(name))
		fault_key(c->p, k, "this name stands for something that is made");
	else if (!is_key_used(c, name)) {
		fault_key(c->p, k, "unknown key%s%s", kind ? ", expected " : "",
			  kind ? kind->expected : "");
		err_hint(c->p->e,
			 "heed-pipeline(7) lists all keys; other keys are those that a value uses");
	}
	check_uses(c, k);
}

/* --- missing keys and rows --- */

static void
need_key(const struct check *c, const char *key)
{
	const struct scope s = scope_of(c->p, c->paper, NULL);

	if (!nearest_key(&s, key))
		fault(c->p, EXIT_INPUT, "%s: %s.%s: this key is missing", c->paper->file,
		      c->paper->name, key);
}

/* Tables and figures that are made from the table heads. */
static void
check_heads_table(const struct check *c)
{
	static const char *const keys[] = { "also", "head-maps" };
	const struct list also = key_words(c->p, c->paper, "also");

	for (size_t i = 0; !list_has(&also, "heads") && i < 2; i++) {
		const struct list words = key_words(c->p, c->paper, keys[i]);

		for (size_t k = 0; k < words.n; k++)
			if (has_word("kept roles layers drift fate", words.s[k]))
				fault_key(c->p, key_entry(c->p, c->paper, keys[i]),
					  "%s needs the table heads, expected also = heads %s",
					  words.s[k], list_text(c->p->a, &also));
	}
}

/* "required", "required by KEY", "required by the table", "required for each ...": of its kind */
static void
check_need(const struct check *c, const char *line)
{
	const char *usual = list_field(c->p->a, line, FIELD_DEFAULT);
	const char *key = text_copy(c->p->a, line, strcspn(line, "[.\t"));
	const struct kind *kind = find_kind(kind_in(c, line));
	const struct list also = key_words(c->p, c->paper, "also");
	struct list names = { .n = 0 };

	if (!strcmp(usual, "required") ||
	    (!strcmp(usual, "required by the table") && list_has(&also, key)) ||
	    (has_prefix(usual, "required by ") && *key_text(c->p, c->paper, usual + 12)))
		need_key(c, key);
	if (has_prefix(usual, "required for each") && kind)
		names = words_of_kind(c, kind);
	for (size_t i = 0; i < names.n; i++)
		need_key(c, text_print(c->p->a, "%s.%s", key, names.s[i]));
}

static void
check_variant(const struct check *c, const struct grid_section *s, const struct grid_row *r,
	      const char *variant)
{
	if (!list_has(&c->paper->variants, variant))
		fault(c->p, EXIT_INPUT,
		      "%ssrc/papers/%s.grid:%zu: section %s: row %s has no settings; "
		      "%s.variant.%s is missing in %s",
		      c->p->top, c->paper->name, r->line, s->name, variant, c->paper->name,
		      variant, c->paper->file);
}

static void
check_grid(const struct check *c)
{
	for (size_t i = 0; i < c->paper->grid.n; i++) {
		const struct grid_section *s = &c->paper->grid.section[i];

		for (size_t r = 0; r < s->n_rows; r++) {
			check_variant(c, s, &s->row[r], s->row[r].variant);
			for (size_t b = 0; b < s->row[r].n_bases; b++)
				check_variant(c, s, &s->row[r], s->row[r].base[b]);
		}
	}
}

void
paper_check(struct plan *p, const struct paper *paper)
{
	struct check c = { .p = p, .paper = paper };
	const char *prefix = text_print(p->a, "%s.", paper->name);

	for (size_t i = 0; i < p->conf.files.n; i++)
		add_uses(p->a, p->conf.entry[i].value, true, &c.uses);
	for (size_t i = 0; i < p->conf.files.n + p->conf.command.n; i++)
		if (has_prefix(keyfile_number(&p->conf, i)->key, prefix))
			check_key(&c, keyfile_number(&p->conf, i));
	for (size_t i = 0; i < p->keys.n; i++)
		check_need(&c, p->keys.s[i]);
	check_heads_table(&c);
	measured_check(p, paper);
	check_grid(&c);
}
