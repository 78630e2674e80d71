/* plan: reads settings, papers and grids; see plan.h. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "model/engine.h"
#include "plan/stored.h"
#include "stream/input.h"

void
plan_init(struct plan *p)
{
	*p = (struct plan){ .top = "" };
	keyfile_init(&p->conf);
	p->a = &p->conf.arena;
}

void
plan_release(struct plan *p)
{
	for (size_t i = 0; i < p->n_papers; i++)
		grid_release(&p->paper[i].grid);
	free(p->paper);
	free(p->run);
	free(p->search);
	free(p->block);
	strmap_release(&p->by_name);
	keyfile_release(&p->conf);
}

/* --- errors --- */

static void
keep_error(struct plan *p, enum exit_status status, const char *place, const char *fmt, va_list ap)
{
	struct buf b = { 0 };

	buf_vprintf(&b, fmt, ap);
	if (!p->bad)
		err_set(p->e, status, "%s%s%s", place, *place ? ": " : "", b.data);
	p->bad = true;
	buf_release(&b);
}

void
fault(struct plan *p, enum exit_status status, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	keep_error(p, status, "", fmt, ap);
	va_end(ap);
}

void
fault_key(struct plan *p, const struct keyfile_entry *k, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	keep_error(p, k->file ? EXIT_INPUT : EXIT_USAGE, keyfile_place(p->a, k), fmt, ap);
	va_end(ap);
}

void
fault_at(const struct scope *s, const char *fmt, ...)
{
	const bool command = s->from && !s->from->file;
	va_list ap;

	va_start(ap, fmt);
	keep_error(s->p, command ? EXIT_USAGE : EXIT_INPUT,
		   s->from    ? keyfile_place(s->p->a, s->from)
		   : s->place ? s->place
			      : "",
		   fmt, ap);
	va_end(ap);
}

/* --- files --- */

const struct paper *
plan_paper(const struct plan *p, const char *name)
{
	for (size_t i = 0; i < p->n_papers; i++)
		if (!strcmp(p->paper[i].name, name))
			return &p->paper[i];
	return NULL;
}

bool
is_wanted(const struct plan *p, const struct paper *paper)
{
	return paper->goal || !p->goals.n;
}

/* The names of the files src/FOLDER/NAME.conf, in alphabetical order. */
static struct list
names_in(struct plan *p, const char *folder)
{
	const char *place = text_print(p->a, "%ssrc/%s/", p->top, folder);
	struct list names = files_like(p->a, place, "*.conf");

	for (size_t i = 0; i < names.n; i++)
		names.s[i] = text_copy(p->a, names.s[i] + strlen(place),
				       strlen(names.s[i]) - strlen(place) - strlen(".conf"));
	list_sort(&names);
	return names;
}

static void
read_paper_settings(struct plan *p, const char *name)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ01234567"
				      "89-_";
	struct paper *paper = &p->paper[p->n_papers];
	const char *grid = text_print(p->a, "src/papers/%s.grid", name);

	paper->name = name;
	paper->file = text_print(p->a, "%ssrc/papers/%s.conf", p->top, name);
	if (name[strspn(name, allowed)] || *name == '_' ||
	    has_word("parse parser default", name)) {
		fault(p, EXIT_INPUT,
		      "%s: %s is no name for a paper, expected letters, digits and -", paper->file,
		      name);
		return;
	}
	p->bad = p->bad ||
		 keyfile_read(&p->conf, paper->file, text_print(p->a, "%s.", name), p->e);
	p->n_papers++;
	if (access(text_print(p->a, "%s%s", p->top, grid), F_OK))
		fault(p, EXIT_INPUT, "%s: there is no file %s", paper->file, grid);
	p->bad = p->bad ||
		 grid_read(&paper->grid, text_print(p->a, "%s%s", p->top, grid), p->e);
	paper->variants = key_names(p, paper, "variant");
}

static void
read_files(struct plan *p)
{
	const struct list papers = names_in(p, "papers");
	const char *profile = text_print(p->a, "profiles/%s", p->profile);
	const char *const file[] = { profile, "forms", "defaults" };
	const char *const prefix[] = { "", "parse.", "default." };

	if (!p->profiles.n)
		fault(p, EXIT_USAGE, "there is no profile %ssrc/profiles/%s.conf, expected --top "
		      "with the folder of src, with a slash at its end", p->top, p->profile);
	else if (!list_has(&p->profiles, p->profile))
		fault(p, EXIT_USAGE, "PROFILE=%s: expected one of %s", p->profile,
		      list_text(p->a, &p->profiles));
	for (int i = 0; i < 3; i++)
		p->bad = p->bad ||
			 keyfile_read(&p->conf, text_print(p->a, "%ssrc/%s.conf", p->top, file[i]),
				      prefix[i], p->e);
	for (size_t i = 0; i < p->conf.files.n; i++) {
		const char *key = p->conf.entry[i].key;

		if (has_prefix(key, "parse.") && !strchr(key + 6, '.'))
			list_add(p->a, &p->forms, key + 6);
	}
	p->bad = p->bad || lines_read(p->a, text_print(p->a, "%ssrc/papers.keys", p->top),
				      INPUT_UTF8, &p->keys, p->e);
	p->paper = xcalloc(papers.n + 1, sizeof(*p->paper));
	for (size_t i = 0; i < papers.n && !p->bad; i++)
		read_paper_settings(p, papers.s[i]);
	if (!p->bad)
		stages_read(p);
}

