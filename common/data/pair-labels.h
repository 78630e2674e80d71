/*
 * pair-labels: labels of pairs of source subwords for op_labels(), from a field of a stream.
 *
 * The field is a matrix over the subwords of a sentence, bits[n,n] or i8[n,n].  Row i, column j is
 * for query i and key j.  A rule turns each value into a label, or forbids query i to attend to key
 * j.  If the model adds an end token to the source, the row and the column of the end token get
 * labels that the rule gives.  Labels are computed once per batch.
 */
#ifndef PAIR_LABELS_H
#define PAIR_LABELS_H

#include <stdbool.h>

#include "base/err.h"
#include "data/batch.h"
#include "ops/ops.h"

struct label_rule {
	const char *field;		/* "src.dep" */
	bool optional;			/* a record may lack the field; it then has no labels */
	const char *cure;		/* hint of the error if a field is missing, not optional */
	int n;				/* the number of labels, which count from 0 */
	/*
	 * Returns the label of the pair (i, j) with this value, LABEL_NEVER (op_labels() in
	 * ops/ops.h) if i must not attend to j, or -1 if the value is invalid.
	 */
	int (*label)(const struct label_rule *rule, int value, int i, int j);
	int reach;			/* a parameter of the rule, for label() */
	/* Labels of pairs with the end token: the query is the end token; the key is; both are. */
	int end_row, end_column, end_self;
};

/*
 * Returns the labels of all sentences of a batch.  They are stored in the batch (batch_keep())
 * under the address of the rule, and belong to the batch.  A subword that is not allowed to attend
 * to any subword is allowed to attend to itself, with the label end_self.  Returns NULL with
 * EXIT_INPUT and the number of the record if a field is missing or invalid.
 */
const struct labels *labels_make(struct batch *b, const struct label_rule *rule, struct err *e);

/*
 * The rule of "src.dep", which is optional: label 0 for bit 1, LABEL_NEVER for bit 0.  The end
 * token is allowed to attend to all tokens, and no other token is allowed to attend to it.
 */
extern const struct label_rule label_dependency;

#endif
