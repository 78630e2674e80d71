/*
 * head-pairs: rank correlations of all pairs of measures in a table of heads (head-table.h).
 *
 * The heads of each kind of attention are a group.  If there are several kinds, all heads together
 * are a further group.  In each group, two measures are compared over the heads that have both.  In
 * the group of all heads, a pair is left out if these heads are all of one kind.  With fewer than
 * HEADS_MIN heads, coefficients and p-values are NAN, because not even identical orders would be
 * significant.
 */
#ifndef HEAD_PAIRS_H
#define HEAD_PAIRS_H

#include "analysis/head-table.h"
#include "base/buf.h"
#include "scores/rank-correlation.h"

enum { HEADS_MIN = 5 };

struct head_pairs {
	const struct head_table *t;	/* the caller's */
	size_t *measure;		/* [n] the measures, as indices of columns of t */
	size_t n, n_groups;		/* number of measures, and of elements of `group` in use */
	struct head_group {
		const char *name;	/* enc-self, dec-self, cross or all */
		size_t heads;		/* number of heads in the group */
		/*
		 * [n * (n - 1) / 2] The pairs of measures, for head_pairs_at().  `heads` is the
		 * number of heads compared; 0: the pair is left out.  `c` has both coefficients
		 * with their p-values.  rho_holm and tau_holm are these p-values after adjustment
		 * over all pairs of the group by Holm's method.
		 */
		struct head_pair { size_t heads; struct rank_correlation c;
				   double rho_holm, tau_holm; } *pair;
	} group[4];
};

/*
 * Overwrites *p, and selects the measures.  With `all`, these are all numeric columns of `t`.
 * Otherwise, they are the columns of type float whose values differ between heads, except columns
 * that are a part or another form of a measure (offsets.*, syntax.*, gating.*, *.raw, *.error and
 * open).  `t` must outlive `p`.  Returns -1 with EXIT_INPUT if there are fewer than two measures.
 * Call head_pairs_release() also after an error.
 */
int head_pairs_init(struct head_pairs *p, const struct head_table *t, bool all,
		    struct err *e) MUST_USE;
/*
 * Removes all columns of the table except the column "role" (head-roles.h), which comes first, and
 * those that head_pairs_init() selects with `all` false.  Returns -1 with EXIT_INPUT if no column
 * would remain.
 */
int head_pairs_keep_usual(struct head_table *t, struct err *e) MUST_USE;
/*
 * Computes all correlations.  The p-values are those of permutation tests: `permutations` is the
 * number of random permutations for each, and `seed` their seed.
 */
void head_pairs_count(struct head_pairs *p, int64_t permutations, uint64_t seed);
void head_pairs_release(struct head_pairs *p);

/*
 * The pair of the different measures `a` and `b`, indices of p->measure in either order.  `group`
 * is an index of p->group.
 */
const struct head_pair *head_pairs_at(const struct head_pairs *p, size_t group, size_t a, size_t b);

/* The name of a measure, an index of p->measure. */
const char *head_pairs_name(const struct head_pairs *p, size_t measure);

/*
 * Appends tab-separated values: a line of column names, and a line for each pair in each group,
 * except pairs without heads.  A line has the group, the names of both measures, the number of
 * heads, and for each coefficient its value, its p-value and its adjusted p-value.
 */
void head_pairs_tsv(const struct head_pairs *p, struct buf *out);
/*
 * Appends a matrix for each group that has coefficients, in Markdown or LaTeX: rho above the
 * diagonal, tau below, bold where the adjusted p-value is below 0.05.
 */
void head_pairs_layout(const struct head_pairs *p, enum table_layout layout, struct buf *out);

#endif
