/* paper: checks the keys and values of a paper; see plan.h. */
#include <ctype.h>
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "plan/paper-check.h"

/* --- words of keys --- */

/* Calls add for each key of the paper, its name without that of the paper. */
static int
each_key(const struct check *c,
	 int (*f)(const struct check *, const struct keyfile_entry *, const char *name))
{
	const size_t n = strlen(c->paper->name);
	const struct keyfile *conf = &c->p->conf;

	for (size_t i = 0; i < conf->files.n + conf->command.n; i++) {
		const struct keyfile_entry *k =
			i < conf->files.n ? &conf->entry[i] : &conf->given[i - conf->files.n];

		if (!strncmp(k->key, c->paper->name, n) && k->key[n] == '.' &&
		    f(c, k, k->key + n + 1))
			return -1;
	}
	return 0;
}

struct list
paper_names(struct plan *p, const struct paper *paper, const char *key)
{
	const char *prefix = text_print(p->a, "%s.%s.", paper->name, key);
	struct list names = { .n = 0 };

	for (size_t i = 0; i < p->conf.files.n; i++)
		if (!strncmp(p->conf.entry[i].key, prefix, strlen(prefix)))
			list_add(p->a, &names, p->conf.entry[i].key + strlen(prefix));
	for (size_t i = 0; i < p->conf.command.n; i++)
		if (!strncmp(p->conf.given[i].key, prefix, strlen(prefix)))
			list_once(p->a, &names, p->conf.given[i].key + strlen(prefix));
	return names;
}

const struct keyfile_entry *
entry_of(const struct plan *p, const struct paper *paper, const char *key)
{
	return keyfile_find(&p->conf, text_print(p->a, "%s.%s", paper->name, key));
}

struct list
paper_words(struct plan *p, const struct paper *paper, const char *key)
{
	const struct keyfile_entry *k = entry_of(p, paper, key);

	return list_words(p->a, k ? k->value : "");
}

/* The values of KEY and of all keys KEY.NAME. */
static struct list
all_values(const struct check *c, const char *key)
{
	struct list values = paper_words(c->p, c->paper, key);
	const struct list names = paper_names(c->p, c->paper, key);

	for (size_t i = 0; i < names.n; i++) {
		const struct list more =
			paper_words(c->p, c->paper, text_print(c->p->a, "%s.%s", key, names.s[i]));

		for (size_t k = 0; k < more.n; k++)
			list_add(c->p->a, &values, more.s[k]);
	}
	return values;
}

/* --- names of keys --- */

/* The names that a key may have after its first dot; *any: all. */
static struct list
names_for(const struct check *c, const char *kind, bool *any)
{
	const bool studied = entry_of(c->p, c->paper, "studied");
	struct list names = { .n = 0 }, also;

	*any = !strcmp(kind, "NAME");
	if (!strcmp(kind, "VARIANT"))
		return c->variants;
	if (!strcmp(kind, "SEARCH") || !strcmp(kind, "SECTION") || !strcmp(kind, "MAP"))
		return paper_words(c->p, c->paper,
				   *kind == 'M'	    ? "maps"
				   : kind[2] == 'A' ? "searches"
						    : "plots");
	if (!strcmp(kind, "PROFILE"))
		return c->p->profiles;
	if (!strcmp(kind, "TRACE")) {
		also = paper_words(c->p, c->paper, "also");
		for (size_t i = 0; i < also.n; i++)
			if (!strncmp(also.s[i], "trace-", 6))
				list_add(c->p->a, &names, also.s[i] + 6);
	}
	if (!strcmp(kind, "DATA")) {
		names = all_values(c, "data");
		list_add(c->p->a, &names, "plain");
		if (studied)
			list_add(c->p->a, &names, "probe");
		also = paper_words(c->p, c->paper, "statistics");
		for (size_t i = 0; i < also.n; i++)
			list_add(c->p->a, &names, also.s[i]);
	}
	return names;
}

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

/* Whether a line of src/papers.keys, KEY, KEY.KIND, KEY[.KIND] or KEY[.PROFILE[.PAIR]], allows it.
 */
