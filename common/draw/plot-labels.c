/* plot-labels: places for the labels of lines; see plot-labels.h. */
#include "draw/plot-labels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "draw/measure.h"

/*
 * A label costs HIDDEN for each sample of a line and MARK for each mark that it hides, and NEAR for
 * each line that it could be mistaken for.  Above MAX_COST the legend is better.
 */
enum { SAMPLES = 9, LIFT = 6, HIDDEN = 1, MARK = 3, NEAR = 6, MAX_COST = 3 };
enum { BESIDE = 24 };	/* pixels from a single point, whose name could be another's */

struct labels {
	struct plot_track *track;
	size_t n;
	const struct plot_box *panel;
	double edge;			/* right end of the margin */
	struct plot_box *taken;		/* [n_taken] boxes of placed labels */
	size_t n_taken;
};

static struct plot_box
box_at(const struct plot_track *t, double x, double y, bool margin)
{
	const double left = margin ? x : x - t->width / 2;

	return (struct plot_box){ left - 2, y - PLOT_LABEL_FONT, left + t->width + 2, y + 3 };
}

static bool
is_free(const struct labels *l, const struct plot_box *b)
{
	for (size_t i = 0; i < l->n_taken; i++) {
		const struct plot_box *o = &l->taken[i];

		if (b->left < o->right && o->left < b->right && b->top < o->bottom &&
		    o->top < b->bottom)
			return false;
	}
	return b->top >= l->panel->top - PLOT_LABEL_FONT && b->bottom <= l->panel->bottom + 3;
}

/* The y of a line at x; NAN outside of its range.  The range of a single point is BESIDE it. */
static double
height_at(const struct plot_track *t, double x)
{
	for (size_t i = 1; i < t->n; i++) {
		const struct plot_spot *a = &t->spot[i - 1], *b = &t->spot[i];

		if (x >= a->x && x <= b->x)
			return b->x <= a->x ? b->y
					    : a->y + (b->y - a->y) * (x - a->x) / (b->x - a->x);
	}
	return t->n == 1 && fabs(t->spot[0].x - x) < BESIDE ? t->spot[0].y : NAN;
}

/* The number of marks of a line that a box hides. */
static int
marks_in(const struct plot_track *t, const struct plot_box *b)
{
	int n = 0;

	for (size_t i = 0; t->mark > 0 && i < t->n; i++)
		n += t->spot[i].x > b->left - t->mark && t->spot[i].x < b->right + t->mark &&
		     t->spot[i].y > b->top - t->mark && t->spot[i].y < b->bottom + t->mark;
	return n;
}

/* The number of error bars that a box hides. */
static int
bars_in(const struct plot_track *t, const struct plot_box *b)
{
	int n = 0;

	for (size_t i = 0; i < t->n; i++)	/* false for NAN */
		n += t->spot[i].x > b->left && t->spot[i].x < b->right &&
		     t->spot[i].top < b->bottom && t->spot[i].bottom > b->top;
	return n;
}

/* The cost of the marks, bars and lines that a box hides.  Marks have no line between them. */
static double
hidden(const struct labels *l, const struct plot_box *b)
{
	double sum = 0;

	for (size_t i = 0; i < l->n; i++)
		sum += MARK * marks_in(&l->track[i], b) + bars_in(&l->track[i], b);
	for (size_t i = 0; i < l->n; i++)
		for (int k = 0; l->track[i].mark <= 0 && k < SAMPLES; k++) {
			const double x = b->left + (b->right - b->left) * k / (SAMPLES - 1);
			const double y = height_at(&l->track[i], x);

			sum += y > b->top && y < b->bottom;	/* false for NAN */
		}
	return HIDDEN * sum;
}

/* The cost of other lines so close to a point that a label there could be theirs. */
static double
crowd(const struct labels *l, const struct plot_track *t, const struct plot_spot *at)
{
	double sum = 0;

	for (size_t i = 0; i < l->n; i++) {
		const double apart = fabs(height_at(&l->track[i], at->x) - at->y);

		sum += &l->track[i] != t && apart < PLOT_LABEL_FONT * 2 / 3.0;	/* false for NAN */
	}
	return NEAR * sum;
}

struct choice { double x, y, cost; bool margin; };

