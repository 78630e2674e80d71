/* aligning-report: what head-find prints about the heads that align words. */
#ifndef ALIGNING_REPORT_H
#define ALIGNING_REPORT_H

#include "analysis/aligning-heads.h"
#include "analysis/set-losses.h"

enum aligning_form { ALIGNING_TEXT, ALIGNING_TSV, ALIGNING_JSON, ALIGNING_CTRANSLATE2 };
extern const char *const aligning_forms[];	/* the names by enum aligning_form, then NULL */
extern const char *const aligning_row_names[];	/* by enum aligning_rows, then NULL */

struct aligning_report {
	const struct aligning_heads *heads;
	const char *model;		/* its name in the signature, or NULL */
	enum aligning_rows rows;	/* the rows of which the scores are printed */
	/*
	 * For each value of enum aligning_rows, the chosen set as aligning_heads_choose() returns
	 * it: `set` [heads->n], `order` [heads->n], and the number of heads in `size`.
	 */
	bool *set[ROWS_KINDS];
	size_t *order[ROWS_KINDS], size[ROWS_KINDS];
	const struct set_losses *losses;	/* NULL: not measured */
};

/*
 * Overwrites r, and chooses the sets.  The caller may set r->model and r->losses afterward; they
 * and `heads` must outlive r.
 */
void aligning_report_begin(struct aligning_report *r, const struct aligning_heads *heads,
			   enum aligning_rows rows);
void aligning_report_release(struct aligning_report *r);
/*
 * Appends the report:
 *
 *	text	a table of the heads, the set, the loss without it, and the signature
 *	tsv	the table
 *	json	all of it as one object
 *	ctranslate2	the set as the value of alignment_heads: [[layer, head], ...], from 0
 */
void aligning_report_write(const struct aligning_report *r, enum aligning_form form,
			   struct buf *out);

#endif
