/*
 * lrp-sums: the relevance of each head, averaged over target positions.
 */
#ifndef LRP_SUMS_H
#define LRP_SUMS_H

#include "analysis/head-table.h"
#include "attribution/lrp.h"
#include "scores/ratio-error.h"

#define LRP_LARGE_LOSS 0.01		/* a larger loss of relevance 1 by rounding causes a
					 * warning */

/* Sums over target positions. */
struct lrp_totals {
	double *share, *raw;		/* [heads] sums of the measures NAME and NAME.raw of
					 * lrp_sums_fill() */
	int64_t *positions;		/* [sites] positions with relevance in the site's heads */
	int64_t all;			/* positions with relevance */
	int64_t none;			/* positions without, see lrp.h */
};

struct lrp_sums {
	const struct model *m;
	size_t heads;			/* number of heads of all sites */
	struct lrp_totals total;
	bool with_errors;		/* set by the caller: standard errors over sentences, too */
	struct lrp_errors { struct ratio_error share, raw; } *errors;	/* [heads] */
	double absorbed, lost, error, gap;	/* maxima of these members of struct lrp_sentence
						 * (lrp.h) */
	int64_t rounded;		/* sentences that lost more than LRP_LARGE_LOSS */
};

/* m must outlive the sums. */
void lrp_sums_init(struct lrp_sums *s, const struct model *m);
void lrp_sums_release(struct lrp_sums *s);

/*
 * Adds the relevance of a sentence.  Returns -1 with EXIT_INPUT, and adds nothing, if that of a
 * head is not finite; the message does not name the record.
 */
int lrp_sums_add(struct lrp_sums *s, const struct lrp_sentence *one, struct err *e) MUST_USE;

/*
 * Adds a row for each head, and two measures.  NAME, which is `name`, such as "relevance", is the
 * magnitude of the head's relevance divided by the sum of the magnitudes of its site, averaged over
 * the positions where the site has relevance.  NAME.raw is the head's relevance, averaged over all
 * positions.  Without positions there are no measures.  With with_errors, NAME.error and
 * NAME.raw.error are their standard errors over sentences (scores/ratio-error.h).
 */
void lrp_sums_fill(const struct lrp_sums *s, const char *name, struct head_table *t);

#endif
