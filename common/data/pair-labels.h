/*
 * pair-labels: labels of pairs of source subwords for op_labels(), from a field of a stream.
 *
 * The field is a matrix over the subwords, bits[n,n] or i8[n,n].  A rule turns each value into a
 * label.  If the model adds an end token to the source, its row and column get labels of their
 * own.  Labels are computed once per batch.
 */
#ifndef PAIR_LABELS_H
#define PAIR_LABELS_H

#include <stdbool.h>

#include "base/err.h"
#include "data/batch.h"
#include "data/means.h"
#include "ops/ops.h"

struct label_rule {
	const char *field;		/* "src.dep" */
	bool optional;			/* a record may lack the field, and has no labels then */
	const char *cure;		/* the hint if a field is missing that is not optional */
	int n;				/* the number of labels */
	/*
	 * The label of the pair (i, j) with this value, or LABEL_NEVER (op_labels()) if i must not
	 * attend to j; -1 if the value is invalid.
	 */
	int (*label)(const struct label_rule *rule, int value, int i, int j);
	int reach;			/* a parameter for label() */
	/* Labels for the end token: as query, as key, and as both. */
	int end_row, end_column, end_self;
};

/*
 * Returns the labels of all sentences, stored with the batch under the address of the rule.  A
 * subword that may attend to nothing attends to itself.  Returns NULL with EXIT_INPUT if a field is
 * missing or invalid.
 */
const struct labels *labels_make(struct batch *b, const struct label_rule *rule, struct err *e);

/*
 * Adds the share of sentences without labels to the means, for the log.  Such sentences use
 * unmodified attention.
 */
void labels_report(const struct batch *b, const struct label_rule *rule, const char *site,
		   struct means *y);

/*
 * A label function for fields of bits: label 0 for 1, LABEL_NEVER for 0.  With label_dependency
 * the end token attends to everything, and only the end token attends to it.
 */
int label_bit(const struct label_rule *rule, int value, int i, int j);
extern const struct label_rule label_dependency;	/* "src.dep", optional */

#endif