static bool
allows(const struct check *c, const char *line, const char *name)
{
	const size_t n = strcspn(line, "[.\t"), end = strcspn(line, "\t");
	const bool profiles = strstr(line, "[.PROFILE") && strstr(line, "[.PROFILE") < line + end;
	const bool pairs =
		profiles && strstr(line, "[.PAIR") && strstr(line, "[.PAIR") < line + end;
	const char *rest = name + n, *kind;
	struct list names;
	bool any;

	if (strncmp(line, name, n) || !strchr(".@", *rest))
		return false;
	if (profiles) {
		const char *dot = *rest == '.' ? strrchr(rest, '.') : NULL;

		if (*rest == '@' || strchr(rest, '@'))
			rest = text_copy(c->p->a, rest, strcspn(rest, "@"));
		if (!*rest || list_has(&c->p->profiles, rest + 1))
			return true;
		return pairs && dot && dot > rest && strchr(dot, '-') &&
		       list_has(&c->p->profiles,
				text_copy(c->p->a, rest + 1, (size_t)(dot - rest - 1)));
	}
	if (!*rest)
		return line[n] != '.';
	kind = line + n + (line[n] == '[') + 1;
	names = names_for(c, text_copy(c->p->a, kind, strcspn(kind, "]\t")), &any);
	return line[n] != '\t' && (any || list_has(&names, rest + 1));
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
		s += 1 + (strchr("?!'", s[1]) && s[1]);
		use_end(s, words, &name);
		if (name.n) {
			const struct list all = list_words(a, name.data);

			for (size_t i = 0; i < all.n; i++)
				if (strcmp(all.s[i], "*"))
					list_once(a, uses, all.s[i]);
		}
	}
	buf_release(&name);
}

/* Whether a value of a paper uses the key of that name, with or without that of the paper. */
static bool
is_used(const struct check *c, const char *name)
{
	for (int cut = 0; cut < 4; cut++) {
		const char *full = text_print(c->p->a, "%s.%s", c->paper->name, name);
		const char *shorter = without_suffix(c, name);

		for (size_t i = 0; i < c->uses.n; i++)
			if (!fnmatch(c->uses.s[i], name, 0) || !fnmatch(c->uses.s[i], full, 0))
				return true;
		if (shorter == name)
			break;
		name = shorter;
	}
	return false;
}

static int
check_name(const struct check *c, const struct keyfile_entry *k, const char *name)
{
	static const char *const of_variants[] = { "data.",   "begin.",	 "aligned.",
						   "closed.", "tested.", "search." };
	const char *why = "";

	for (size_t i = 0; i < c->p->keys.n; i++)
		if (allows(c, c->p->keys.s[i], name))
			return 0;
	if (name_known(name))
		return keyfile_fault(k, c->e, "this name stands for something that is made");
	if (is_used(c, name))
		return 0;
	for (size_t i = 0; i < sizeof(of_variants) / sizeof(*of_variants); i++)
		if (!strncmp(name, of_variants[i], strlen(of_variants[i])))
			why = " or unknown variant";
	keyfile_fault(k, c->e, "unknown key%s", why);
	err_hint(c->e, "heed-pipeline(7) lists all keys; other keys are those that a value uses");
	return -1;
}

/* Whether a file sets the key, with or without a suffix. */
static bool
is_set(const struct plan *p, const char *key)
{
	const size_t n = strlen(key);

	for (size_t i = 0; i < p->conf.files.n; i++)
		if (!strncmp(p->conf.entry[i].key, key, n) && strchr(".@", p->conf.entry[i].key[n]))
			return true;
	return false;
}

/* Names in braces that no file has. */
static int
check_uses(const struct check *c, const struct keyfile_entry *k, const char *name)
{
	struct list uses = { .n = 0 };

	(void)name;
	add_uses(c->p->a, k->value, false, &uses);
	for (size_t i = 0; i < uses.n; i++) {
		const char *use = uses.s[i];

		if (isalpha((unsigned char)*use) && !strchr(use, '*') && !name_known(use) &&
		    !is_key(c->p, use) && !is_set(c->p, use) &&
		    !is_set(c->p, text_print(c->p->a, "%s.%s", c->paper->name, use)))
			return keyfile_fault(k, c->e, "{%s}: there is no such key or name", use);
	}
	return 0;
}

/* --- missing keys and files --- */

static int
need(const struct check *c, const char *key)
{
	struct scope s = { .p = c->p, .home = c->paper->name };

	if (setting_entry(&s, key))
		return 0;
	return err_set(c->e, EXIT_INPUT, "%s: %s.%s: this key is missing", c->paper->file,
		       c->paper->name, key);
}

static int
need_each(const struct check *c, const struct list *names, const char *key)
{
	for (size_t i = 0; i < names->n; i++)
		if (need(c, text_print(c->p->a, "%s.%s", key, names->s[i])))
			return -1;
	return 0;
}

