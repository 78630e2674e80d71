/*
 * measure-clusters: rank correlations of measures of heads over one or more models, and clusters of
 * measures that rank heads alike.
 *
 * The correlation of two measures is Spearman's rho over all heads, or over the heads of the one
 * kind of attention that has both measures; over models, such as one for each seed, it is the mean.
 * Measures are clustered by average linkage (UPGMA): the two clusters with the highest mean |rho|
 * of their pairs are merged first.  Measures that always rank heads in opposite orders therefore
 * belong together, too.  A missing correlation counts as 0.
 */
#ifndef MEASURE_CLUSTERS_H
#define MEASURE_CLUSTERS_H

#include <stddef.h>

#include "analysis/head-table.h"
#include "base/buf.h"

struct measure_clusters {
	char **name;			/* [n] measures that all models have */
	double *sum;			/* [n, n] sums of rho over the models in which it is
					 * defined */
	size_t *count;			/* [n, n] the number of these models */
	size_t n, models, heads;	/* heads: of the first model */
	/* Set by measure_clusters_find(): */
	size_t *order;			/* [n] measures, so that those of a cluster are adjacent */
	size_t *cluster;		/* [n] cluster of each measure, from 0 in this order */
};

void measure_clusters_init(struct measure_clusters *c);
void measure_clusters_release(struct measure_clusters *c);

/*
 * Adds the correlations of a model; `all` selects the measures as in head_pairs_init().  Returns -1
 * with EXIT_INPUT if there are fewer than two, or fewer than two that all models have.
 */
int measure_clusters_add(struct measure_clusters *c, const struct head_table *t, bool all,
			 struct err *e) MUST_USE;
/*
 * Call it once, after the last model: sets order and cluster.  Clusters are merged while their mean
 * |rho| is at least `least`.
 */
void measure_clusters_find(struct measure_clusters *c, double least);

/* The mean correlation of two measures; NAN if no model has it, 1 of a measure with itself. */
double measure_rho(const struct measure_clusters *c, size_t a, size_t b);

/* Appends the matrix as a table of head-map(1) --draw table, in the order of the clusters. */
void measure_clusters_matrix(const struct measure_clusters *c, struct buf *out);
/* Appends a tab-separated table of the clusters: name, measures, lowest and mean |rho| within. */
void measure_clusters_tsv(const struct measure_clusters *c, struct buf *out);

#endif
