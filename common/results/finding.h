/*
 * finding: the sentences on findings in a grid (grid.h).  A sentence has slots in braces, which
 * claims-findings.h fills with the verdicts on claims; heed-table(1) describes the slots.
 */
#ifndef FINDING_H
#define FINDING_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "results/grid.h"
#include "results/verdict.h"

/*
 * What fills a slot: a number of claims, names of systems, a difference, a verdict as a predicate,
 * the number of further seeds that open claims need, the detectable difference, the number of seeds
 * of the runs, or the mean of a measure.
 */
enum slot_kind {
	SLOT_COUNT, SLOT_NAMES, SLOT_EFFECT, SLOT_RESULT, SLOT_NEEDS, SLOT_DETECTABLE, SLOT_SEEDS,
	SLOT_MEAN
};

enum { SLOT_PATTERNS = 32 };

/* A slot.  Its texts belong to the pool t given to slot_read(). */
struct slot {
	enum slot_kind kind;
	unsigned verdicts;		/* for SLOT_COUNT and SLOT_NAMES: bit v is set if claims
					 * with verdict v count */
	const char *measure, *variant;	/* for SLOT_MEAN */
	const char *noun;		/* for SLOT_COUNT: the noun to put after the number, in the
					 * singular; or NULL */
	/*
	 * The claims of the slot: those that one of n patterns selects.  The members are shell
	 * patterns of the names of section, system, baseline and column of data.  `section` may be
	 * NULL for all sections, and `column` for the column with most of the tested claims.  If n
	 * is 0, the slot has all claims of this column.
	 */
	struct slot_pattern { const char *section, *row, *base, *column; } pattern[SLOT_PATTERNS];
	size_t n;
	const char *end;		/* the text after the closing brace */
};

/*
 * Reads the slot whose opening brace is at `text`.  Returns 0, or -1 with EXIT_INPUT if it is
 * malformed; the message quotes the slot and states the expectation.
 */
int slot_read(struct slot *s, struct texts *t, const char *text, struct err *e) MUST_USE;

/* Does a pattern select the claims of a row of a section, in any column of data? */
bool slot_selects(const struct slot_pattern *p, const struct grid_section *s,
		  const struct grid_row *row);

/*
 * Returns 0 if the slots of all findings of g are well-formed, each of their patterns selects a
 * claim, those of SLOT_EFFECT and SLOT_RESULT only one, and the grid has the systems of means.
 * Otherwise returns -1 with EXIT_INPUT; the message has `name`, the name of the grid, and the line.
 */
int findings_check(struct grid *g, const char *name, struct err *e) MUST_USE;

#endif
