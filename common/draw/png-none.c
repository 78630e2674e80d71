/* png-none: where there is no librsvg; see png.h. */
#include "draw/png.h"

int
png_check(struct err *e)
{
	err_set(e, EXIT_USAGE, "built without librsvg, which PNG needs; SVG can be had");
	err_hint(e, "install librsvg2-dev and build again");
	return -1;
}

int
png_draw(const struct buf *svg, double width, double height, double scale, struct buf *out,
	 struct err *e)
{
	(void)svg, (void)width, (void)height, (void)scale, (void)out;
	return png_check(e);
}
