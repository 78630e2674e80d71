/*
 * head-pairs: every measure of heads against every other, by rank correlation.
 *
 * Of each kind of site, and of all heads together for measures that several kinds have: of two
 * measures all heads that have both.  Of fewer than HEADS_LEAST there are no coefficients: not
 * even the same order would be improbable.
 */
#ifndef HEAD_PAIRS_H
#define HEAD_PAIRS_H

#include "analysis/head-table.h"
#include "analysis/rank-correlation.h"
#include "base/buf.h"

enum { HEADS_LEAST = 5 };

struct head_pairs {
	const struct head_table *t;	/* the caller's */
	size_t *measure;		/* [n] columns of t */
	size_t n, n_groups;
	struct head_group {
		const char *name;	/* enc-self, ..., all */
		size_t heads;
		/* [n * (n - 1) / 2], head_pairs_at(); holm: adjusted over the group. */
		struct head_pair { size_t heads; struct rank_correlation c;
				   double rho_holm, tau_holm; } *pair;
	} group[4];
};

/*
 * Measures are the columns of numbers: all, or those of type float that are not the same for
 * all heads, but for the parts and other forms of measures, offsets.*, syntax.*, *.raw and
 * open.  EXIT_INPUT if these are not two at least.
 */
int head_pairs_init(struct head_pairs *p, const struct head_table *t, bool all,
		    struct err *e) MUST_USE;
void head_pairs_count(struct head_pairs *p, int64_t permutations, uint64_t seed);
void head_pairs_release(struct head_pairs *p);

const struct head_pair *head_pairs_at(const struct head_pairs *p, size_t group, size_t a, size_t b);

/* A line a pair: group, both names, heads, coefficients with their probabilities. */
void head_pairs_tsv(const struct head_pairs *p, struct buf *out);
/*
 * A matrix a group: rho above, tau below the diagonal, bold where the adjusted probability is
 * below 0.05.
 */
void head_pairs_markdown(const struct head_pairs *p, struct buf *out);

#endif
