/*
 * plan: the work that papers need: their settings, corpora, searches and runs, and the rules of
 * make that do it.  heed-pipeline(7) describes the settings of papers; src/stages.in the rules.
 */
#ifndef PLAN_H
#define PLAN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "plan/keyfile.h"
#include "plan/list.h"
#include "results/grid.h"
#include "results/wanted.h"

extern const char *const split_names[3];	/* train, dev, test */

struct paper {
	const char *name;
	const char *file;		/* src/papers/NAME.conf */
	struct grid grid;
	struct list main;		/* variants of its main sections */
	struct list sized;		/* columns of sections with the line "scope sizes" */
	struct list asked;		/* requested sections, in the order of the grid */
	struct list runs;		/* names of the runs of these sections, sorted */
	bool goal;
};

enum { RUN_BEGIN, RUN_ALIGNED, RUN_CLOSED, RUN_BEFORE };

struct run {
	const char *name;		/* PAPER/COLUMN/VARIANT/SEED */
	const struct paper *paper;
	const char *column, *variant, *seed;
	const char *drawn;		/* the column; of a sample, COLUMN.SEED */
	const char *data;		/* PAPER/PREPARATION/DRAWN */
	const char *before[RUN_BEFORE];	/* runs that it depends on, or NULL */
	const char *closed, *how;	/* a list of heads to mask: its variant, and "gate", ... */
	const char *search;		/* PAPER/search/COLUMN/NAME, or NULL */
	const char *asked;		/* everything that determines it besides its data */
	const char *digest;		/* of the entry of the ledger; NULL: lacking */
};

struct search {
	const char *name;		/* PAPER/search/COLUMN/NAME */
	const struct paper *paper;
	const char *column, *after;	/* after: a search, or NULL */
	const char *best;		/* its result, or NULL */
	const char *how;		/* engine, settings and grid */
	bool missing;			/* the ledger lacks it or has another one */
	bool wanted;
};

struct plan {
	/* Set by the caller: */
	const char *top;		/* folder of src, "" or with a slash at its end */
	const char *folder;		/* for other files than the rules, with a slash */
	bool drafts, draw;
	struct list goals;		/* names of papers */

	struct arena *a;		/* that of conf */
	struct keyfile conf;
	const char *profile, *work, *results;
	struct list pairs, folders, corpora, columns, tables, systems;
	struct list forms, profiles, keys;
	struct paper *paper;
	size_t n_papers;
	struct run *run;		/* all wanted runs, sorted by name */
	size_t n_runs, runs_room, lacking;
	struct strmap by_name;		/* runs, in the order in which they were found */
	struct search *search;		/* all searches of the papers */
	size_t n_searches, searches_room;
	struct list left_out;		/* files that draw cannot make */
};

/* What a text is expanded for; members that do not apply are NULL. */
struct scope {
	struct plan *p;
	const struct paper *paper;	/* the paper that something is made for */
	const char *home;		/* the paper whose file has the text */
	const struct keyfile_entry *from;	/* the key whose value is expanded, or NULL */
	const struct run *run;
	const char *column, *data, *split, *side;
	const struct scope_var { const char *name, *value; } *var;
	size_t n_vars;
	bool make;			/* the text is a rule of make: values get $$ for $ */
	bool shell;			/* names of things that are not known stand for commands */
	int depth;
};

/* --- plan.c --- */

/* Reads settings, papers and grids, and checks them: nothing is run or written. */
int plan_read(struct plan *p, struct err *e) MUST_USE;
/* Finds the runs and searches of the goals, and which of them the ledger has. */
int plan_runs(struct plan *p, struct err *e) MUST_USE;
void plan_init(struct plan *p);
void plan_release(struct plan *p);

const struct paper *plan_paper(const struct plan *p, const char *name);
struct run *plan_run(const struct plan *p, const char *name);
struct search *plan_search(const struct plan *p, const char *name);
/* The columns of a section, and whether the section is requested. */
struct list plan_cells(struct plan *p, const struct paper *paper, const struct grid_section *s);
struct list plan_section_columns(struct plan *p, const struct paper *paper, const char *section);
/* The runs of a section. */
int plan_section_runs(struct plan *p, const struct paper *paper, const struct grid_section *s,
		      struct list *runs, struct err *e) MUST_USE;
/* A first run of a variant on a column among those of the paper, or NULL. */
const struct run *plan_first_run(const struct plan *p, const struct paper *paper,
				 const char *column, const char *variant);
/* The entry of a run in the ledger, its folder. */
const char *entry_of_run(const struct plan *p, const char *run);
/* Appends the list of wanted runs (wanted.h). */
void plan_wanted(const struct plan *p, struct buf *out);

