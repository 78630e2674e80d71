/*
 * plan: the work that papers need: their settings, corpora, searches and runs, and the rules of
 * make that do it.  heed-pipeline(7) describes the settings of papers, and src/stages.in the rules.
 *
 * A paper is a comparison of models, with settings in src/papers/NAME.conf and a grid of tables in
 * src/papers/NAME.grid (results/grid.h).  The sections of the grid have rows, each of which is a
 * variant: a model with its options.  Their columns are the data, CORPUS.PAIR, such as help.en-de,
 * or CORPUS.PAIR@SIZE for a sample of SIZE pairs of the training data.  A run is one training of a
 * variant on a column with a seed.  The ledger (results/ledger.h) is the folder with the results of
 * finished runs.  A search (nmt-search(1)) finds options of nmt-train for a column.
 *
 * A split is "train", "dev" or "test", or the name of a further test set.  A preparation is a way
 * to prepare these for a paper, such as "plain" or one with trees of a parser.  A profile is a file
 * src/profiles/NAME.conf with sizes and durations for a kind of machine; its keys are the settings
 * in capitals that can also be given on the command line, such as PAIR=en-de.
 *
 * All texts and lists are in the arena of the plan.
 *
 * A plan keeps its first error, and plan_read(), plan_runs() and plan_write() then return -1 with
 * it.  After an error, the other functions return empty values, and nothing is written.
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
	struct list variants;		/* names of variants that have a key variant.NAME in the
					 * paper's file or on the command line */
	struct list main;		/* variants of the sections in the key `main`, and their
					 * baselines: they have the seeds of the key `seeds`, others
					 * those of `more_seeds` */
	struct list sized;		/* columns of sections with the line "scope sizes": samples
					 * of p->columns with the sizes in the key `sizes`; "all"
					 * stands for p->columns themselves */
	struct list asked;		/* requested sections, in the order of the grid */
	struct list only;		/* if TABLES or SYSTEMS is given: the requested variants of
					 * the requested sections, and their baselines */
	struct list runs;		/* names of the runs of the sections in `asked`, sorted;
					 * with p->draw, only those that the ledger has */
	bool goal;			/* the paper is one of plan.goals */
};

/*
 * The runs on which a run may depend, of the same column and seed.  The keys of its variant name
 * their variants: begin.VARIANT, from whose model the run starts; aligned.VARIANT, whose model
 * aligns the words of its training data; and closed.VARIANT, whose list of attention heads it
 * masks.  RUN_BEFORE: the number of these kinds.
 */
enum { RUN_BEGIN, RUN_ALIGNED, RUN_CLOSED, RUN_BEFORE };

/* A run, with everything that the rules of make need to know about it. */
struct run {
	const char *name;		/* PAPER/COLUMN/VARIANT/SEED */
	const struct paper *paper;
	const char *column, *variant, *seed;
	const char *drawn;		/* the name of the data that the run reads: the column or,
					 * if that is a sample, COLUMN.SEED, because each seed has
					 * its own sample */
	const char *data;		/* its prepared data: PAPER/PREPARATION/DRAWN */
	const char *before[RUN_BEFORE];	/* by RUN_*: names of the runs that it depends on, or
					 * NULL */
	const char *how;		/* how the heads that it masks are chosen, HOW of the file
					 * closed.HOW of the run RUN_CLOSED: "gate" by its gates,
					 * otherwise by a measure or at random; or NULL */
	const char *search;		/* the search whose result is among its options, or NULL */
	const char *options;		/* the options of nmt-train */
	const char *asked;		/* everything that determines its result, except its data */
	const char *digest;		/* of its entry in the ledger; NULL if the ledger lacks the
					 * run as it is asked for */
};

/* A search for settings on a column, by the paper's key `searches`. */
struct search {
	const char *name;		/* PAPER/search/COLUMN/NAME */
	const struct paper *paper;
	const char *column, *after;	/* after: the name of an earlier search whose result it
					 * uses, or NULL */
	const char *best;		/* the options that it found, by the ledger, even if it is
					 * missing; or NULL */
	const char *trial;		/* the options of nmt-train that all its trials have */
	const char *how;		/* what determines its result, as text: the engine
					 * (model/engine.h), the settings, and the search space */
	bool missing;			/* the ledger lacks it, or has it with another `how` */
	bool wanted;			/* a wanted run needs it */
};

/* A name with its value, in a list in which later definitions come first. */
struct var { const char *name, *value; const struct var *next; };

/*
 * A block of rules from src/stages.in, a template that is written for each thing of some kinds,
 * such as runs or streams: it begins with "each KIND..." or "each KIND... with NAME".
 */
