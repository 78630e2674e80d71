/* measure-clusters: mean correlations of measures, and their clusters; see measure-clusters.h. */
#include "analysis/measure-clusters.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/head-pairs.h"
#include "base/mem.h"

void
measure_clusters_release(struct measure_clusters *c)
{
	for (size_t i = 0; i < c->n; i++)
		free(c->name[i]);
	free(c->name);
	free(c->sum);
	free(c->count);
	free(c->order);
	free(c->cluster);
}

/* --- correlations --- */

static size_t
measure_place_of(const struct head_pairs *p, const char *name)
{
	size_t i = 0;

	while (i < p->n && strcmp(head_pairs_name(p, i), name))
		i++;
	return i;
}

/* Over all heads, the last group; otherwise over the one kind of attention that has both. */
static double
rho_of(const struct head_pairs *p, size_t a, size_t b)
{
	double rho = NAN;

	for (size_t i = p->n_groups; isnan(rho) && i-- > 0; )
		rho = head_pairs_at(p, i, a, b)->c.rho;
	return rho;
}

static void
measure_begin(struct measure_clusters *c, const struct head_pairs *p)
{
	c->n = p->n;
	c->heads = p->t->n;
	c->name = xcalloc(p->n, sizeof(*c->name));
	c->sum = xcalloc(p->n * p->n, sizeof(*c->sum));
	c->count = xcalloc(p->n * p->n, sizeof(*c->count));
	for (size_t i = 0; i < p->n; i++)
		c->name[i] = xstrdup(head_pairs_name(p, i));
}

/* Removes a measure, its row and its column. */
static void
remove_measure(struct measure_clusters *c, size_t at)
{
	size_t to = 0;

	free(c->name[at]);
	for (size_t i = 0; i < c->n * c->n; i++) {
		if (i / c->n == at || i % c->n == at)
			continue;
		c->sum[to] = c->sum[i];
		c->count[to++] = c->count[i];
	}
	c->n--;
	memmove(c->name + at, c->name + at + 1, (c->n - at) * sizeof(*c->name));
}

static void
measure_add_pair(struct measure_clusters *c, size_t a, size_t b, double rho)
{
	if (isnan(rho))
		return;
	c->sum[a * c->n + b] += rho;
	c->count[a * c->n + b]++;
}

static void
measure_add_model(struct measure_clusters *c, const struct head_pairs *p)
{
	if (!c->models)
		measure_begin(c, p);
	for (size_t i = c->n; i-- > 0; )
		if (measure_place_of(p, c->name[i]) == p->n)
			remove_measure(c, i);
	for (size_t a = 0; a < c->n; a++)
		for (size_t b = 0; b < c->n; b++)
			if (a != b)
				measure_add_pair(c, a, b, rho_of(p, measure_place_of(p, c->name[a]),
								 measure_place_of(p, c->name[b])));
	c->models++;
}

int
measure_clusters_add(struct measure_clusters *c, const struct head_table *t, bool all,
		     struct err *e)
{
	struct head_pairs p;
	const int bad = head_pairs_init(&p, t, all, e);

	if (!bad) {
		head_pairs_count(&p, 1, 1);	/* p-values are not used */
		measure_add_model(c, &p);
	}
	head_pairs_release(&p);
	if (!bad && c->n < 2)
		return err_set(e, EXIT_INPUT, "%zu measure%s that all models have, expected two or "
			       "more", c->n, c->n == 1 ? "" : "s");
	return bad;
}

double
measure_rho(const struct measure_clusters *c, size_t a, size_t b)
{
	const size_t at = a * c->n + b;

	if (a == b)
		return 1;
	return c->count[at] ? c->sum[at] / (double)c->count[at] : NAN;
}

/* --- clusters --- */

/* Clusters are lists of measures: next[] leads from one to the next of a cluster, n ends. */
struct lists { size_t *first, *next, n; };

static double
strength(const struct measure_clusters *c, size_t a, size_t b)
{
	const double rho = measure_rho(c, a, b);

	return isnan(rho) ? 0 : fabs(rho);
}

static double
linkage(const struct measure_clusters *c, const struct lists *l, size_t a, size_t b)
{
	double sum = 0, n = 0;

	for (size_t i = l->first[a]; i < c->n; i = l->next[i])
		for (size_t k = l->first[b]; k < c->n; k = l->next[k]) {
			sum += strength(c, i, k);
			n++;
		}
	return sum / n;
}

