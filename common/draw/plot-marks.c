/* plot-marks: see plot-marks.h. */
#include "draw/plot-marks.h"

#include "draw/svg.h"

#define RADIUS 2.4
#define HALF   2.6	/* of the side of squares and triangles */

static void
circle(struct buf *out, const char *color, double x, double y)
{
	buf_printf(out, "<circle fill=\"%s\" r=\"%g\" cx=\"", color, RADIUS);
	svg_number(out, x);
	buf_add_str(out, "\" cy=\"");
	svg_number(out, y);
	buf_add_str(out, "\"/>\n");
}

static void
diamond(struct buf *out, const char *color, double x, double y)
{
	svg_path(out, color, 1.5, "#fff");
	svg_at(out, 'M', x, y - PLOT_DIAMOND_SIZE);
	svg_at(out, 'L', x + PLOT_DIAMOND_SIZE, y);
	svg_at(out, 'L', x, y + PLOT_DIAMOND_SIZE);
	svg_at(out, 'L', x - PLOT_DIAMOND_SIZE, y);
	buf_add_str(out, "z\"/>\n");
}

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
		circle(out, color, x, y);
	else if (mark == PLOT_DIAMOND)
		diamond(out, color, x, y);
	else
		corners(out, mark, color, x, y);
}
