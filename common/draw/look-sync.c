/*
 * look-sync: dependencies of both sides, and those of the source projected to the target; see
 * look.h.  The training loss computes the same projection (methods 4.4; ops/synchrony.c).
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "draw/look-parts.h"

static const char *const titles[LOOK_SYNC] = {
	[LOOK_SOURCE] = "E: source to source", [LOOK_CROSS] = "C: target to source",
	[LOOK_TARGET] = "D: target to target", [LOOK_PROJECTED] = "C E C\xe2\x80\xb2: projection",
	[LOOK_MAPPED] = "D\xe2\x80\xb2: projection as weights"
};

/* Weights of a head, from 1, at the site that form names for a layer, such as "enc.%d.self". */
static int
take(struct look *l, enum look_sync which, const char *form, int64_t layer, int64_t head,
     struct panel *to, struct err *e)
{
	char *name = xasprintf(form, (int)layer);
	size_t site, last;
	const int bad = look_sites(l->m, name, &site, &last, e);

	free(name);
	if (bad || look_pieces(l, site, (int)head, &to[which], e))
		return -1;
	free(to[which].title);
	to[which].title = NULL;
	return 0;
}

/* C x C', x [I,I] and C [J,I]: [J,J]. */
static void
project(const struct panel *c, const struct panel *x, struct panel *to)
{
	const int J = c->rows->n, I = c->columns->n;
	double *cx = xcalloc((size_t)I + 1, sizeof(*cx));

	for (int t = 0; t < J; t++) {
		memset(cx, 0, (size_t)I * sizeof(*cx));
		for (int i = 0; i < I; i++)
			for (int k = 0; k < I; k++)
				cx[k] += (double)panel_row(c, t)[i] * (double)panel_row(x, i)[k];
		for (int q = 0; q < J; q++) {
			double sum = 0;

			for (int k = 0; k < I; k++)
				sum += cx[k] * (double)panel_row(c, q)[k];
			panel_row(to, t)[q] = (float)sum;
		}
	}
	free(cx);
}

/*
 * The first n values of a row of M as weights: softmax of M / temperature, or divided by their sum.
 */
static void
map_row(const float *m, int n, bool renorm, double temperature, float *to)
{
	double max = 0, sum = 0;

	for (int q = 0; q < n; q++)
		max = fmax(max, (double)m[q]);
	for (int q = 0; q < n; q++) {
		const double v = (double)m[q];

		to[q] = (float)(renorm ? v : exp((v - max) / temperature));
		sum += (double)to[q];
	}
	for (int q = 0; q < n && sum > 0; q++)
		to[q] = (float)((double)to[q] / sum);
}

static void
map(const struct look *l, const struct panel *m, struct panel *to)
{
	char *how = look_setting(l->m, "sync", "map");
	char *text = look_setting(l->m, "sync", "temperature");
	const double temperature = text ? strtod(text, NULL) : 1;
	const bool renorm = how && !strcmp(how, "renorm");

	for (int t = 0; t < m->rows->n; t++)
		map_row(panel_row(m, t), t + 1, renorm, temperature, panel_row(to, t));
	free(how);
	free(text);
}

static int
take_weights(struct look *l, struct panel *to, struct err *e)
{
	const int64_t layers = l->m->config.dec_layers, last_but_one = layers > 1 ? layers - 1 : 1;
	const int64_t cross = look_number(l->m, "sync", "layer", 0);
	const int64_t head = look_number(l->m, "sync", "head", LOOK_MEAN);

	if (take(l, LOOK_SOURCE, "enc.%d.self", look_number(l->m, "dbsa", "enc", 1), 1, to, e) ||
	    take(l, LOOK_TARGET, "dec.%d.self", look_number(l->m, "dbsa", "dec", 1), 1, to, e))
		return -1;
	return take(l, LOOK_CROSS, "dec.%d.cross", cross ? cross : last_but_one, head, to, e);
}

int
look_sync(struct look *l, struct panel to[LOOK_SYNC], struct err *e)
{
	memset(to, 0, LOOK_SYNC * sizeof(*to));
	if (take_weights(l, to, e)) {
		for (int k = 0; k < LOOK_SYNC; k++)
			panel_release(&to[k]);
		return -1;
	}
	panel_init(&to[LOOK_PROJECTED], &l->tgt.pieces, &l->tgt.pieces);
	panel_init(&to[LOOK_MAPPED], &l->tgt.pieces, &l->tgt.pieces);
	project(&to[LOOK_CROSS], &to[LOOK_SOURCE], &to[LOOK_PROJECTED]);
	map(l, &to[LOOK_PROJECTED], &to[LOOK_MAPPED]);
	for (int k = 0; k < LOOK_SYNC; k++) {
		to[k].title = xstrdup(titles[k]);
		look_merge(l, k == LOOK_SOURCE ? &l->src : &l->tgt,
			   k == LOOK_SOURCE || k == LOOK_CROSS ? &l->src : &l->tgt, &to[k]);
	}
	return 0;
}