/* Options of nmt-train for the scope's run; with `shell`, lists of heads are commands. */
const char *run_options(const struct scope *s, struct err *e) MUST_USE;
/* The settings of measures of heads, for the scope's paper. */
const char *measured_by(const struct scope *s, struct err *e) MUST_USE;
/* The options of nmt-train that a search starts from. */
const char *search_trial(const struct search *search, struct plan *p, struct err *e) MUST_USE;

/* --- column.c: CORPUS.PAIR[@SIZE[.DRAW]] --- */

const char *column_size(const char *column);	/* "SIZE[.DRAW]" in it, or NULL */
const char *column_whole(struct arena *a, const char *column);
const char *column_pair(struct arena *a, const char *column);
const char *column_corpus(struct arena *a, const char *column);
const char *column_language(struct arena *a, const char *column, const char *side);
/* The text of a short file without line ends, or NULL. */
const char *text_of_file(struct arena *a, const char *path);

/* --- expand.c --- */

/*
 * Appends the text with the values of the names in braces.  -1 (EXIT_INPUT), with the place of the
 * text, for a name that has no value, and for a key that refers to itself.
 *
 *	{NAME}		a key of the paper, a setting, or something that depends on what is made
 *	{PAPER.NAME}	a key of another paper
 *	{?NAME TEXT}	the text if the value is not empty; {!NAME TEXT}: if it is
 *	{'NAME}		the value as a word of a shell
 */
int expand(const struct scope *s, const char *text, struct buf *out, struct err *e) MUST_USE;
/* The same in the arena, with single blanks. */
const char *expanded(const struct scope *s, const char *text, struct err *e) MUST_USE;
/* Appends a word of a shell. */
void add_quoted(struct buf *out, const char *s);
/* The value of a key of the scope's paper, "" without one. */
const char *setting(const struct scope *s, const char *key, struct err *e) MUST_USE;
/* The key, with the most specific suffix .PROFILE.PAIR, .PROFILE, .PAIR or none; or NULL. */
const struct keyfile_entry *setting_entry(const struct scope *s, const char *key);
/* Whether papers may set a key of that name (src/papers.keys). */
bool is_key(const struct plan *p, const char *name);
/* Sets the error at the place of the scope's text. */
int scope_fault(const struct scope *s, struct err *e, const char *fmt, ...) PRINTF_LIKE(3, 4);

/* --- names.c: what depends on the thing that is made --- */

/* Appends the value of a name; 1, or 0 if there is no such name, or -1. */
int name_value(const struct scope *s, const char *name, const char *rest, struct buf *out,
	       struct err *e);
/* Is it a name that depends on what is made? */
bool name_known(const char *name);

/* The files of BPE codes for the scope's paper and column, or NULL. */
const struct list *codes_files(const struct scope *s, struct err *e) MUST_USE;

/* --- options.c --- */

/* Options of a command in one text; of an option that is given twice, the last one counts. */
const char *options_last(struct arena *a, const char *text);
/* Without the option of that name. */
const char *options_without(struct arena *a, const char *text, const char *name);

/* --- given.c: settings of the command line --- */

int given_check(struct plan *p, struct err *e) MUST_USE;
/* A word of digits; seeds are parts of names, so 01 would be another run than 1. */
bool is_number(const char *s);

/* --- paper.c: keys of papers --- */

int paper_check(struct plan *p, const struct paper *paper, struct err *e) MUST_USE;
/* PAPER.KEY.NAME: the names for which a file or the command line sets the key. */
struct list paper_names(struct plan *p, const struct paper *paper, const char *key);
/* The words of a key; none if it is not set. */
struct list paper_words(struct plan *p, const struct paper *paper, const char *key);

/* --- corpus-files.c: files of DATA --- */

/* The file with the text of a split, as a word of a shell; *sum is its checksum. */
int text_find(const struct scope *s, const char **file, const char **sum, struct err *e) MUST_USE;
/* Own trees of a side: the commands that read them, or "". */
const char *trees_command(const struct scope *s);
/* The checksums of own trees of both sides. */
const char *trees_sums(const struct scope *s);
/* Refuses trees that only some of the splits have. */
/* The further test sets of the scope's column, the setting ALSO; none without a folder of DATA. */
struct list other_tests(const struct scope *s);
int trees_check(struct plan *p, struct err *e) MUST_USE;
/* The file of the parser of the language, or NULL; and whether it is not a built-in one. */
const char *parser_file(const struct scope *s, bool *trained);
/* What follows a parser that predicts dependencies only: constituents. */
const char *parser_phrases(const struct scope *s);

/* --- stages.c --- */

/* Writes the rules of all templates in src/stages.in to `out`. */
int stages_write(struct plan *p, struct buf *out, struct err *e) MUST_USE;

#endif
