/* results: tables, figures and reports of a paper, for stage-results.c; see stages.h. */
#ifndef PLAN_RESULTS_H
#define PLAN_RESULTS_H

#include "plan/stages.h"

/* A paper whose results are made. */
struct results {
	struct writer *w;
	const struct paper *paper;
	struct thing t;				/* with the names that all its things have */
	struct list also, curves;		/* other tables; runs with a learning curve */
	struct list plots, gains, maps, head_maps;	/* names of figures */
	struct list posthoc;			/* curves of heads */
	const struct run *whole, *gated, *walk;
	struct list studied, timed;		/* the first run of each variant */
};

/* results-find.c: the words of a key; the value of a key, or ""; the first column. */
struct list words_of(const struct results *r, const char *key);
const char *key(const struct results *r, const char *name);
const char *first_column(const struct plan *p);
bool has_prefix(const char *s, const char *prefix);
/* The first run of each of the variants of a key on the first column. */
struct list first_runs(const struct results *r, const char *key);
/* The runs of a section that the paper has; of claims, all. */
int section_runs(const struct results *r, const char *section, struct list *runs) MUST_USE;
/* The run that a heat map VARIANT[@least] OPTION... shows, or NULL. */
const struct run *map_run(const struct results *r, const char *map);
/* The checksums in these files, as "data=SUM"; if one is not there, those that FILE.of has. */
const char *data_sums(struct plan *p, const struct list *files, const char *file);
/* What there is: other tables, learning curves, plots, other figures, main systems. */
void find_also(struct results *r);
int find_curves(struct results *r) MUST_USE;
int find_plots(struct results *r) MUST_USE;
void find_figures(struct results *r);
struct list systems_of(const struct results *r);

/* stage-results.c: a thing of a paper, about a run or NULL; its rules; and {sums} for FILE. */
struct thing thing_of(const struct results *r, const struct run *run);
int write_thing(const struct results *r, struct thing *t, const char *kind) MUST_USE;
void set_sums(const struct results *r, struct thing *t, const char *name);

int write_figures(struct results *r) MUST_USE;		/* results-figures.c */
int write_report(struct results *r) MUST_USE;		/* results-report.c */

#endif
