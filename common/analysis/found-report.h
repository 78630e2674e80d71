/* found-report: the report of head-find(1) on the heads of a struct found_heads (found-heads.h). */
#ifndef FOUND_REPORT_H
#define FOUND_REPORT_H

#include "analysis/aligning-report.h"
#include "analysis/found-heads.h"

struct found_report {
	const struct found_heads *heads;	/* after found_heads_rank() */
	const struct set_losses *losses;	/* loss without the found heads; NULL: not
						 * measured */
	const char *model;			/* digest of the model for the signature
						 * (stream/signature.h); NULL: not in it */
};

/*
 * Appends the report to `out`.  `form` must not be ALIGNING_CTRANSLATE2.
 *
 *	text	a table of all measured heads, a list of the found heads, the loss without them,
 *		a verdict (the number of found heads, and of random sets without which the loss
 *		rises less), and the signature
 *	tsv	only the table
 *	json	the contents of text as one object, without the verdict
 */
void found_report_write(const struct found_report *r, enum aligning_form form, struct buf *out);

#endif
