/* plan: reads settings, papers and grids; see plan.h. */
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "plan/plan.h"
#include "stream/input.h"

const char *const split_names[3] = { "train", "dev", "test" };

void
plan_init(struct plan *p)
{
	*p = (struct plan){ .top = "" };
	keyfile_init(&p->conf);
	p->a = &p->conf.arena;
	strmap_init(&p->by_name);
}

void
plan_release(struct plan *p)
{
	for (size_t i = 0; i < p->n_papers; i++)
		grid_release(&p->paper[i].grid);
	free(p->paper);
	free(p->run);
	free(p->search);
	strmap_release(&p->by_name);
	keyfile_release(&p->conf);
}

const struct paper *
plan_paper(const struct plan *p, const char *name)
{
	for (size_t i = 0; i < p->n_papers; i++)
		if (!strcmp(p->paper[i].name, name))
			return &p->paper[i];
	return NULL;
}

/* --- files --- */

/* The names of the files src/FOLDER/NAME.conf, in alphabetical order. */
static struct list
keyfile_names(struct plan *p, const char *folder)
{
	const char *place = text_print(p->a, "%ssrc/%s/", p->top, folder);
	struct list names = { .n = 0 };
	glob_t g;

	if (!glob(text_print(p->a, "%s*.conf", place), 0, NULL, &g))
		for (size_t i = 0; i < g.gl_pathc; i++)
			list_add(p->a, &names,
				 text_copy(p->a, g.gl_pathv[i] + strlen(place),
					   strlen(g.gl_pathv[i]) - strlen(place) - 5));
	globfree(&g);
	list_sort(&names);
	return names;
}

static int
read_lines(struct plan *p, const char *path, struct list *lines, struct err *e)
{
	struct input *in = input_open(path, INPUT_UTF8, e);
	const char *line;
	size_t n;
	int more = -1;

	while (in && (more = input_line(in, &line, &n, e)) > 0)
		list_add(p->a, lines, text_copy(p->a, line, n));
	input_close(in);
	return more;
}

static int
read_paper(struct plan *p, const char *name, struct err *e)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ01234567"
				      "89-_";
	struct paper *paper = &p->paper[p->n_papers];
	const char *grid = text_print(p->a, "src/papers/%s.grid", name);

	paper->name = name;
	paper->file = text_print(p->a, "%ssrc/papers/%s.conf", p->top, name);
	if (name[strspn(name, allowed)] || *name == '_' || !strcmp(name, "parse") ||
	    !strcmp(name, "parser"))
		return err_set(e, EXIT_INPUT,
			       "%s: %s is no name for a paper, expected letters, digits and -",
			       paper->file, name);
	if (keyfile_read(&p->conf, paper->file, text_print(p->a, "%s.", name), e))
		return -1;
	p->n_papers++;
	if (access(text_print(p->a, "%s%s", p->top, grid), F_OK))
		return err_set(e, EXIT_INPUT, "%s: there is no file %s", paper->file, grid);
	return grid_read(&paper->grid, text_print(p->a, "%s%s", p->top, grid), e);
}

static int
read_files(struct plan *p, struct err *e)
{
	const struct list papers = keyfile_names(p, "papers");
	struct list lines = { .n = 0 };

	if (!list_has(&p->profiles, p->profile))
		return err_set(e, EXIT_USAGE, "PROFILE=%s: expected one of %s", p->profile,
			       list_text(p->a, &p->profiles));
	if (keyfile_read(&p->conf, text_print(p->a, "%ssrc/profiles/%s.conf", p->top, p->profile),
			 "", e) ||
	    keyfile_read(&p->conf, text_print(p->a, "%ssrc/forms.conf", p->top), "parse.", e) ||
	    read_lines(p, text_print(p->a, "%ssrc/papers.keys", p->top), &lines, e))
		return -1;
	p->keys = lines;
	for (size_t i = 0; i < p->conf.files.n; i++) {
		const char *key = p->conf.entry[i].key, *dot = strchr(key, '.');

		if (!strncmp(key, "parse.", 6) && !strchr(dot + 1, '.'))
			list_add(p->a, &p->forms, dot + 1);
	}
	p->paper = xcalloc(papers.n + 1, sizeof(*p->paper));
	for (size_t i = 0; i < papers.n; i++)
		if (read_paper(p, papers.s[i], e))
			return -1;
	return 0;
}

