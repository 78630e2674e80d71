/*
 * run-settings: what runs and searches have in common; see plan.h.
 */
#ifndef RUN_SETTINGS_H
#define RUN_SETTINGS_H

#include "plan/plan.h"

/* The value of PAPER.KEY.NAME as it is written, or NULL. */
const char *named(const struct plan *p, const struct paper *paper, const char *key,
		  const char *name);
/* The preparation of variants without one of their own. */
const char *paper_data(const struct plan *p, const struct paper *paper);
/* The text with single blanks. */
const char *stripped(struct arena *a, const char *text);
/* The options of nmt-train that all variants have; seed may be NULL. */
const char *common_options(const struct scope *s, const char *seed, struct err *e);
/* A setting of the command line or of the profile, or "". */
const char *plain_setting(const struct plan *p, const char *name);

/* Adds the searches of a paper on all its columns; marks those that runs need. */
int add_searches(struct plan *p, const struct paper *paper, struct err *e) MUST_USE;
void mark_searches(struct plan *p);
/* Appends the line of a search in the list of wanted runs. */
void add_search_line(struct plan *p, const struct search *s, struct buf *out);

#endif
