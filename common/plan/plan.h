/*
 * plan: the work that papers need: their settings, corpora, searches and runs, and the rules of
 * make that do it.  heed-pipeline(7) describes the settings of papers, and src/stages.in the rules.
 * A paper has a grid of tables (results/grid.h), whose sections have rows (variants of the model)
 * and columns, CORPUS.PAIR, or CORPUS.PAIR@SIZE for a sample of the training data.  A preparation
 * is a way to prepare the training data of a paper, such as "plain" or one with trees of a parser.
 * All texts and lists are in the arena of the plan.
 *
 * A plan keeps its first error, which plan_read(), plan_runs() and plan_write() return.  After an
 * error, the other functions return empty values, and nothing is written.
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
	struct list variants;		/* variants that have settings, by the key variant.NAME */
	struct list main;		/* variants of the sections that the key main lists, which
					 * are trained with `seeds`, and others with `more_seeds` */
	struct list sized;		/* columns of sections with the line "scope sizes" */
	struct list asked;		/* requested sections, in the order of the grid */
	struct list only;		/* if TABLES or SYSTEMS is given: the variants of the
					 * requested sections */
	struct list runs;		/* names of the runs of these sections, sorted */
	bool goal;			/* the paper is one of plan.goals */
};

/*
 * The runs on which a run may depend, by the keys of its variant: begin.VARIANT, from whose model
 * it starts; aligned.VARIANT, whose model aligns the words of its training data; and
 * closed.VARIANT, whose list of heads it masks.
 */
enum { RUN_BEGIN, RUN_ALIGNED, RUN_CLOSED, RUN_BEFORE };

struct run {
	const char *name;		/* PAPER/COLUMN/VARIANT/SEED */
	const struct paper *paper;
	const char *column, *variant, *seed;
	const char *drawn;		/* the name of the data that the run reads: the column or,
					 * for a sample, COLUMN.SEED */
	const char *data;		/* its prepared data: PAPER/PREPARATION/DRAWN */
	const char *before[RUN_BEFORE];	/* names of runs that it depends on, or NULL */
	const char *how;		/* which heads of RUN_CLOSED it masks: HOW of the file
					 * closed.HOW, such as "gate"; or NULL */
	const char *search;		/* PAPER/search/COLUMN/NAME, or NULL */
	const char *options;		/* the options of nmt-train */
	const char *asked;		/* everything that determines its result, except its data */
	const char *digest;		/* of its entry in the ledger; NULL if there is none */
};

struct search {
	const char *name;		/* PAPER/search/COLUMN/NAME */
	const struct paper *paper;
	const char *column, *after;	/* after: an earlier search whose result it uses, or NULL */
	const char *best;		/* the options that it found, or NULL */
	const char *trial;		/* the options of nmt-train that it starts from */
	const char *how;		/* what determines its result: engine, settings, grid */
	bool missing;			/* the ledger lacks it, or has it with another `how` */
	bool wanted;			/* a wanted run needs it */
};

/* A name with its value, in a list in which later definitions come first. */
struct var { const char *name, *value; const struct var *next; };

/* A block of rules from src/stages.in, for each thing of some kinds, such as runs or streams. */
struct block {
	const char *kinds, *with;	/* with: only for things for which this name has a value, or
					 * NULL */
	struct list lines;		/* a continued line has line ends within it */
	const char *place;		/* FILE:LINE */
};