/* --- settings --- */

static const char *
given(const struct plan *p, const char *name, const char *otherwise)
{
	const struct keyfile_entry *k = keyfile_given(&p->conf, name);

	return k && *k->value ? k->value : otherwise;
}

/* The folders of DATA by their full names, or as given if there is none. */
static void
find_folders(struct plan *p)
{
	const struct list data = list_words(p->a, given(p, "DATA", ""));

	for (size_t i = 0; i < data.n; i++) {
		char *path = realpath(data.s[i], NULL);

		list_add(p->a, &p->folders,
			 path ? text_copy(p->a, path, strlen(path))
			      : text_print(p->a, "%s%s", *data.s[i] == '/' ? "" : "./", data.s[i]));
		free(path);
	}
}

static void
find_columns(struct plan *p)
{
	if (p->folders.n)
		for (size_t i = 0; i < p->folders.n; i++)
			list_add(p->a, &p->corpora, strrchr(p->folders.s[i], '/') + 1);
	else
		p->corpora = list_words(p->a, given(p, "CORPUS", "help"));
	for (size_t i = 0; i < p->corpora.n; i++)
		for (size_t k = 0; k < p->pairs.n; k++)
			list_add(p->a, &p->columns,
				 text_print(p->a, "%s.%s", p->corpora.s[i], p->pairs.s[k]));
}

static void
read_settings(struct plan *p)
{
	p->profile = given(p, "PROFILE", "cpu");
	p->work = given(p, "W", text_print(p->a, "work/%s", p->profile));
	p->results = given(p, "R", text_print(p->a, "%s/results", p->work));
	p->pairs = list_words(p->a, given(p, "PAIR", "en-de"));
	p->tables = list_words(p->a, given(p, "TABLES", ""));
	p->systems = list_words(p->a, given(p, "SYSTEMS", ""));
	p->profiles = keyfile_names(p, "profiles");
	find_folders(p);
}

/* --- columns --- */

struct list
plan_section_columns(struct plan *p, const struct paper *paper, const char *section)
{
	const struct list own = paper_words(p, paper, text_print(p->a, "corpora.%s", section));
	struct list columns = { .n = 0 };

	if (!own.n)
		return p->columns;
	for (size_t i = 0; i < own.n; i++)
		for (size_t c = 0; c < (*own.s[i] == '+' ? p->corpora.n : 1); c++)
			for (size_t k = 0; k < p->pairs.n; k++)
				list_add(p->a, &columns,
					 text_print(p->a, "%s%s.%s",
						    *own.s[i] == '+' ? p->corpora.s[c] : "",
						    own.s[i], p->pairs.s[k]));
	return columns;
}

struct list
plan_cells(struct plan *p, const struct paper *paper, const struct grid_section *s)
{
	return s->sizes && paper->sized.n ? paper->sized : plan_section_columns(p, paper, s->name);
}

/* The number of pairs of a corpus; many if it is not known yet. */
static long
pairs_of(struct plan *p, const char *column)
{
	const char *text =
		text_of_file(p->a, text_print(p->a, "%s/text/%s/pairs", p->work, column));

	if (!text)
		text = text_of_file(p->a, text_print(p->a, "%s/%s.pairs", p->results, column));
	return text ? strtol(text, NULL, 10) : 1000000000;
}

static int
find_sizes(struct plan *p, struct paper *paper, struct err *e)
{
	struct scope s = { .p = p, .paper = paper };

	for (size_t i = 0; i < p->columns.n; i++) {
		const char *text = setting(&s, "sizes", e), *column = p->columns.s[i];
		const struct list sizes = text ? list_words(p->a, text) : (struct list){ .n = 0 };

		if (!text)
			return -1;
		for (size_t k = 0; k < sizes.n; k++)
			if (!strcmp(sizes.s[k], "all"))
				list_add(p->a, &paper->sized, column);
			else if (strtol(sizes.s[k], NULL, 10) < pairs_of(p, column))
				list_add(p->a, &paper->sized,
					 text_print(p->a, "%s@%s", column, sizes.s[k]));
	}
	return 0;
}