struct block {
	const char *kinds, *with;	/* kinds: separated by blanks; with: only for things for
					 * which this name has a value, or NULL */
	struct list lines;		/* of the template; a continued line has line ends in it */
	const char *place;		/* FILE:LINE of its first line, for messages */
};

/*
 * The kinds of things that are made before runs.  Each thing is identified by a name of the form
 * given here, where COLUMN of a preparation is run.drawn.  A stream is a file of sentence pairs,
 * for a split, after the preparation of a paper (NEED_STREAM) or after a parser (NEED_PARSED);
 * PARSER is a name in src/forms.conf, or "none" for text without trees.
 */
enum need {
	NEED_DATA,			/* PAPER/PREPARATION/COLUMN: checksums of its streams */
	NEED_SUM,			/* PAPER/PREPARATION/COLUMN/SPLIT: checksum of a stream */
	NEED_STREAM,			/* PAPER/PREPARATION/COLUMN/SPLIT */
	NEED_CODES,			/* a file of BPE codes and the column from which it is
					 * learned, "FILE COLUMN" */
	NEED_PARSED,			/* PARSER/COLUMN/SPLIT */
	NEED_TEXT,			/* COLUMN/SPLIT */
	NEED_PAIRS,			/* a column whose number of sentence pairs is needed */
	NEED_HEADS,			/* the name of a run whose attention heads are measured */
	NEED_PRUNED,			/* the name of a run whose model is needed without the heads
					 * that its gates close */
	NEEDS
};

struct plan {
	/* Set by the caller: */
	const char *top;		/* the folder with src/: "", or with a slash at its end */
	const char *folder;		/* for lists that are written next to the rules, with a
					 * slash at its end */
	bool drafts;			/* accept drafts in the ledger, see ledger_admit() */
	bool draw;			/* only tables and figures, of the runs in the ledger */
	struct list goals;		/* names of the wanted papers; none: all */

	struct arena *a;		/* the arena of conf, which has all texts and lists */
	struct keyfile conf;
	struct err *e;			/* the caller's; it has the first error if `bad` */
	bool bad;			/* *e is set */
	const struct var *vars, *lets;	/* vars: names that all scopes know, such as W; lets: the
					 * definitions "let NAME = TEXT" of stages.in */
	struct block *block;		/* [n_blocks] of stages.in, in its order */
	size_t n_blocks, blocks_room;
	const char *profile, *work, *results;	/* PROFILE, a name; the folders W, for all that is
						 * made, and R, the ledger */
	/*
	 * The values of settings: `pairs` of PAIR; `folders` of DATA, the user's folders with
	 * texts; `corpora` of CORPUS or, with DATA, the names of these folders; `columns` are all
	 * CORPUS.PAIR; `tables` of TABLES, the requested sections; `systems` of SYSTEMS, the
	 * requested variants; an empty list of these requests all.
	 */
	struct list pairs, folders, corpora, columns, tables, systems;
	struct list forms, profiles, keys;	/* names of the parsers in src/forms.conf, names in
						 * src/profiles/, and the lines of src/papers.keys,
						 * which lists the keys of papers */
	struct paper *paper;		/* [n_papers] */
	size_t n_papers;
	struct strmap by_name;		/* numbers of the runs by name, in the order in which they
					 * were found */
	struct run **run;		/* [by_name.n] by its number in by_name */
	size_t runs_room, lacking;	/* lacking: the number of runs in `runs` that the ledger
					 * lacks */
	struct list runs;		/* names of all wanted runs, with those that they depend on,
					 * sorted */
	const char *wanted;		/* the list of wanted runs (results/wanted.h); NULL: none */
	struct search *search;		/* [n_searches] of the wanted papers */
	size_t n_searches, searches_room;
	/* By kind, the names of things that are needed, in the order in which they can be made. */
	struct list need[NEEDS];
	struct list left_out, dropped;	/* with `draw`, files that cannot be drawn, and files made
					 * from them */
	struct list sums;		/* lines with checksums of files, for file_sum() */
	struct results *result;		/* [n_papers] private to results.c */
};

/*
 * What gives the names in braces in a text their values while it is expanded (see expand()): the
 * thing that something is made for, such as a paper, a column or a run.  A scope is a value: a copy
 * can get further names without a change of the original.
 */
