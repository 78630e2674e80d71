/*
 * head-pairs: rank correlations of all pairs of measures of heads.
 *
 * The heads of each kind of site are a group.  If there are several kinds, all heads are a further
 * group.  A pair of measures is compared in each group over the heads that have both; in the group
 * of all heads only if these are of several kinds.  With fewer than HEADS_MIN heads, coefficients
 * and p-values are NAN, because not even identical orders would be significant.
 */
#ifndef HEAD_PAIRS_H
#define HEAD_PAIRS_H

#include "analysis/head-table.h"
#include "base/buf.h"
#include "scores/rank-correlation.h"

enum { HEADS_MIN = 5 };

struct head_pairs {
	const struct head_table *t;	/* the caller's */
	size_t *measure;		/* [n] indices of columns of t */
	size_t n, n_groups;		/* numbers of measures, and of groups in use */
	struct head_group {
		const char *name;	/* enc-self, ..., all */
		size_t heads;		/* number of heads in the group */
		/*
		 * [n * (n - 1) / 2] The pairs of measures, by head_pairs_at().  `heads` is the
		 * number of heads compared, 0 if the pair is left out.  rho_holm and tau_holm are
		 * the p-values of both coefficients, adjusted over the group by Holm's method.
		 */
		struct head_pair { size_t heads; struct rank_correlation c;
				   double rho_holm, tau_holm; } *pair;
	} group[4];
};

/*
 * Selects the measures.  With `all`, these are all numeric columns.  Otherwise, these are the
 * columns of type float whose values differ between heads, except parts and other forms of measures
 * (offsets.*, syntax.*, gating.*, *.raw, *.error and open).  Returns -1 with EXIT_INPUT if there
 * are fewer than two.  Call head_pairs_release() in any case.
 */
int head_pairs_init(struct head_pairs *p, const struct head_table *t, bool all,
		    struct err *e) MUST_USE;
/*
 * Keeps only the columns that head_pairs_init() selects without `all` and, before them, the column
 * role (head-roles.h), if t has it.  Returns -1 with EXIT_INPUT if no column would remain.
 */
int head_pairs_keep_usual(struct head_table *t, struct err *e) MUST_USE;
/*
 * Computes all correlations.  `permutations` is the number of random permutations for each p-value,
 * and `seed` their seed.
 */
void head_pairs_count(struct head_pairs *p, int64_t permutations, uint64_t seed);
void head_pairs_release(struct head_pairs *p);

/* The pair of measures a != b, indices of p->measure, in either order. */
const struct head_pair *head_pairs_at(const struct head_pairs *p, size_t group, size_t a, size_t b);

/* Appends a line for each pair: group, both names, heads, coefficients and p-values. */
void head_pairs_tsv(const struct head_pairs *p, struct buf *out);
/*
 * Appends a matrix for each group: rho above the diagonal, tau below, bold where the adjusted
 * p-value is below 0.05.
 */
void head_pairs_layout(const struct head_pairs *p, enum table_layout layout, struct buf *out);

#endif
