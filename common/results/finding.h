/*
 * finding: the sentences of a grid on its findings, with slots that are filled with the verdicts on
 * its claims; heed-table(1) describes the slots.
 */
#ifndef FINDING_H
#define FINDING_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "results/grid.h"
#include "results/verdict.h"

enum slot_kind {
	SLOT_COUNT, SLOT_NAMES, SLOT_EFFECT, SLOT_RESULT, SLOT_NEEDS, SLOT_DETECTABLE, SLOT_SEEDS,
	SLOT_MEAN
};

enum { SLOT_PATTERNS = 32 };

/* A slot: the text between two braces.  Its texts belong to the pool given to slot_read(). */
struct slot {
	enum slot_kind kind;
	unsigned verdicts;		/* for SLOT_COUNT and SLOT_NAMES: a bit for each verdict */
	const char *measure, *variant;	/* for SLOT_MEAN */
	const char *noun;		/* singular, after a count; or NULL */
	/* Claims, by shell patterns; `section` and `column` may be NULL. */
	struct slot_pattern { const char *section, *row, *base, *column; } pattern[SLOT_PATTERNS];
	size_t n;
	const char *end;		/* after the closing brace */
};

/*
 * Reads the slot whose opening brace is at text.  Returns 0, or -1 with EXIT_INPUT; the message
 * quotes the slot and states the expectation.
 */
int slot_read(struct slot *s, struct texts *t, const char *text, struct err *e) MUST_USE;

/* Whether a pattern selects a row of a section, in any column. */
bool slot_selects(const struct slot_pattern *p, const struct grid_section *s,
		  const struct grid_row *row);

/*
 * Returns 0 if all slots of all findings of g are known and each of their patterns selects a claim
 * or, in a mean, a row.  Otherwise returns -1 (EXIT_INPUT); the message names the grid, as name,
 * and the line.
 */
int findings_check(struct grid *g, const char *name, struct err *e) MUST_USE;

#endif