struct scope {
	struct plan *p;
	const struct paper *paper;	/* the paper that something is made for, or NULL */
	const struct paper *home;	/* the paper whose file has the text, and whose keys names
					 * in it stand for; or NULL */
	const struct keyfile_entry *from;	/* the key whose value is expanded, or NULL for a
						 * template */
	const char *place;		/* FILE:LINE of the template, or NULL for the value of a
					 * key.  Only templates can use definitions of stages.in and
					 * some functions */
	const struct run *run;
	const struct var *var, *known;	/* values of names, the last one first: those of `var` are
					 * visible only in the text itself, those of `known` also in
					 * the values of keys that it contains */
	bool rule;			/* the text is a rule of make, so values get $$ for $ */
	bool shell;			/* a value that is known only when a run is made, such as
					 * the updates of an earlier run, becomes a command $(...)
					 * that prints it; otherwise a text that stands for it */
	int depth;			/* of expansions in each other, which is limited: a key that
					 * refers to itself is an error */
};

/* --- plan.c --- */

/*
 * Reads settings, papers and grids, and checks them: nothing is run or written.  The settings of
 * the command line must have been added to p->conf (keyfile_give()).  `e` must live until the next
 * of these three functions is called.
 */
int plan_read(struct plan *p, struct err *e) MUST_USE;
/* Finds the runs and searches of the goals, and those of the ledger; after plan_read(). */
int plan_runs(struct plan *p, struct err *e) MUST_USE;
/*
 * Appends to `out` the rules for everything that the goals need, and then writes p->wanted, and the
 * lists that these rules read, to files in p->folder.  Call it after plan_runs().
 */
int plan_write(struct plan *p, struct buf *out, struct err *e) MUST_USE;
/* plan_init() comes before the members that the caller sets. */
void plan_init(struct plan *p);
void plan_release(struct plan *p);

/* Sets the error of the plan and `bad`, unless it already has one. */
void fault(struct plan *p, enum exit_status status, const char *fmt, ...) PRINTF_LIKE(3, 4);
/*
 * The same, with the place of the key or template at the start of the message: that of the scope,
 * or of `k`.  The status is EXIT_USAGE for a key of the command line, and otherwise EXIT_INPUT.
 */
void fault_at(const struct scope *s, const char *fmt, ...) PRINTF_LIKE(2, 3);
void fault_key(struct plan *p, const struct keyfile_entry *k, const char *fmt, ...)
	PRINTF_LIKE(3, 4);

/* The paper of this name, or NULL. */
const struct paper *plan_paper(const struct plan *p, const char *name);
/* Whether results of the paper are wanted: it is a goal, or there are no goals. */
bool is_wanted(const struct plan *p, const struct paper *paper);
/*
 * section_columns() returns the columns of a section: those of the key corpora.SECTION or, without
 * it, p->columns.  section_cells() does so, too, except that it returns paper->sized for a section
 * with the line "scope sizes" if there are any.  paper_columns(): of all sections in paper->asked.
 */
struct list paper_columns(struct plan *p, const struct paper *paper);
struct list section_columns(struct plan *p, const struct paper *paper, const char *section);
struct list section_cells(struct plan *p, const struct paper *paper, const struct grid_section *s);

/* --- runs.c --- */

/* The run or the search of this name, or NULL; `name` may be NULL. */
struct run *plan_run(const struct plan *p, const char *name);
struct search *plan_search(const struct plan *p, const char *name);
/*
 * The names of those of paper->runs that a section has; for a section of claims, which are judged
 * by runs of other sections (results/claims.h), all of them.
 */
struct list section_runs(struct plan *p, const struct paper *paper, const char *section);
/*
 * The names of all of paper->runs on the columns of a section, also of systems that only other
 * sections have.  A confidence interval is computed from a host group, which may have all these
 * systems (results/host-group.h).
 */
struct list pooled_runs(struct plan *p, const struct paper *paper, const char *section);
/* PAPER/COLUMN/VARIANT/SEED; with an empty seed, what the names of all seeds begin with. */
const char *run_name(const struct plan *p, const struct paper *paper, const char *column,
		     const char *variant, const char *seed);
/* The names of paper->runs with this variant and column; and the first of these runs, or NULL. */
struct list runs_of(const struct plan *p, const struct paper *paper, const char *column,
		    const char *variant);
const struct run *first_run(const struct plan *p, const struct paper *paper, const char *column,
			    const char *variant);
/*
 * By the names of runs: entry_of() returns the folder of a run's entry in the ledger,
 * RESULTS/PAPER/run/COLUMN/VARIANT/SEED, which need not exist; and records_of() the paths of the
 * files "record" in these folders, separated by blanks.
 */
const char *entry_of(const struct plan *p, const char *run);
const char *records_of(const struct plan *p, const struct list *runs);
/*
 * scope_add_run() gives the names of a run, such as {seed}, their values in a scope; scope_of_run()
 * returns a scope of its paper and column with these.
 */
