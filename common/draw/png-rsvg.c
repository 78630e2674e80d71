/* png-rsvg: PNG by librsvg and cairo; see png.h. */
#include "draw/png.h"

#include <math.h>

#include <cairo.h>
#include <librsvg/rsvg.h>

enum { MAX_SIDE = 32767 };	/* pixels, cairo's limit */

int
png_check(struct err *e)
{
	(void)e;
	return 0;
}

static cairo_status_t
add_bytes(void *arg, const unsigned char *p, unsigned n)
{
	buf_add(arg, p, n);
	return CAIRO_STATUS_SUCCESS;
}

static int
render(RsvgHandle *svg, cairo_t *c, const RsvgRectangle *place, struct err *e)
{
	GError *why = NULL;

	if (rsvg_handle_render_document(svg, c, place, &why))
		return 0;
	err_set(e, EXIT_INPUT, "librsvg cannot draw the figure: %s",
		why ? why->message : "unknown error");
	g_clear_error(&why);
	return -1;
}

static int
paint(RsvgHandle *svg, double width, double height, struct buf *out, struct err *e)
{
	const RsvgRectangle place = { 0, 0, width, height };
	cairo_surface_t *s =
		cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)width, (int)height);
	cairo_t *c = cairo_create(s);
	int r = render(svg, c, &place, e);

	if (!r && cairo_surface_write_to_png_stream(s, add_bytes, out) != CAIRO_STATUS_SUCCESS)
		r = err_set(e, EXIT_SYSTEM, "cairo cannot write an image of %.0f x %.0f pixels",
			    width, height);
	cairo_destroy(c);
	cairo_surface_destroy(s);
	return r;
}

int
png_draw(const struct buf *svg, double width, double height, double scale, struct buf *out,
	 struct err *e)
{
	const double w = ceil(width * scale), h = ceil(height * scale);
	RsvgHandle *handle;
	GError *why = NULL;
	int r;

	if (w > MAX_SIDE || h > MAX_SIDE)
		return err_set(e, EXIT_INPUT,
			       "an image of %.0f x %.0f pixels, expected at most %d per side", w, h,
			       MAX_SIDE);
	handle = rsvg_handle_new_from_data((const guint8 *)svg->data, svg->n, &why);
	if (!handle) {
		err_set(e, EXIT_INPUT, "librsvg cannot read the figure: %s", why->message);
		g_clear_error(&why);
		return -1;
	}
	r = paint(handle, w, h, out, e);
	g_object_unref(handle);
	return r;
}
