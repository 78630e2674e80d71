/* plot-marks: see plot-marks.h. */
#include "draw/plot-marks.h"

#include <math.h>
#include <string.h>

#include "draw/svg.h"

#define RADIUS 2.4
#define HALF   2.6	/* of the side of squares and triangles */

static void
corners(struct buf *out, enum plot_mark mark, const char *color, double x, double y)
{
	const double top = mark == PLOT_SQUARE ? HALF : 0;	/* half of the upper side */

	svg_path(out, color, 0, color);
	svg_at(out, 'M', x - HALF, y + HALF);
	svg_at(out, 'L', x - top, y - HALF);
	svg_at(out, 'L', x + top, y - HALF);
	svg_at(out, 'L', x + HALF, y + HALF);
	buf_add_str(out, "z\"/>\n");
}

void
plot_mark(struct buf *out, enum plot_mark mark, const char *color, double x, double y)
{
	if (mark == PLOT_CIRCLE)
		svg_circle(out, color, RADIUS, x, y);
	else if (mark == PLOT_DIAMOND)
		svg_diamond(out, color, PLOT_DIAMOND_SIZE, x, y);
	else
		corners(out, mark, color, x, y);
}

void
plot_mark_values(struct buf *out, const char *series, const struct plot_point *p)
{
	buf_add_str(out, "<g>\n<title>");
	svg_escape(out, series, strlen(series));
	buf_printf(out, ": %.6g, %.6g", p->x, p->y);
	if (!isnan(p->low))
		buf_printf(out, " [%.6g, %.6g]", p->low, p->high);
	buf_add_str(out, "</title>\n");
}