static int
check_needs(const struct check *c)
{
	const struct list maps = paper_words(c->p, c->paper, "maps");
	const struct list curves = paper_words(c->p, c->paper, "posthoc");
	const struct list also = paper_words(c->p, c->paper, "also");
	bool any;
	const struct list traces = names_for(c, "TRACE", &any);

	if (need(c, "title") || (!c->variants.n && need(c, "variant.NAME")) ||
	    need_each(c, &maps, "map") || need_each(c, &traces, "trace") ||
	    (list_has(&also, "statistics") && need(c, "statistics")) ||
	    need_each(c, &curves, "curve") || need_each(c, &curves, "curve-on") ||
	    (curves.n && need(c, "posthoc-by")) ||
	    (entry_of(c->p, c->paper, "timed") && need(c, "timed-on")))
		return -1;
	return entry_of(c->p, c->paper, "studied") && (need(c, "probe") || need(c, "few")) ? -1 : 0;
}

static int
check_file(const struct check *c, const char *name)
{
	const char *path = text_print(c->p->a, "%s%s", c->p->top, name);

	return !access(path, F_OK)
		       ? 0
		       : err_set(c->e, EXIT_INPUT, "%s: there is no file %s", c->paper->file, name);
}

static int
check_files(const struct check *c)
{
	const struct list facts = paper_words(c->p, c->paper, "facts");
	const struct list searches = paper_words(c->p, c->paper, "searches");

	for (size_t i = 0; i < facts.n; i++)
		if (check_file(c, facts.s[i]))
			return -1;
	for (size_t i = 0; i < searches.n; i++)
		if (check_file(c, text_print(c->p->a, "src/papers/%s.%s.%s", c->paper->name,
					     searches.s[i], c->p->profile)))
			return -1;
	return 0;
}

/* --- the grid --- */

static int
check_variant(const struct check *c, const char *section, const char *variant)
{
	if (list_has(&c->variants, variant))
		return 0;
	return err_set(c->e, EXIT_INPUT,
		       "%ssrc/papers/%s.grid: section %s: row %s has no settings; "
		       "%s.variant.%s is missing in %s",
		       c->p->top, c->paper->name, section, variant, c->paper->name, variant,
		       c->paper->file);
}

static int
check_grid(const struct check *c)
{
	for (size_t i = 0; i < c->paper->grid.n; i++) {
		const struct grid_section *s = &c->paper->grid.section[i];

		for (size_t r = 0; r < s->n_rows; r++) {
			if (check_variant(c, s->name, s->row[r].variant))
				return -1;
			for (size_t b = 0; b < s->row[r].n_bases; b++)
				if (check_variant(c, s->name, s->row[r].base[b]))
					return -1;
		}
	}
	return 0;
}

/* Keys with names of sections, tables and figures. */
static int
check_sections(const struct check *c)
{
	const char *keys[] = { "also", "maps", "head-maps", "gains" };
	const struct list corpora = paper_names(c->p, c->paper, "corpora");
	const struct list captions = paper_names(c->p, c->paper, "caption");
	const struct keyfile_entry *lead = entry_of(c->p, c->paper, "lead");
	struct list shown = c->sections;

	for (int i = 0; i < 4; i++) {
		const struct list words = paper_words(c->p, c->paper, keys[i]);

		for (size_t k = 0; k < words.n; k++)
			list_add(c->p->a, &shown, text_print(c->p->a, "%s%s",
							     i == 3 ? "gains-" : "", words.s[k]));
	}
	list_add(c->p->a, &shown, "curves");
	list_add(c->p->a, &shown, "claims");
	if (lead && !list_has(&shown, lead->value))
		return keyfile_fault(lead, c->e, "%s, expected claims or a figure of the paper",
				     lead->value);
	for (size_t i = 0; i < corpora.n; i++)
		if (!list_has(&c->sections, corpora.s[i]))
			return keyfile_fault(
				entry_of(c->p, c->paper,
					 text_print(c->p->a, "corpora.%s", corpora.s[i])),
				c->e, "unknown section");
	for (size_t i = 0; i < captions.n; i++)
		if (!list_has(&shown, captions.s[i]))
			return keyfile_fault(
				entry_of(c->p, c->paper,
					 text_print(c->p->a, "caption.%s", captions.s[i])),
				c->e, "unknown table or figure");
	return 0;
}

int
paper_check(struct plan *p, const struct paper *paper, struct err *e)
{
	struct check c = { .p = p, .paper = paper, .e = e };

	c.variants = paper_names(p, paper, "variant");
	for (size_t i = 0; i < paper->grid.n; i++)
		list_add(p->a, &c.sections, paper->grid.section[i].name);
	for (size_t i = 0; i < p->conf.files.n; i++)
		add_uses(p->a, p->conf.entry[i].value, true, &c.uses);
	if (each_key(&c, check_name) || check_needs(&c) || each_key(&c, check_number) ||
	    each_key(&c, check_data) || check_references(&c) || check_tables(&c) ||
	    check_files(&c) || check_grid(&c) || each_key(&c, check_uses))
		return -1;
	return check_sections(&c);
}
