/* plot-style: how series are drawn; see plot-style.h. */
#include "draw/plot-style.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/strmap.h"

/*
 * Dark enough for text on white.  Dashes and labels distinguish lines without color, and the shapes
 * of their points those with the same color.
 */
static const char *const colors[] = { "#00619e", "#b34700", "#00775a", "#a0447a", "#7a6000",
				       "#5546b3", "#8c3b2a", "#2f6d7e" };
static const char *const dashes[] = { "", "7 3", "2 3", "9 3 2 3" };
enum { N_SAME = 4, N_COLORS = sizeof(colors) / sizeof(*colors),
       N_DASHES = sizeof(dashes) / sizeof(*dashes),
       N_STYLES = N_COLORS * N_DASHES * SVG_LINE_MARKS };

static int
color_index(int number)
{
	return number % N_COLORS;
}

/* Colors and marks repeat after half of N_STYLES, so that dashes are then shifted by one. */
static int
dash_index(int number)
{
	return (number / N_SAME + number / (N_STYLES / 2)) % N_DASHES;
}

const char *
plot_style_color(const struct plot_panel *panel, const struct plot_series *s)
{
	if (s->kind == PLOT_BAND)
		return "#667";
	if (s->kind == PLOT_LEVEL && s->number < 0)
		return "#a3211a";
	if (s->kind == PLOT_POINTS) {
		while (s > panel->series && s->kind != PLOT_LINE)
			s--;
		if (s->kind != PLOT_LINE)
			return "#222";
	}
	return colors[color_index(s->number)];
}

void
plot_style_end(struct buf *out, const struct plot_series *s)
{
	const char *dash = s->kind == PLOT_BAND ? "5 4"
			   : s->number < 0 ? "" : dashes[dash_index(s->number)];

	buf_add_char(out, '"');
	if (*dash)
		buf_printf(out, " stroke-dasharray=\"%s\"", dash);
	buf_add_str(out, "/>\n");
}

enum svg_mark
plot_style_mark(const struct plot_series *s)
{
	return s->kind == PLOT_LINE ? s->number / N_COLORS % SVG_LINE_MARKS
	       : s->kind == PLOT_POINTS ? SVG_DIAMOND : SVG_CIRCLE;
}

/* --- numbers --- */

static bool
has_number(const struct plot_panel *panel, const struct plot_series *s)
{
	size_t levels = 0;

	for (size_t k = 0; k < panel->n && s->kind == PLOT_LEVEL; k++)
		levels += panel->series[k].kind == PLOT_LEVEL;
	return s->kind == PLOT_LINE || levels > 1;
}

/* The numbers of names; `used` are the styles that a name has. */
struct numbers {
	struct strmap names;
	int *of;			/* [names.n] */
	size_t room;
	bool used[N_STYLES];
};

/* How much a number looks like those of the panel. */
static int
likeness(const struct plot_panel *panel, int number)
{
	int sum = 0;

	for (size_t k = 0; k < panel->n; k++) {
		const int other = panel->series[k].number;

		if (other >= 0 && color_index(other) == color_index(number))
			sum += dash_index(other) == dash_index(number) ? N_DASHES : 1;
	}
	return sum;
}

static int
new_number(const struct numbers *n, const struct plot_panel *panel)
{
	int best = -1, least = 0;

	if (n->names.n >= N_STYLES)
		return (int)n->names.n;
	for (int i = 0; i < N_STYLES; i++) {
		const int like = n->used[i] ? 0 : likeness(panel, i);

		if (!n->used[i] && (best < 0 || like < least)) {
			best = i;
			least = like;
		}
	}
	return best;
}

/* First the names that other panels have, so that the new ones differ from them. */
static void
number_panel(struct numbers *n, struct plot_panel *panel)
{
	for (size_t k = 0; k < panel->n; k++) {
		struct plot_series *s = &panel->series[k];
		const int i = strmap_find(&n->names, s->name, strlen(s->name));

		s->number = i >= 0 && has_number(panel, s) ? n->of[i] : -1;
	}
	for (size_t k = 0; k < panel->n; k++) {
		struct plot_series *s = &panel->series[k];

		if (s->number >= 0 || !has_number(panel, s))
			continue;
		s->number = new_number(n, panel);
		n->of = mem_grow(n->of, &n->room, n->names.n + 1, sizeof(*n->of));
		n->of[strmap_add(&n->names, s->name, strlen(s->name))] = s->number;
		if (s->number < N_STYLES)
			n->used[s->number] = true;
	}
}

void
plot_style_number(struct plot *p)
{
	struct numbers n = { 0 };

	for (size_t i = 0; i < p->n; i++)
		number_panel(&n, &p->panel[i]);
	strmap_release(&n.names);
	free(n.of);
}
