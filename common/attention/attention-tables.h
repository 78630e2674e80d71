/*
 * attention-tables: relative-position embeddings of a site, for variants.
 *
 * Shaw, Uszkoreit and Vaswani 2018, Self-attention with relative position representations,
 * equations 3 and 4.  A table has a row for each position from -k to k, shared by the heads.  Rows
 * of one table are added to keys, and rows of another, or of the same, to values.  With tables of
 * zeros this is plain attention.
 */
#ifndef ATTENTION_TABLES_H
#define ATTENTION_TABLES_H

#include "attention/attention.h"

struct labels;

struct attention_tables { struct param *keys, *values; };	/* [2k+1, d]; the same one if
								 * shared */

/*
 * Adds the parameter SITE.TITLE.table if `shared`, otherwise SITE.TITLE.keys and SITE.TITLE.values.
 */
struct attention_tables attention_tables_add(struct params *p, const struct site *s,
					     const char *title, int64_t k, bool shared);
/*
 * Return the scores, and the context vectors, with the embeddings of the relative positions added:
 * for the hooks scores and context of a variant.  `labels` are those of op_relative().
 */
struct node *attention_tables_scores(const struct attention_tables *x, const struct site *s,
				     struct tape *t, const struct att_nodes *n,
				     const struct labels *labels);
struct node *attention_tables_context(const struct attention_tables *x, struct tape *t,
				      const struct att_nodes *n, const struct labels *labels);

#endif
