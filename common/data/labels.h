/*
 * labels: what a stream says of pairs of source pieces, as labels for op_labels().
 *
 * A field of pairs (bits[n,n] or i8[n,n] over the pieces) is looked at once a batch; every value becomes a
 * label by a rule, and an end symbol behind the pieces gets labels of its own.
 */
#ifndef LABELS_H
#define LABELS_H

#include <stdbool.h>

#include "base/err.h"
#include "data/batch.h"
#include "data/means.h"
#include "ops/ops.h"

struct label_rule {
	const char *field;		/* "src.dep" */
	bool optional;			/* a record without it has no labels; else an error ... */
	const char *cure;		/* ... with this hint */
	int n;				/* labels are less */
	/* Of the pair (i, j) with this value: a label, LABEL_NEVER, or -1: no such value. */
	int (*label)(const struct label_rule *rule, int value, int i, int j);
	int reach;			/* for label() */
	int end_row, end_column, end_self;	/* the end symbol looks, is looked at, looks at itself */
};

/*
 * Labels of all sentences, in which a piece that may look at nothing looks at itself (methods
 * 1.4); kept with the batch under the rule's address.  NULL with EXIT_INPUT.
 */
const struct labels *labels_make(struct batch *b, const struct label_rule *rule, struct err *e);

/* The share of a batch's sentences without labels, which are as in the plain model, for the log. */
void labels_report(const struct batch *b, const struct label_rule *rule, const char *site,
		   struct means *y);

/* Fields as bits, 0 or 1: label 0 where there is a 1.  The end symbol sees all and is seen by itself (A-R10). */
int label_bit(const struct label_rule *rule, int value, int i, int j);
extern const struct label_rule label_dependency;	/* "src.dep", optional */

#endif