/* The strongest pair of clusters, a before b. */
static double
strongest(const struct measure_clusters *c, const struct lists *l, size_t *a, size_t *b)
{
	double best = -1;

	for (size_t i = 0; i < l->n; i++)
		for (size_t k = i + 1; k < l->n; k++) {
			const double x = linkage(c, l, i, k);

			if (x <= best)
				continue;
			best = x;
			*a = i;
			*b = k;
		}
	return best;
}

static void
measure_merge(const struct measure_clusters *c, struct lists *l, size_t a, size_t b)
{
	size_t last = l->first[a];

	while (l->next[last] < c->n)
		last = l->next[last];
	l->next[last] = l->first[b];
	l->n--;
	memmove(l->first + b, l->first + b + 1, (l->n - b) * sizeof(*l->first));
}

static void
name_clusters(struct measure_clusters *c, const struct lists *l)
{
	for (size_t i = 0; i < l->n; i++)
		for (size_t k = l->first[i]; k < c->n; k = l->next[k])
			c->cluster[k] = i;
}

/* Numbers the clusters in the order of their measures, which are next to each other. */
static void
renumber(struct measure_clusters *c)
{
	size_t last = c->cluster[c->order[0]], number = 0;

	for (size_t i = 0; i < c->n; i++) {
		size_t *cluster = &c->cluster[c->order[i]];

		number += *cluster != last;
		last = *cluster;
		*cluster = number;
	}
}

void
measure_clusters_find(struct measure_clusters *c, double least)
{
	struct lists l = { xcalloc(c->n, sizeof(size_t)), xcalloc(c->n, sizeof(size_t)), c->n };
	size_t a = 0, b = 1, n = 0;

	c->order = xcalloc(c->n, sizeof(*c->order));
	c->cluster = xcalloc(c->n, sizeof(*c->cluster));
	for (size_t i = 0; i < c->n; i++) {
		l.first[i] = i;
		l.next[i] = c->n;
	}
	name_clusters(c, &l);
	while (l.n > 1) {
		const bool close = strongest(c, &l, &a, &b) >= least;

		measure_merge(c, &l, a, b);
		if (close)
			name_clusters(c, &l);
	}
	for (size_t i = l.first[0]; i < c->n; i = l.next[i])
		c->order[n++] = i;
	renumber(c);
	free(l.first);
	free(l.next);
}

/* --- output --- */

/* A, B, ..., Z, A2, ... */
static void
put_cluster(size_t cluster, struct buf *out)
{
	buf_add_char(out, (char)('A' + cluster % 26));
	if (cluster >= 26)
		buf_printf(out, "%zu", cluster / 26 + 1);
}

void
measure_clusters_matrix(const struct measure_clusters *c, struct buf *out)
{
	buf_printf(out, "Spearman's rho, %zu heads", c->heads);
	if (c->models > 1)
		buf_printf(out, ", mean of %zu models", c->models);
	for (size_t k = 0; k < c->n; k++)
		buf_printf(out, "\t%s", c->name[c->order[k]]);
	for (size_t i = 0; i < c->n; i++) {
		buf_add_char(out, '\n');
		put_cluster(c->cluster[c->order[i]], out);
		buf_printf(out, " %s", c->name[c->order[i]]);
		for (size_t k = 0; k < c->n; k++) {
			const double rho = measure_rho(c, c->order[i], c->order[k]);

			if (isnan(rho))
				buf_add_str(out, "\t-");
			else
				buf_printf(out, "\t%.3f", rho);
		}
	}
	buf_add_char(out, '\n');
}

/* The measures of a cluster, and the lowest and the mean |rho| of its pairs. */
static void
put_members(const struct measure_clusters *c, size_t from, size_t to, struct buf *out)
{
	double lowest = 1, sum = 0, n = 0;

	put_cluster(c->cluster[c->order[from]], out);
	for (size_t i = from; i < to; i++)
		buf_printf(out, "%s%s", i == from ? "\t" : ", ", c->name[c->order[i]]);
	for (size_t i = from; i < to; i++)
		for (size_t k = from; k < i; k++, n++) {
			const double x = strength(c, c->order[i], c->order[k]);

			lowest = x < lowest ? x : lowest;
			sum += x;
		}
	if (n > 0)
		buf_printf(out, "\t%.2f\t%.2f\n", lowest, sum / n);
	else
		buf_add_str(out, "\t-\t-\n");
}

void
measure_clusters_tsv(const struct measure_clusters *c, struct buf *out)
{
	size_t from = 0;

	buf_add_str(out, "cluster\tmeasures\tlowest |rho|\tmean |rho|\n");
	for (size_t i = 1; i <= c->n; i++)
		if (i == c->n || c->cluster[c->order[i]] != c->cluster[c->order[from]]) {
			put_members(c, from, i, out);
			from = i;
		}
}