static void
consider(const struct labels *l, const struct plot_track *t, const struct plot_spot *at, double y,
	 struct choice *best)
{
	const struct plot_box b = box_at(t, at->x, y, false);
	double cost;

	if (b.left < l->panel->left || b.right > l->panel->right || b.top < l->panel->top ||
	    !is_free(l, &b))
		return;
	cost = 1 + hidden(l, &b) + crowd(l, t, at);
	if (cost < best->cost)
		*best = (struct choice){ at->x, y, cost, false };
}

static struct choice
best_place(const struct labels *l, const struct plot_track *t)
{
	const struct plot_spot *end = &t->spot[t->n - 1];
	const double x = l->panel->right + PLOT_LABEL_GAP + t->mark / 2;
	const double y = fmin(end->y + PLOT_LABEL_FONT / 3.0, l->panel->bottom);
	const struct plot_box after = box_at(t, x, y, true);
	struct choice best = { 0, 0, INFINITY, false };

	if (is_free(l, &after) && end->x >= l->panel->right - 1 && x + t->width <= l->edge)
		best = (struct choice){ x, y, crowd(l, t, end), true };
	for (size_t i = 0; i < t->n; i++) {
		const struct plot_spot *at = &t->spot[i];

		consider(l, t, at, at->y - LIFT - t->mark, &best);
		consider(l, t, at, at->y + PLOT_LABEL_FONT + LIFT / 2.0 + t->mark, &best);
	}
	return best;
}

/* The box of a placed label, and of the sample before it. */
static struct plot_box
placed_box(const struct plot_track *t)
{
	struct plot_box b = box_at(t, t->x, t->y, t->margin);

	b.left -= t->legend ? PLOT_LABEL_GAP + PLOT_SAMPLE : 0;
	return b;
}

/* Places the label at the first free height of the margin, from the top; false if there is none. */
static bool
put_in_legend(struct labels *l, struct plot_track *t)
{
	struct plot_box b;

	t->margin = t->legend = true;
	t->x = l->panel->right + 2 * PLOT_LABEL_GAP + PLOT_SAMPLE;
	t->y = l->panel->top + PLOT_LABEL_FONT;
	for (b = placed_box(t); !is_free(l, &b) && t->y < l->panel->bottom; b = placed_box(t))
		t->y += PLOT_LABEL_FONT / 4.0;
	return is_free(l, &b) && t->x + t->width <= l->edge;
}

static bool
plot_label_place(struct labels *l, struct plot_track *t)
{
	const struct choice best = best_place(l, t);
	bool room = true;

	if (best.cost <= MAX_COST) {
		t->x = best.x;
		t->y = best.y;
		t->margin = best.margin;
	} else {
		room = put_in_legend(l, t);
	}
	l->taken[l->n_taken++] = placed_box(t);
	return room;
}

static double
mean_height(const struct plot_track *t)
{
	double sum = 0;

	for (size_t i = 0; i < t->n; i++)
		sum += t->spot[i].y / (double)t->n;
	return sum;
}

/* Orders lines by mean height, from the top; equal ones by index. */
static int
by_height(const void *a, const void *b)
{
	const struct plot_track *x = *(struct plot_track *const *)a;
	const struct plot_track *y = *(struct plot_track *const *)b;
	const double d = mean_height(x) - mean_height(y);

	return d < 0 ? -1 : d > 0 ? 1 : x < y ? -1 : x > y;
}

bool
plot_labels_place(struct plot_track *track, size_t n, const struct plot_box *panel, double margin)
{
	struct labels l = { track, n, panel, panel->right + margin,
			    xcalloc(n + 1, sizeof(*l.taken)), 0 };
	struct plot_track **order = xcalloc(n + 1, sizeof(struct plot_track *));
	size_t named = 0;
	bool room = true;

	for (size_t i = 0; i < n; i++) {
		track[i].width = measure_width(track[i].name, strlen(track[i].name)) *
				 PLOT_LABEL_FONT;
		track[i].margin = track[i].legend = false;
		if (track[i].n && *track[i].name)
			order[named++] = &track[i];
	}
	qsort(order, named, sizeof(*order), by_height);
	for (size_t i = 0; i < named; i++)
		room &= plot_label_place(&l, order[i]);
	free(order);
	free(l.taken);
	return room;
}
