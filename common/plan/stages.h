/*
 * stages: fills the templates of src/stages.in, which has their format, for the things that papers
 * need.
 */
#ifndef STAGES_H
#define STAGES_H

#include "plan/plan.h"

enum { MAX_VARS = 48 };

struct writer {
	struct plan *p;
	struct buf *out;
	struct err *e;
	struct block *block;		/* [n] the templates, in their order */
	size_t n, room;
	struct list data;		/* PAPER/PREPARATION/COLUMN: checksums of all splits */
	struct list streams;		/* PAPER/PREPARATION/COLUMN/SPLIT */
	struct list summed;		/* those whose checksum is needed */
	struct list codes;		/* files of BPE codes with their columns: "FILE COLUMN" */
	struct list parsed;		/* PARSER/COLUMN/SPLIT */
	struct list texts;		/* COLUMN/SPLIT */
	struct list columns;		/* whose number of pairs is needed */
	struct list measured;		/* runs whose heads are measured */
	struct list pruned;		/* runs whose pruned model is needed */
};

/* A thing: a scope with room for names and values. */
struct thing {
	struct scope s;
	struct scope_var var[MAX_VARS];
};

void thing_init(struct thing *t, struct writer *w);
void thing_set(struct thing *t, const char *name, const char *value);	/* NULL: "" */
/* Writes all templates of this kind for the thing. */
int thing_write(struct writer *w, struct thing *t, const char *kind) MUST_USE;

/* stage-data.c: notes what a stream or a text needs; writes the rules of all data. */
int need_data(struct writer *w, const char *data) MUST_USE;
int need_stream(struct writer *w, const char *stream) MUST_USE;
int need_columns(struct writer *w) MUST_USE;
int need_benchmark(struct writer *w, const char **form) MUST_USE;
int write_data(struct writer *w) MUST_USE;

/* stage-runs.c */
int need_runs(struct writer *w) MUST_USE;
int write_runs(struct writer *w) MUST_USE;

/* stage-results.c */
int need_results(struct writer *w) MUST_USE;
int write_results(struct writer *w) MUST_USE;
/* Whether the paper is wanted and has runs. */
bool is_reported(const struct plan *p, const struct paper *paper);

/* draw.c: warns of what is not drawn, on standard error. */
void warn_of_drawing(struct plan *p);

/* The records of runs in the ledger, separated by blanks. */
const char *records_of(const struct plan *p, const struct list *runs);

#endif
