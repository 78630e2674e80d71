/*
 * plan: the work that papers need: their settings, corpora, searches and runs, and the rules of
 * make that do it.  heed-pipeline(7) describes the settings of papers; src/stages.in the rules.
 *
 * A plan keeps the first error, as a stream does: after it, values are empty, and nothing is
 * written.  plan_read(), plan_runs() and plan_write() return it.
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

struct paper {
	const char *name;
	const char *file;		/* src/papers/NAME.conf */
	struct grid grid;
	struct list variants;		/* those with settings */
	struct list main;		/* variants of its main sections */
	struct list sized;		/* columns of sections with the line "scope sizes" */
	struct list asked;		/* requested sections, in the order of the grid */
	struct list only;		/* with TABLES or SYSTEMS, the variants in these sections */
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
	const char *how;		/* the list of heads that it masks: "gate", ...; or NULL */
	const char *search;		/* PAPER/search/COLUMN/NAME, or NULL */
	const char *options;		/* of nmt-train */
	const char *asked;		/* everything that determines it besides its data */
	const char *digest;		/* of the entry of the ledger; NULL: lacking */
};

struct search {
	const char *name;		/* PAPER/search/COLUMN/NAME */
	const struct paper *paper;
	const char *column, *after;	/* after: a search, or NULL */
	const char *best;		/* its result, or NULL */
	const char *trial;		/* the options of nmt-train that it starts from */
	const char *how;		/* engine, settings and grid */
	bool missing;			/* the ledger lacks it or has another one */
	bool wanted;
};

/* A name and its value; the newest comes first. */
struct var { const char *name, *value; const struct var *next; };

/* The rules for a kind of thing, from src/stages.in. */
struct block {
	const char *kinds, *with;	/* with: a name that must have a value, or NULL */
	struct list lines;		/* a continued line has line ends within it */
	const char *place;		/* FILE:LINE */
};

/* What is made, by the names in heed-pipeline(7). */
enum need {
	NEED_DATA,			/* PAPER/PREPARATION/COLUMN: checksums of all splits */
	NEED_SUM,			/* PAPER/PREPARATION/COLUMN/SPLIT: its checksum */
	NEED_STREAM,			/* PAPER/PREPARATION/COLUMN/SPLIT */
	NEED_CODES,			/* a file of BPE codes and its column, "FILE COLUMN" */
	NEED_PARSED,			/* PARSER/COLUMN/SPLIT */
	NEED_TEXT,			/* COLUMN/SPLIT */
	NEED_PAIRS,			/* a column whose number of pairs is needed */
	NEED_HEADS,			/* a run whose heads are measured */
	NEED_PRUNED,			/* a run whose pruned model is needed */
	NEEDS
};

struct plan {
	/* Set by the caller: */
	const char *top;		/* folder of src, "" or with a slash at its end */
	const char *folder;		/* for other files than the rules, with a slash */
	bool drafts, draw;
	struct list goals;		/* names of papers */

	struct arena *a;		/* that of conf */
	struct keyfile conf;
	struct err *e;
	bool bad;			/* *e is set */
	const struct var *vars, *lets;	/* values known everywhere; definitions of stages.in */
	struct block *block;
	size_t n_blocks, blocks_room;
	const char *profile, *work, *results;
	struct list pairs, folders, corpora, columns, tables, systems;
	struct list forms, profiles, keys;
	struct paper *paper;
	size_t n_papers;
	struct strmap by_name;		/* runs, in the order in which they were found */
	struct run **run;		/* by number of the name */
	size_t runs_room, lacking;
	struct list runs;		/* all wanted runs, sorted */
	struct search *search;		/* all searches of the papers */
	size_t n_searches, searches_room;
	struct list need[NEEDS];
	struct list left_out, dropped;	/* files that draw cannot make, and those made from them */
	struct list sums;		/* checksums of files, see file_sum() */
	struct results *result;		/* [n_papers] see results.c */
};

/* What a text is expanded for. */
struct scope {
	struct plan *p;
	const struct paper *paper;	/* the paper that something is made for, or NULL */
	const struct paper *home;	/* the paper whose file has the text, or NULL */
	const struct keyfile_entry *from;	/* the key whose value is expanded, or NULL */
	const char *place;		/* of a template: FILE:LINE */
	const struct run *run;
	const struct var *var, *known;	/* values of keys see only those that are known */
	bool rule;			/* the text is a rule of make: values get $$ for $ */
	bool shell;			/* names of things that are not known stand for commands */
	int depth;
};