/* --- settings and columns --- */

static const char *
given_or(const struct plan *p, const char *name, const char *otherwise)
{
	return *given(p, name) ? given(p, name) : otherwise;
}

/* The folders of DATA by their full names, or as given if there is none. */
static void
find_folders(struct plan *p)
{
	const struct list data = list_words(p->a, given(p, "DATA"));

	for (size_t i = 0; i < data.n; i++) {
		char *path = realpath(data.s[i], NULL);

		list_add(p->a, &p->folders,
			 path ? text_copy(p->a, path, strlen(path))
			      : text_print(p->a, "%s%s", *data.s[i] == '/' ? "" : "./", data.s[i]));
		list_add(p->a, &p->corpora, strrchr(p->folders.s[i], '/') + 1);
		free(path);
	}
	if (!data.n)
		p->corpora = list_words(p->a, given_or(p, "CORPUS", "help"));
}

static void
read_plan_settings(struct plan *p)
{
	struct scope s = { .p = p };

	p->profile = given_or(p, "PROFILE", "cpu");
	p->work = given_or(p, "W", text_print(p->a, "work/%s", p->profile));
	p->results = given_or(p, "R", text_print(p->a, "%s/results", p->work));
	if (p->draw && p->goals.n == 1) {
		stored_read(p, p->results, p->goals.s[0]);
		p->profile = given_or(p, "PROFILE", "cpu");
	}
	p->pairs = list_words(p->a, given_or(p, "PAIR", "en-de"));
	p->tables = list_words(p->a, given(p, "TABLES"));
	p->systems = list_words(p->a, given(p, "SYSTEMS"));
	p->profiles = names_in(p, "profiles");
	find_folders(p);
	for (size_t i = 0; i < p->corpora.n; i++)
		for (size_t k = 0; k < p->pairs.n; k++)
			list_add(p->a, &p->columns,
				 text_print(p->a, "%s.%s", p->corpora.s[i], p->pairs.s[k]));
	scope_know(&s, "W", p->work);
	scope_know(&s, "R", p->results);
	scope_know(&s, "top", p->top);
	scope_know(&s, "papers", text_print(p->a, "%ssrc/papers", p->top));
	scope_know(&s, "PROFILE", p->profile);
	scope_know(&s, "WALK", given_or(p, "WALK", "4"));
	scope_know(&s, "engine", text_print(p->a, "%d", HEED_ENGINE));
	p->vars = s.known;
}

struct list
section_columns(struct plan *p, const struct paper *paper, const char *section)
{
	const struct scope s = scope_of(p, paper, NULL);
	const struct list own = list_words(
		p->a, value_of(&s, text_print(p->a, "corpora.%s", section)));
	struct list columns = { .n = 0 };

	if (!own.n)
		return p->columns;
	for (size_t i = 0; i < own.n; i++) {
		const char *word = own.s[i], *pair = column_pair(p->a, word);

		if (*pair && (!*given(p, "PAIR") || list_has(&p->pairs, pair)))
			list_add(p->a, &columns, word);
		for (size_t c = 0; !*pair && c < (*word == '+' ? p->corpora.n : 1); c++)
			for (size_t k = 0; k < p->pairs.n; k++)
				list_add(p->a, &columns,
					 text_print(p->a, "%s%s.%s",
						    *word == '+' ? p->corpora.s[c] : "", word,
						    p->pairs.s[k]));
	}
	return columns;
}

struct list
paper_columns(struct plan *p, const struct paper *paper)
{
	struct list columns = { .n = 0 };

	for (size_t i = 0; i < paper->asked.n; i++) {
		struct list more = { .n = 0 };

		if (!has_prefix(paper->asked.s[i], "claims"))
			more = section_columns(p, paper, paper->asked.s[i]);
		for (size_t k = 0; k < more.n; k++)
			list_once(p->a, &columns, more.s[k]);
	}
	return columns;
}