void scope_add_run(struct scope *s, const struct run *r);
struct scope scope_of_run(struct plan *p, const struct run *r);

/* --- keys.c: values of keys --- */

/*
 * The entry of the key PAPER.KEY, on the command line or in a file.  If its value is empty or it is
 * absent, that of default.KEY, from src/defaults.conf, if there is one.  NULL if there is neither.
 */
const struct keyfile_entry *key_entry(const struct plan *p, const struct paper *paper,
				      const char *key);
/*
 * key_text() returns the value of this entry as it is written, without an expansion, or "".
 * key_of() does so for KEY.NAME or, if that is empty, for KEY.  key_words() returns the words of
 * key_text().
 */
const char *key_text(const struct plan *p, const struct paper *paper, const char *key);
const char *key_of(const struct plan *p, const struct paper *paper, const char *key,
		   const char *name);
struct list key_words(const struct plan *p, const struct paper *paper, const char *key);
/* All NAMEs for which a file or the command line has the key PAPER.KEY.NAME. */
struct list key_names(const struct plan *p, const struct paper *paper, const char *key);
/*
 * The entry of a key of the scope's home paper, which must not be NULL: that with the most specific
 * suffix, .PROFILE.PAIR, .PROFILE, .PAIR or none, each with @SIZE first in a column that is a
 * sample.  An entry of the command line comes before those of files.  After the entries of either,
 * that of the variable that src/papers.keys names for the key counts, such as SIZE for size; and at
 * last that of default.KEY.  While the value of a key is expanded, its own name stands for the less
 * specific entry.  NULL if there is none.
 */
const struct keyfile_entry *nearest_key(const struct scope *s, const char *key);
/*
 * The expanded value of a key of the scope's paper, by nearest_key(); "" without a value or a
 * paper.
 */
const char *value_of(const struct scope *s, const char *key);
/*
 * The value of a setting, such as PROFILE: given() looks on the command line only, setting() also
 * in files, such as the profile.  "" if there is none.
 */
const char *given(const struct plan *p, const char *name);
const char *setting(const struct plan *p, const char *name);
/* Whether src/papers.keys has a key whose name up to the first dot is that of `name`. */
bool is_key(const struct plan *p, const char *name);

/* --- expand.c --- */

/*
 * Appends the text, with values in place of the names in braces:
 *
 *	{NAME}		a key of the paper, a setting, or something that depends on what is made
 *	{PAPER.NAME}	a key of another paper
 *	{?NAME TEXT}	the text if the value is not empty; {!NAME TEXT}: if it is empty
 *	{'NAME}		the value as a word of a shell
 *	{each NAME TEXT}	the text for each word of the value, which is {it}
 *	{NAME TEXT}	a function; or a definition of stages.in, in which the text is {it}
 */
void expand(const struct scope *s, const char *text, struct buf *out);
/* The same as a text in the arena, with single blanks between its words. */
const char *expanded(const struct scope *s, const char *text);
/* Appends the value of the entry `k`, expanded; names in it stand for keys of the paper `home`. */
void expand_key(const struct scope *s, const struct keyfile_entry *k, const struct paper *home,
		struct buf *out);
/*
 * Give a name a value, which is not copied, or "" for NULL: scope_set() in the text itself, and
 * scope_know() also in the values of keys.  A later value replaces an earlier one.
 */
void scope_set(struct scope *s, const char *name, const char *value);
void scope_know(struct scope *s, const char *name, const char *value);
/* Gives {column}, {whole}, {pair}, {corpus} and {sample} their values by scope_know(). */
void scope_know_column(struct scope *s, const char *column);
/* The value that scope_set() or scope_know() gave to a name, or NULL. */
const char *scope_get(const struct scope *s, const char *name);
/*
 * A scope for a paper and a column, each of which may be NULL, for the values of keys; for a
 * template, set its `place`.
 */
struct scope scope_of(struct plan *p, const struct paper *paper, const char *column);

/* --- names.c: functions --- */

/*
 * Appends the value of {name arg}: of a function, such as {sum KEY KEY}, or a name that is computed
 * from the scope, such as {language}; names.c describes each.  Returns false if there is no such
 * function, or if it needs something that the scope lacks, such as a column.
 */
bool function_value(const struct scope *s, const char *name, const char *arg, struct buf *out);
/*
 * Is this a name that values of keys may have in braces though it is no key: that of a function, or
 * one whose value depends on the thing that is made?
 */
bool name_known(const char *name);

/* --- options.c --- */

/*
 * The options of nmt-train in a text, without the option `without`; if that is NULL, each once: of
 * an option that is given again, only the last is kept, except for options that accumulate, such as
 * --arch.
 */
