/*
 * measure-clusters: rank correlations of measures of heads, averaged over models, and clusters of
 * measures that rank heads alike.
 *
 * In one model, the correlation of two measures is Spearman's rho over the heads that have both
 * measures.  Over several models, such as models trained with different seeds, the correlation is
 * the mean rho.
 *
 * Measures are clustered by average linkage (UPGMA): the two clusters are merged first whose pairs
 * of measures have the highest mean |rho|.  Because of the absolute value, measures that rank heads
 * in opposite orders get into the same cluster.  An undefined rho counts as 0.
 */
#ifndef MEASURE_CLUSTERS_H
#define MEASURE_CLUSTERS_H

#include <stddef.h>

#include "analysis/head-table.h"
#include "base/buf.h"

/* Zero-initialize it. */
struct measure_clusters {
	char **name;			/* [n] names of the measures that all models have */
	double *sum;			/* [n, n] for each pair, the sum of rho over the models in
					 * which rho is defined */
	size_t *count;			/* [n, n] the number of these models */
	size_t n, models, heads;	/* number of measures, of models so far, and of heads of the
					 * first model */
	/* Set by measure_clusters_find(): */
	size_t *order;			/* [n] indices of the measures, those of a cluster next to
					 * each other */
	size_t *cluster;		/* [n] number of the cluster of each measure; clusters are
					 * numbered from 0 in `order` */
};

void measure_clusters_release(struct measure_clusters *c);

/*
 * Adds the correlations of a model whose measures are in the table `t`.  `all` selects the measures
 * as in head_pairs_init() (head-pairs.h).  Returns -1 with EXIT_INPUT if fewer than two measures
 * are selected, or if all models so far have fewer than two measures in common.
 */
int measure_clusters_add(struct measure_clusters *c, const struct head_table *t, bool all,
			 struct err *e) MUST_USE;
/*
 * Sets `order` and `cluster`.  Call it once, after the last model.  Clusters are merged while the
 * mean |rho| between two of them is at least `least`.
 */
void measure_clusters_find(struct measure_clusters *c, double least);

/* The mean rho of two measures, indices of c->name; 1 if `a` equals `b`, NAN if no model has it. */
double measure_rho(const struct measure_clusters *c, size_t a, size_t b);

/* Appends the matrix of mean rho in the order c->order, as input of head-map(1) --draw table. */
void measure_clusters_matrix(const struct measure_clusters *c, struct buf *out);
/*
 * Appends tab-separated values: a line of column names, and a line for each cluster with its name,
 * its measures, and the lowest and the mean |rho| of their pairs, "-" for a single measure.
 */
void measure_clusters_tsv(const struct measure_clusters *c, struct buf *out);

#endif