/* The kinds of things that are made.  Each thing is identified by a name of the form given here. */
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
	const char *folder;		/* for files next to the rules, with a slash at its end */
	bool drafts;			/* accept entries of the ledger that are drafts, see
					 * ledger_admit() */
	bool draw;			/* only make tables and figures from the ledger */
	struct list goals;		/* names of papers */

	struct arena *a;		/* the arena of conf, which has all texts and lists */
	struct keyfile conf;
	struct err *e;			/* the first error, if `bad`; the caller's */
	bool bad;			/* *e is set */
	const struct var *vars, *lets;	/* vars: names known in all scopes; lets: definitions by
					 * "let" in stages.in */
	struct block *block;		/* [n_blocks] of stages.in, in its order */
	size_t n_blocks, blocks_room;
	const char *profile, *work, *results;
	/*
	 * The values of settings: pairs, of PAIR; folders, of DATA; corpora, of CORPUS, or the
	 * names of the folders; columns, all CORPUS.PAIR; tables, of TABLES; systems, of SYSTEMS.
	 */
	struct list pairs, folders, corpora, columns, tables, systems;
	struct list forms, profiles, keys;	/* names in src/forms.conf, names in src/profiles/,
						 * and lines of src/papers.keys */
	struct paper *paper;		/* [n_papers] */
	size_t n_papers;
	struct strmap by_name;		/* runs, in the order in which they were found */
	struct run **run;		/* [by_name.n] by the number of its name in by_name */
	size_t runs_room, lacking;	/* lacking: wanted runs that the ledger lacks */
	struct list runs;		/* all wanted runs, sorted */
	struct search *search;		/* all searches of the papers */
	size_t n_searches, searches_room;
	struct list need[NEEDS];
	struct list left_out, dropped;	/* files that cannot be drawn, and files made from them */
	struct list sums;		/* checksums of files, see file_sum() */
	struct results *result;		/* [n_papers] see results.c */
};

/* What gives the names in a text their values while it is expanded: a paper, a column or a run. */
struct scope {
	struct plan *p;
	const struct paper *paper;	/* the paper that something is made for, or NULL */
	const struct paper *home;	/* the paper whose file has the text, or NULL */
	const struct keyfile_entry *from;	/* the key whose value is expanded, or NULL */
	const char *place;		/* FILE:LINE of the template */
	const struct run *run;
	const struct var *var, *known;	/* values of names: those of var are visible only in the
					 * text itself, those of known also in values of keys */
	bool rule;			/* the text is a rule of make: values get $$ for $ */
	bool shell;			/* values that are not known before a run become commands
					 * that print them */
	int depth;			/* number of expansions within each other, which is
					 * limited */
};

/* --- plan.c --- */

/* Reads settings, papers and grids, and checks them: nothing is run or written. */
int plan_read(struct plan *p, struct err *e) MUST_USE;
/* Finds the runs and searches of the goals, and which of them the ledger has. */
int plan_runs(struct plan *p, struct err *e) MUST_USE;
/*
 * Appends the rules for everything that the goals need to `out`, and writes lists to files in
 * p->folder.
 */
int plan_write(struct plan *p, struct buf *out, struct err *e) MUST_USE;
void plan_init(struct plan *p);
void plan_release(struct plan *p);

