/* lrp-sums: the relevance of each head (lrp.h), averaged over target positions. */
#ifndef LRP_SUMS_H
#define LRP_SUMS_H

#include "analysis/head-table.h"
#include "attribution/lrp.h"
#include "scores/ratio-error.h"

#define LRP_LARGE_LOSS 0.01		/* if rounding loses a larger part of a relevance of 1, the
					 * user is warned */

/* Sums over target positions. */
struct lrp_totals {
	double *share, *raw;		/* [heads of all sites], in the order of
					 * attention/attention-heads.h: sums of the measures NAME
					 * and NAME.raw of lrp_sums_fill() */
	int64_t *positions;		/* [sites] number of positions at which heads of the site
					 * (attention layer) have relevance */
	int64_t all;			/* number of positions with relevance */
	int64_t none;			/* number of positions without relevance, because the
					 * predicted token is the foil (lrp.h) */
};

struct lrp_sums {
	const struct model *m;
	size_t heads;			/* number of heads of all sites */
	struct lrp_totals total;
	bool with_errors;		/* measure standard errors over sentences, too; set by the
					 * caller after lrp_sums_init() */
	struct lrp_errors { struct ratio_error share, raw; } *errors;	/* [heads of all sites] */
	double absorbed, lost, error, gap;	/* maxima over sentences of the members of struct
						 * lrp_sentence of these names (lrp.h) */
	int64_t sentences, rounded;	/* number of sentences; of those that lost more than
					 * LRP_LARGE_LOSS */
};

/* Overwrites *s.  `m` must outlive `s`. */
void lrp_sums_init(struct lrp_sums *s, const struct model *m);
void lrp_sums_release(struct lrp_sums *s);

/*
 * Adds the relevance of a sentence.  Returns -1 with EXIT_INPUT, and adds nothing, if the relevance
 * of a head is not finite; the message does not name the record.
 */
int lrp_sums_add(struct lrp_sums *s, const struct lrp_sentence *one, struct err *e) MUST_USE;

/*
 * Adds a row for each head to the table, and sets two columns; NAME stands for `name`, such as
 * "relevance".  NAME.raw is the relevance of the head, averaged over all positions with relevance.
 * NAME is the magnitude of the relevance of the head, divided by the sum of these magnitudes over
 * the heads of the same site, averaged over the positions where the site has relevance; 0 if
 * there are no such positions.  If no position has relevance, the columns have no values.  If
 * s->with_errors is true, NAME.error and NAME.raw.error are the standard errors over sentences
 * (scores/ratio-error.h).
 */
void lrp_sums_fill(const struct lrp_sums *s, const char *name, struct head_table *t);

#endif
