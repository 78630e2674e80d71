/* found-report: what head-find prints about the heads of found-heads.h. */
#ifndef FOUND_REPORT_H
#define FOUND_REPORT_H

#include "analysis/aligning-report.h"
#include "analysis/found-heads.h"

struct found_report {
	const struct found_heads *heads;	/* ranked */
	const struct set_losses *losses;	/* NULL: not measured */
	const char *model;			/* its name in the signature, or NULL */
};

/*
 * Appends the report, in a form other than ALIGNING_CTRANSLATE2:
 *
 *	text	a table of the heads, those that are found, the loss without them, the verdict, and
 *		the signature
 *	tsv	the table
 *	json	all of it as one object
 */
void found_report_write(const struct found_report *r, enum aligning_form form, struct buf *out);

#endif