/* Sets the error of the plan, unless it already has one. */
void fault(struct plan *p, enum exit_status status, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* The same, with the place of the key or template at the start of the message. */
void fault_at(const struct scope *s, const char *fmt, ...) PRINTF_LIKE(2, 3);
void fault_key(struct plan *p, const struct keyfile_entry *k, const char *fmt, ...)
	PRINTF_LIKE(3, 4);

/* The paper of this name, or NULL. */
const struct paper *plan_paper(const struct plan *p, const char *name);
/* Whether results of the paper are wanted: it is a goal, or there are no goals. */
bool is_wanted(const struct plan *p, const struct paper *paper);
/*
 * section_columns() returns the columns of a section.  section_cells() does, too, except that it
 * returns the samples of paper->sized for a section with the line "scope sizes".
 */
struct list section_columns(struct plan *p, const struct paper *paper, const char *section);
struct list section_cells(struct plan *p, const struct paper *paper, const struct grid_section *s);

/* --- runs.c --- */

/* The run or the search of this name, or NULL; `name` may be NULL. */
struct run *plan_run(const struct plan *p, const char *name);
struct search *plan_search(const struct plan *p, const char *name);
/* The runs of the paper that a section has; for a section of claims, all runs of the paper. */
struct list section_runs(struct plan *p, const struct paper *paper, const char *section);
/*
 * All runs of the paper on the columns of a section.  Confidence intervals are computed from all of
 * them: those of a host group (results/host-group.h), which may have systems of other sections.
 */
struct list pooled_runs(struct plan *p, const struct paper *paper, const char *section);
/* The first run of a variant of the paper on a column, or NULL. */
const struct run *first_run(const struct plan *p, const struct paper *paper, const char *column,
			    const char *variant);
/*
 * entry_of() returns the folder of a run's entry in the ledger, and records_of() the paths of the
 * records of some runs, separated by blanks.
 */
const char *entry_of(const struct plan *p, const char *run);
const char *records_of(const struct plan *p, const struct list *runs);
/*
 * scope_add_run() adds the names of a run, such as {seed}, to a scope; scope_of_run() returns a
 * scope with only these.
 */
void scope_add_run(struct scope *s, const struct run *r);
struct scope scope_of_run(struct plan *p, const struct run *r);

/* --- keys.c: values of keys --- */

/*
 * The entry of the key PAPER.KEY, on the command line or in a file.  If it is empty or absent, that
 * of default.KEY; NULL if there is none.
 */
const struct keyfile_entry *key_entry(const struct plan *p, const struct paper *paper,
				      const char *key);
/*
 * key_text() returns the value of this entry as it is written, or "".  key_of() does so for
 * KEY.NAME or, if that is empty, for KEY.  key_words() returns the words of key_text().
 */
const char *key_text(const struct plan *p, const struct paper *paper, const char *key);
const char *key_of(const struct plan *p, const struct paper *paper, const char *key,
		   const char *name);
struct list key_words(const struct plan *p, const struct paper *paper, const char *key);
/* All NAMEs for which a file or the command line has the key PAPER.KEY.NAME. */
struct list key_names(const struct plan *p, const struct paper *paper, const char *key);
/*
 * The entry of a key of the scope's home paper with the most specific suffix: .PROFILE.PAIR,
 * .PROFILE, .PAIR or none, each with @SIZE first in a column that is a sample.
 */
const struct keyfile_entry *nearest_key(const struct scope *s, const char *key);
/* The expanded value of a key of the scope's home paper; "" without a value. */
const char *value_of(const struct scope *s, const char *key);
/*
 * The value of a setting, such as PROFILE: given() looks on the command line only, setting() also
 * in the profile.  "" if there is none.
 */
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
/* The expanded text, with single blanks between its words. */
const char *expanded(const struct scope *s, const char *text);
/* Appends the value of a key, which is expanded for `home`. */
void expand_key(const struct scope *s, const struct keyfile_entry *k, const struct paper *home,
		struct buf *out);
/*
 * Give a name a value, "" for NULL: scope_set() in the text itself, and scope_know() also in the
 * values of keys.
 */
void scope_set(struct scope *s, const char *name, const char *value);
void scope_know(struct scope *s, const char *name, const char *value);
/* The value that scope_set() or scope_know() gave to a name, or NULL. */
const char *scope_get(const struct scope *s, const char *name);
/* A scope of a paper and a column, each of which may be NULL. */
struct scope scope_of(struct plan *p, const struct paper *paper, const char *column);

/* --- names.c: functions --- */

/*
 * Appends the value of the function `name` for the argument `arg`.  Returns false if there is no
 * such function, or none in this scope.
 */
bool function_value(const struct scope *s, const char *name, const char *arg, struct buf *out);
/* Is the name that of a function, or one whose value depends on the thing that is made? */
bool name_known(const char *name);
/* The files of BPE codes for the scope's paper and column. */
struct list codes_files(const struct scope *s);

/* --- options.c --- */

/*
 * The options of a command in a text, each once: of an option that is given twice, the last is
 * kept.
 */
const char *options_last(struct arena *a, const char *text);
/* The options in a text without the option `name`. */
const char *options_without(struct arena *a, const char *text, const char *name);

/* --- given.c, check.c: checks of the command line, and of the keys of a paper --- */

/* Both report their first error with fault() or fault_key(). */
void given_check(struct plan *p);
void paper_check(struct plan *p, const struct paper *paper);
/*
 * Is it a number without leading zeros?  A seed is part of names, so that 01 would be another run
 * than 1.
 */
bool is_number(const char *s);

/* --- folders.c: columns CORPUS.PAIR[@SIZE[.DRAW]] and files of DATA --- */

extern const char *const split_names[3];	/* train, dev, test */
extern const char *const side_names[2];		/* src, tgt */

const char *column_size(const char *column);	/* "SIZE[.DRAW]" in it, or NULL */
/* The parts of a column: CORPUS.PAIR, PAIR, CORPUS, and the language of a side, "src" or "tgt". */
const char *column_whole(struct arena *a, const char *column);
const char *column_pair(struct arena *a, const char *column);
const char *column_corpus(struct arena *a, const char *column);
const char *column_language(struct arena *a, const char *column, const char *side);
bool is_fetched(const char *corpus);		/* does pipeline.mk know how to fetch it? */
/*
 * lines_of_file() returns the lines of a short file, none if it cannot be read.  text_of_file()
 * joins them by blanks; NULL if it cannot be read.
 */
struct list lines_of_file(struct arena *a, const char *path);
const char *text_of_file(struct arena *a, const char *path);
/* The files that match a shell pattern, sorted by name. */
struct list files_like(struct arena *a, const char *pattern);

/* The file with the text of the scope's split and side. */
const char *text_find(const struct scope *s);
/* "CRC SIZE" of a file, as the command cksum prints them; "" if there is no such file. */
const char *file_sum(struct plan *p, const char *path);
/*
 * The commands that add the user's trees to a side of the scope's split, or of the training data if
 * the scope has no split; "" if there are no such trees.
 */
const char *trees_command(const struct scope *s, const char *side);
/* The checksums of the user's trees of both sides. */
const char *trees_sums(const struct scope *s);
/*
 * The names of further test sets of the scope's column, by the setting ALSO; none unless the corpus
 * is a folder of DATA.
 */
struct list other_tests(const struct scope *s);
/* It is an error if only some of the splits of a column have the user's trees. */
void trees_check(struct plan *p);
/*
 * The file of the parser for a side, or NULL.  *trained is false for a built-in parser, and true
 * for one of the folder MODELS.
 */
const char *parser_file(const struct scope *s, const char *side, bool *trained);
/*
 * The options and commands that make constituents from the output of a parser that predicts
 * dependencies only; "" for other parsers.
 */
const char *parser_phrases(const struct scope *s, const char *side);

/* --- stages.c: templates --- */

/* Reads src/stages.in, whose comments describe the format. */
void stages_read(struct plan *p);
/* Appends the rules of all blocks of this kind for the thing of the scope. */
void stage_write(const struct scope *s, struct buf *out, const char *kind);

/* --- needs.c, results.c: what is made --- */

/*
 * need() notes that a thing is needed, after everything from which it is made.  The functions
 * need_*() do so for all runs, for the benchmark of measures, and for results; need_benchmark()
 * sets *form to the form of the trees, "src" or "none".  The functions write_*() append the rules
 * that make what is needed.
 */
void need(struct plan *p, enum need kind, const char *name);
void need_runs(struct plan *p);
void need_benchmark(struct plan *p, const char **form);
void write_data(struct plan *p, struct buf *out);
void write_runs(struct plan *p, struct buf *out);
void need_results(struct plan *p);
void write_results(struct plan *p, struct buf *out);
/* With `draw`, lists on standard error the results that cannot be drawn. */
void warn_of_drawing(struct plan *p);

#endif
