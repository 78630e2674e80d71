/* paper-check: checks of keys and of values of a paper; see plan.h. */
#ifndef PAPER_CHECK_H
#define PAPER_CHECK_H

#include "plan/plan.h"

/* A paper that is being checked. */
struct check {
	struct plan *p;
	const struct paper *paper;
	struct err *e;
	struct list variants, sections, uses;	/* uses: names in the values of all papers */
};

/* PAPER.KEY, or NULL. */
const struct keyfile_entry *entry_of(const struct plan *p, const struct paper *paper,
				     const char *key);

/* paper-values.c: each returns 0, or -1 with the first wrong value. */
int check_references(const struct check *c) MUST_USE;
int check_tables(const struct check *c) MUST_USE;
int check_data(const struct check *c, const struct keyfile_entry *k, const char *name) MUST_USE;
int check_number(const struct check *c, const struct keyfile_entry *k, const char *name) MUST_USE;

#endif