/* --- sections --- */

/* Requested sections; claims are judged by the runs of the other ones. */
static void
find_sections(struct plan *p, struct paper *paper)
{
	const struct list main = paper_words(p, paper, "main");

	for (size_t i = 0; i < paper->grid.n; i++) {
		const struct grid_section *s = &paper->grid.section[i];
		const bool claims = grid_is_claims(s);

		if (claims || !p->tables.n || list_has(&p->tables, s->name))
			list_add(p->a, &paper->asked, s->name);
		if (!(main.n ? list_has(&main, s->name) : !strcmp(s->name, "table1")))
			continue;
		for (size_t r = 0; r < s->n_rows; r++) {
			list_once(p->a, &paper->main, s->row[r].variant);
			for (size_t b = 0; b < s->row[r].n_bases; b++)
				list_once(p->a, &paper->main, s->row[r].base[b]);
		}
	}
}

/* TABLES and SYSTEMS are sections and variants of the goals, or of any paper without goals. */
static int
check_asked(struct plan *p, struct err *e)
{
	struct list sections = { .n = 0 }, variants = { .n = 0 };

	for (size_t i = 0; i < p->n_papers; i++)
		for (size_t k = 0; k < p->paper[i].grid.n; k++) {
			const struct grid_section *s = &p->paper[i].grid.section[k];

			if (p->goals.n && !p->draw && !p->paper[i].goal)
				continue;
			list_once(p->a, &sections, s->name);
			for (size_t r = 0; r < s->n_rows; r++) {
				list_once(p->a, &variants, s->row[r].variant);
				for (size_t b = 0; b < s->row[r].n_bases; b++)
					list_once(p->a, &variants, s->row[r].base[b]);
			}
		}
	list_sort(&variants);
	for (size_t i = 0; i < p->tables.n; i++)
		if (!list_has(&sections, p->tables.s[i]))
			return err_set(e, EXIT_USAGE,
				       "TABLES: unknown section %s, expected some of %.500s",
				       p->tables.s[i], list_text(p->a, &sections));
	for (size_t i = 0; i < p->systems.n; i++)
		if (!list_has(&variants, p->systems.s[i]))
			return err_set(e, EXIT_USAGE,
				       "SYSTEMS: unknown variant %s, expected some of %.500s",
				       p->systems.s[i], list_text(p->a, &variants));
	return 0;
}

static int
check_goals(struct plan *p, struct err *e)
{
	for (size_t i = 0; i < p->goals.n; i++) {
		struct paper *paper = (struct paper *)plan_paper(p, p->goals.s[i]);

		if (!paper)
			return err_set(e, EXIT_USAGE, "there is no paper %s", p->goals.s[i]);
		paper->goal = true;
	}
	return 0;
}

/* Corpora that can be fetched. */
static int
check_corpora(struct plan *p, struct err *e)
{
	for (size_t i = 0; !p->draw && !p->folders.n && i < p->corpora.n; i++)
		if (strcmp(p->corpora.s[i], "help") && strcmp(p->corpora.s[i], "manpages"))
			return err_set(e, EXIT_USAGE,
				       "CORPUS=%s: %s, expected help or manpages; DATA=folder is "
				       "your own corpus",
				       given(p, "CORPUS", ""), p->corpora.s[i]);
	return 0;
}

int
plan_read(struct plan *p, struct err *e)
{
	read_settings(p);
	if (read_files(p, e) || given_check(p, e) || check_goals(p, e))
		return -1;
	find_columns(p);
	if (check_corpora(p, e))
		return -1;
	for (size_t i = 0; i < p->n_papers; i++)
		if (paper_check(p, &p->paper[i], e))
			return -1;
	for (size_t i = 0; i < p->n_papers; i++) {
		find_sections(p, &p->paper[i]);
		if (find_sizes(p, &p->paper[i], e))
			return -1;
	}
	return check_asked(p, e) ||
			       (!p->draw && !keyfile_given(&p->conf, "MODEL") && trees_check(p, e))
		       ? -1
		       : 0;
}