const char *options_kept(struct arena *a, const char *text, const char *without);

/* --- given.c, check.c: checks of the command line, and of the keys of a paper --- */

/*
 * given_check() checks the settings of the command line, and paper_check() the keys and grid of a
 * paper.  Both report their first error with fault() or fault_key().
 */
void given_check(struct plan *p);
void paper_check(struct plan *p, const struct paper *paper);
/*
 * Is the text a number without leading zeros?  With them, a seed such as 01 would be another run
 * than 1, since the text is part of its name.
 */
bool is_number(const char *s);

/* --- folders.c: columns CORPUS.PAIR[@SIZE[.DRAW]] and files of DATA --- */

extern const char *const split_names[3];	/* train, dev, test */
extern const char *const side_names[2];		/* src, tgt */

const char *column_size(const char *column);	/* "SIZE[.DRAW]" in it, or NULL */
/* Parts of a column: CORPUS.PAIR, PAIR, CORPUS, and the language of a side, "src" or "tgt". */
const char *column_whole(struct arena *a, const char *column);
const char *column_pair(struct arena *a, const char *column);
const char *column_corpus(struct arena *a, const char *column);
const char *column_language(struct arena *a, const char *column, const char *side);
bool is_fetched(const char *corpus);		/* can pipeline.mk fetch this corpus? */
/*
 * lines_of_file() returns the lines of a short file, an empty list if it cannot be read.
 * text_of_file() joins them by blanks, and returns NULL if it cannot be read.  file_has_words() is
 * true for a file with the words of the text, and no others.
 */
struct list lines_of_file(struct arena *a, const char *path);
const char *text_of_file(struct arena *a, const char *path);
bool file_has_words(struct arena *a, const char *path, const char *text);
/* The files whose names are `folder` and what matches a shell pattern, sorted by name. */
struct list files_like(struct arena *a, const char *folder, const char *pattern);

/*
 * The file with the text of the scope's column, split and side, in the folder of DATA that the
 * column names.  Sets the error of the plan if there is none, or if several could be meant.
 */
const char *text_find(const struct scope *s);
/*
 * "CRC SIZE" of a file, as cksum(1) prints them; "" if it cannot be read.  The sums of files that
 * have not changed since an earlier plan come from the file "cksums" of p->work.
 */
const char *file_sum(struct plan *p, const char *path);
/*
 * The user's trees are parse trees in files of a folder of DATA, in the formats CoNLL-U and PTB.
 * trees_command() returns the commands that add them to a side of the scope's split, or of the
 * training data if the scope has no split; "" if there are no such trees.
 */
const char *trees_command(const struct scope *s, const char *side);
/*
 * The checksums of the files with the user's trees of both sides of the scope's split, separated by
 * blanks.
 */
const char *trees_sums(const struct scope *s);
/*
 * The names of further test sets of the scope's column, by the setting ALSO; an empty list unless
 * the corpus is a folder of DATA.
 */
struct list other_tests(const struct scope *s);
/*
 * Sets the error of the plan if the splits of a column have different kinds of the user's trees, or
 * only some of them have any.
 */
void trees_check(struct plan *p);
/*
 * The file of the parser for the language of a side, or NULL if there is none.  *trained is false
 * for a parser that comes with these programs, and true for one of the user, in the folder of the
 * setting MODELS.
 */
const char *parser_file(const struct scope *s, const char *side, bool *trained);
/*
 * The rest of a command, which follows {parser-src} or {parser-tgt}, that makes constituents from
 * the output of a parser that predicts dependencies only; "" if the parser predicts constituents.
 */
const char *parser_phrases(const struct scope *s, const char *side);

/* --- stages.c: templates --- */

/* Reads src/stages.in, whose comments describe the format, into p->block and p->lets. */
void stages_read(struct plan *p);
/*
 * Appends the rules of all blocks of this kind ("each KIND" in stages.in), with the values that the
 * scope gives to names.
 */
void stage_write(const struct scope *s, struct buf *out, const char *kind);

/* --- needs.c, results.c: what is made --- */

/*
 * need() adds a thing to p->need[kind] and, before it, everything from which it is made.
 * need_runs() does so for all that the wanted runs read, and need_results() for what tables and
 * figures read.  With the setting MODEL, the plan is only for the benchmark of measures of
 * attention heads (src/benchmark.mk): need_benchmark() then does so for the texts and trees of the
 * first column, and sets *form to the parser of the trees, "src", or to "none" if there are none
 * for the language.  The functions write_*() append to `out` the rules that make what is needed.
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
