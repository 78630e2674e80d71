/* png-none: for builds without librsvg; see png.h. */
#include "draw/png.h"

int
png_check(struct err *e)
{
	err_set(e, EXIT_USAGE, "PNG and PDF need librsvg, expected SVG or a build with librsvg");
	err_hint(e, "install librsvg2-dev and rebuild");
	return -1;
}

int
png_draw(const struct buf *svg, double width, double height, double scale, struct buf *out,
	 struct err *e)
{
	(void)svg, (void)width, (void)height, (void)scale, (void)out;
	return png_check(e);
}

int
png_draw_pdf(const struct buf *svg, double width, double height, struct buf *out, struct err *e)
{
	(void)svg, (void)width, (void)height, (void)out;
	return png_check(e);
}
