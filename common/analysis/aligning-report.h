/* aligning-report: the report of head-find(1) on heads that align words (aligning-heads.h). */
#ifndef ALIGNING_REPORT_H
#define ALIGNING_REPORT_H

#include "analysis/aligning-heads.h"
#include "analysis/set-losses.h"

enum aligning_form { ALIGNING_TEXT, ALIGNING_TSV, ALIGNING_JSON, ALIGNING_CTRANSLATE2 };
extern const char *const aligning_forms[];	/* their names: text, tsv, json, ctranslate2; then
						 * NULL */
extern const char *const aligning_row_names[];	/* the names of enum aligning_rows: predicts, reads;
						 * then NULL */

struct aligning_report {
	const struct aligning_heads *heads;
	const char *model;		/* digest of the model for the signature
					 * (stream/signature.h); NULL: not in it */
	enum aligning_rows rows;	/* the rows whose scores are printed */
	/*
	 * The results of aligning_heads_choose() for each value of enum aligning_rows: its arrays
	 * `set` [heads->n] and `order` [heads->n], and in `size` the number of chosen heads.
	 */
	bool *set[ROWS_KINDS];
	size_t *order[ROWS_KINDS], size[ROWS_KINDS];
	const struct set_losses *losses;	/* loss without the chosen set; NULL: not
						 * measured */
};

/*
 * Overwrites *r, and chooses the sets.  Afterward, the caller may set r->model and r->losses.  The
 * objects of all three pointers must outlive `r`.
 */
void aligning_report_begin(struct aligning_report *r, const struct aligning_heads *heads,
			   enum aligning_rows rows);
void aligning_report_release(struct aligning_report *r);
/*
 * Appends the report to `out`:
 *
 *	text	a table of the heads; the chosen set with its scores, and the error rate of the mean
 *		of all heads; the loss without the set; the set chosen with the other rows; and the
 *		signature
 *	tsv	only the table of the heads
 *	json	the contents of text as one object, without the mean of all heads and without the
 *		set of the other rows
 *	ctranslate2	the chosen set as CTranslate2's setting alignment_heads,
 *			[[layer, head], ...], both from 0
 */
void aligning_report_write(const struct aligning_report *r, enum aligning_form form,
			   struct buf *out);

#endif