struct list
section_cells(struct plan *p, const struct paper *paper, const struct grid_section *s)
{
	return s->sizes && paper->sized.n ? paper->sized : section_columns(p, paper, s->name);
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

static void
find_sizes(struct plan *p, struct paper *paper)
{
	const struct scope s = scope_of(p, paper, NULL);
	const struct list sizes = list_words(p->a, value_of(&s, "sizes"));

	for (size_t i = 0; i < p->columns.n; i++)
		for (size_t k = 0; k < sizes.n; k++) {
			const char *column = p->columns.s[i];

			if (!strcmp(sizes.s[k], "all"))
				list_add(p->a, &paper->sized, column);
			else if (strtol(sizes.s[k], NULL, 10) < pairs_of(p, column))
				list_add(p->a, &paper->sized,
					 text_print(p->a, "%s@%s", column, sizes.s[k]));
		}
}

/* --- sections --- */

static void
add_grid_row(struct plan *p, const struct grid_row *r, struct list *variants)
{
	list_once(p->a, variants, r->variant);
	for (size_t b = 0; b < r->n_bases; b++)
		list_once(p->a, variants, r->base[b]);
}

static void
add_section_variants(struct plan *p, const struct grid_section *s, struct list *variants)
{
	for (size_t r = 0; r < s->n_rows; r++)
		add_grid_row(p, &s->row[r], variants);
}

/* Whether the section has a row of a requested system; a claim also needs its baselines. */
static bool
has_requested_row(const struct plan *p, const struct paper *paper, const struct grid_section *s)
{
	for (size_t r = 0; r < s->n_rows; r++) {
		const struct grid_row *row = &s->row[r];
		const bool claim = grid_is_claims(s);
		bool found = list_has(claim ? &paper->only : &p->systems, row->variant);

		for (size_t b = 0; claim && b < row->n_bases; b++)
			found = found && list_has(&paper->only, row->base[b]);
		if (found || (!claim && !p->systems.n))
			return true;
	}
	return false;
}

/* Requested sections; claims are judged by the runs of the other ones. */
static void
find_sections(struct plan *p, struct paper *paper)
{
	const struct list main = key_words(p, paper, "main");

	for (size_t i = 0; i < paper->grid.n; i++) {
		const struct grid_section *s = &paper->grid.section[i];

		if (list_has(&main, s->name))
			add_section_variants(p, s, &paper->main);
		for (size_t r = 0; r < s->n_rows && !grid_is_claims(s); r++)
			if ((p->tables.n || p->systems.n) &&
			    (!p->tables.n || list_has(&p->tables, s->name)) &&
			    (!p->systems.n || list_has(&p->systems, s->row[r].variant)))
				add_grid_row(p, &s->row[r], &paper->only);
	}
	for (size_t i = 0; i < paper->grid.n; i++) {
		const struct grid_section *s = &paper->grid.section[i];

		if ((!p->tables.n && !p->systems.n) ||
		    ((grid_is_claims(s) || !p->tables.n || list_has(&p->tables, s->name)) &&
		     has_requested_row(p, paper, s)))
			list_add(p->a, &paper->asked, s->name);
	}
}

static void
check_among(struct plan *p, const struct list *asked, const struct list *there, const char *message)
{
	for (size_t i = 0; i < asked->n; i++)
		if (!list_has(there, asked->s[i]))
			fault(p, EXIT_USAGE, "%s %s, expected some of %.500s", message, asked->s[i],
			      list_text(p->a, there));
}

/* TABLES and SYSTEMS are sections and variants of the goals, or of any paper without goals. */
static void
check_asked(struct plan *p)
{
	struct list sections = { .n = 0 }, variants = { .n = 0 };

	for (size_t i = 0; i < p->n_papers; i++)
		for (size_t k = 0; k < p->paper[i].grid.n; k++)
			if (p->draw || is_wanted(p, &p->paper[i])) {
				list_once(p->a, &sections, p->paper[i].grid.section[k].name);
				add_section_variants(p, &p->paper[i].grid.section[k], &variants);
			}
	list_sort(&variants);
	check_among(p, &p->tables, &sections, "TABLES: unknown section");
	check_among(p, &p->systems, &variants, "SYSTEMS: unknown variant");
}

static void
find_goals(struct plan *p)
{
	for (size_t i = 0; i < p->goals.n; i++) {
		struct paper *paper = (struct paper *)plan_paper(p, p->goals.s[i]);

		if (paper)
			paper->goal = true;
		else
			fault(p, EXIT_USAGE, "there is no paper %s", p->goals.s[i]);
	}
}

int
plan_read(struct plan *p, struct err *e)
{
	p->e = e;
	read_plan_settings(p);
	read_files(p);
	if (!p->bad)
		given_check(p);
	find_goals(p);
	/* A paper that somebody is writing is no reason to refuse another one. */
	for (size_t i = 0; i < p->n_papers && !p->bad; i++)
		if (is_wanted(p, &p->paper[i]))
			paper_check(p, &p->paper[i]);
	for (size_t i = 0; i < p->n_papers && !p->bad; i++) {
		find_sections(p, &p->paper[i]);
		find_sizes(p, &p->paper[i]);
	}
	check_asked(p);
	if (!p->draw && !keyfile_given(&p->conf, "MODEL") && !p->bad)
		trees_check(p);
	return p->bad ? -1 : 0;
}