/* --- plan.c --- */

/* Reads settings, papers and grids, and checks them: nothing is run or written. */
int plan_read(struct plan *p, struct err *e) MUST_USE;
/* Finds the runs and searches of the goals, and which of them the ledger has. */
int plan_runs(struct plan *p, struct err *e) MUST_USE;
/* Writes the rules of everything that the goals need to out, and lists to files next to them. */
int plan_write(struct plan *p, struct buf *out, struct err *e) MUST_USE;
void plan_init(struct plan *p);
void plan_release(struct plan *p);

/* Keeps an error, unless the plan has one. */
void fault(struct plan *p, enum exit_status status, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* The same at the place of a key or template. */
void fault_at(const struct scope *s, const char *fmt, ...) PRINTF_LIKE(2, 3);
void fault_key(struct plan *p, const struct keyfile_entry *k, const char *fmt, ...)
	PRINTF_LIKE(3, 4);

const struct paper *plan_paper(const struct plan *p, const char *name);
/* Whether results of the paper are wanted. */
bool is_wanted(const struct plan *p, const struct paper *paper);
/* The columns of a section, whole or samples. */
struct list section_columns(struct plan *p, const struct paper *paper, const char *section);
struct list section_cells(struct plan *p, const struct paper *paper, const struct grid_section *s);

/* --- runs.c --- */

struct run *plan_run(const struct plan *p, const char *name);
struct search *plan_search(const struct plan *p, const char *name);
/* The runs of a section: those of the paper that it has; of claims, all. */
struct list section_runs(struct plan *p, const struct paper *paper, const char *section);
/*
 * All runs on the corpora of a section: intervals in tables are those of a host group, which has
 * systems of other sections, too.
 */
struct list pooled_runs(struct plan *p, const struct paper *paper, const char *section);
/* Its first run of a variant on a column, or NULL. */
const struct run *first_run(const struct plan *p, const struct paper *paper, const char *column,
			    const char *variant);
/* The entry of a run in the ledger, its folder; the records of runs, separated by blanks. */
const char *entry_of(const struct plan *p, const char *run);
const char *records_of(const struct plan *p, const struct list *runs);
/* Adds the names of a run to a scope; a scope with only these. */
void scope_add_run(struct scope *s, const struct run *r);
struct scope scope_of_run(struct plan *p, const struct run *r);

/* --- keys.c: values of keys --- */

/* The first of PAPER.KEY, on the command line or in a file, and its default, or NULL. */
const struct keyfile_entry *key_entry(const struct plan *p, const struct paper *paper,
				      const char *key);
/* Its value as it is written, "" without one; and of KEY.NAME or else of KEY. */
const char *key_text(const struct plan *p, const struct paper *paper, const char *key);
const char *key_of(const struct plan *p, const struct paper *paper, const char *key,
		   const char *name);
struct list key_words(const struct plan *p, const struct paper *paper, const char *key);
/* PAPER.KEY.NAME: the names for which a file or the command line sets the key. */
struct list key_names(const struct plan *p, const struct paper *paper, const char *key);
/* The key with the most specific suffix .PROFILE.PAIR, .PROFILE, .PAIR or none, and @SIZE. */
const struct keyfile_entry *nearest_key(const struct scope *s, const char *key);
/* The expanded value of a key of the scope's paper, "" without one. */
const char *value_of(const struct scope *s, const char *key);
/* A setting of the command line, or of the command line or the profile; "" without one. */
const char *given(const struct plan *p, const char *name);
const char *setting(const struct plan *p, const char *name);
/* Whether papers may set a key of that name (src/papers.keys). */
bool is_key(const struct plan *p, const char *name);

/* --- expand.c --- */

/*
 * Appends the text with the values of the names in braces.
 *
 *	{NAME}		a key of the paper, a setting, or something that depends on what is made
 *	{PAPER.NAME}	a key of another paper
 *	{?NAME TEXT}	the text if the value is not empty; {!NAME TEXT}: if it is
 *	{'NAME}		the value as a word of a shell
 *	{each NAME TEXT}	the text for each word of the value, which is {it}
 *	{NAME TEXT}	a function; or a definition of stages.in, in which the text is {it}
 */
void expand(const struct scope *s, const char *text, struct buf *out);
/* The same in the arena, with single blanks. */
const char *expanded(const struct scope *s, const char *text);
/* Appends the value of a key, which is expanded for `home`. */
void expand_key(const struct scope *s, const struct keyfile_entry *k, const struct paper *home,
		struct buf *out);
/* Gives a name a value (NULL: ""); a known one also in values of keys. */
void scope_set(struct scope *s, const char *name, const char *value);
void scope_know(struct scope *s, const char *name, const char *value);
/* The value of such a name, or NULL. */
const char *scope_get(const struct scope *s, const char *name);
/* A scope of the paper, or NULL, and the column, or NULL. */
struct scope scope_of(struct plan *p, const struct paper *paper, const char *column);

/* --- names.c: functions --- */

/* Appends the value of a function; false: there is none of that name, or not in this scope. */
bool function_value(const struct scope *s, const char *name, const char *arg, struct buf *out);
/* Is it a function, or a name that depends on what is made? */
bool name_known(const char *name);
/* The files of BPE codes for the scope's paper and column. */
struct list codes_files(const struct scope *s);

/* --- options.c --- */

/* Options of a command in one text; of an option that is given twice, the last one counts. */
const char *options_last(struct arena *a, const char *text);
/* Without the option of that name. */
const char *options_without(struct arena *a, const char *text, const char *name);

/* --- given.c, check.c: checks of the command line, and of the keys of a paper --- */

void given_check(struct plan *p);
void paper_check(struct plan *p, const struct paper *paper);
/* A word of digits; seeds are parts of names, so 01 would be another run than 1. */
bool is_number(const char *s);

/* --- folders.c: columns CORPUS.PAIR[@SIZE[.DRAW]] and files of DATA --- */

extern const char *const split_names[3];	/* train, dev, test */
extern const char *const side_names[2];		/* src, tgt */

const char *column_size(const char *column);	/* "SIZE[.DRAW]" in it, or NULL */
const char *column_whole(struct arena *a, const char *column);
const char *column_pair(struct arena *a, const char *column);
const char *column_corpus(struct arena *a, const char *column);
const char *column_language(struct arena *a, const char *column, const char *side);
bool is_fetched(const char *corpus);		/* does pipeline.mk know how to fetch it? */
/* The lines of a short file, none without one; and as one text, or NULL. */
struct list lines_of_file(struct arena *a, const char *path);
const char *text_of_file(struct arena *a, const char *path);
/* Files that match a pattern, in the order of their names. */
struct list files_like(struct arena *a, const char *pattern);

/* The file with the text of the scope's split and side. */
const char *text_find(const struct scope *s);
/* "CRC SIZE" of a file, as the command cksum prints them. */
const char *file_sum(struct plan *p, const char *path);
/* Own trees of a side of the split, or of the training data: the commands that read them, or "". */
const char *trees_command(const struct scope *s, const char *side);
/* The checksums of own trees of both sides. */
const char *trees_sums(const struct scope *s);
/* The further test sets of the scope's column, the setting ALSO; none without a folder of DATA. */
struct list other_tests(const struct scope *s);
/* Refuses trees that only some of the splits have. */
void trees_check(struct plan *p);
/* The file of the parser of a side, or NULL; and whether it is not a built-in one. */
const char *parser_file(const struct scope *s, const char *side, bool *trained);
/* What follows a parser that predicts dependencies only: constituents. */
const char *parser_phrases(const struct scope *s, const char *side);

/* --- stages.c: templates --- */

/* Reads src/stages.in, which has their format. */
void stages_read(struct plan *p);
/* Writes the rules of a kind of thing. */
void stage_write(const struct scope *s, struct buf *out, const char *kind);

/* --- needs.c, results.c: what is made --- */

void need(struct plan *p, enum need kind, const char *name);
void need_runs(struct plan *p);
void need_benchmark(struct plan *p, const char **form);
void write_data(struct plan *p, struct buf *out);
void write_runs(struct plan *p, struct buf *out);
void need_results(struct plan *p);
void write_results(struct plan *p, struct buf *out);
/* With draw, warns of what is not drawn, on standard error. */
void warn_of_drawing(struct plan *p);

#endif
