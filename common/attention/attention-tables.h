/*
 * attention-tables: relative-position embeddings of an attention layer, for attention variants
 * (attention.h).
 *
 * Shaw, Uszkoreit and Vaswani 2018, Self-attention with relative position representations,
 * equations 3 and 4.  A table has a row for each relative position from -k to k; all heads share
 * it.  Rows of a table are added to the keys, and rows of a second table, or of the same one, to
 * the values.  With tables of zeros, the result is plain attention.
 */
#ifndef ATTENTION_TABLES_H
#define ATTENTION_TABLES_H

#include "attention/attention.h"

struct labels;

struct attention_tables { struct param *keys, *values; };	/* the tables, [2 k + 1, head_dim];
								 * the same one twice if shared */

/*
 * Adds the tables of site `s` to the parameters `p` and returns them.  If `shared` is true, there
 * is one table, named SITE.TITLE.table, where TITLE is `title`.  Otherwise, there are two,
 * SITE.TITLE.keys and SITE.TITLE.values.
 */
struct attention_tables attention_tables_add(struct params *p, const struct site *s,
					     const char *title, int64_t k, bool shared);
/*
 * For the hooks `scores` and `context` of a variant: the first function returns n->scores with the
 * part of the keys' embeddings added, the second n->context with the part of the values'
 * embeddings.  `labels` has the relative position of each query and key, for op_relative()
 * (ops/ops.h).
 */
struct node *attention_tables_scores(const struct attention_tables *x, const struct site *s,
				     struct tape *t, const struct att_nodes *n,
				     const struct labels *labels);
struct node *attention_tables_context(const struct attention_tables *x, struct tape *t,
				      const struct att_nodes *n, const struct labels *labels);

#endif
