/* png-rsvg: PNG and PDF by librsvg and cairo; see png.h. */
#include "draw/png.h"

#include <math.h>

#include <cairo-pdf.h>
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

/* Ends a drawing on s by c, of which r is the status so far. */
static int
finish(cairo_surface_t *s, cairo_t *c, int r, const char *noun, double width, double height,
       struct err *e)
{
	cairo_surface_finish(s);
	if (!r && (cairo_status(c) || cairo_surface_status(s)))
		r = err_set(e, EXIT_SYSTEM, "cairo cannot write %s of %.0f x %.0f", noun, width,
			    height);
	cairo_destroy(c);
	cairo_surface_destroy(s);
	return r;
}

static int
paint_png(RsvgHandle *svg, double width, double height, struct buf *out, struct err *e)
{
	const RsvgRectangle place = { 0, 0, width, height };
	cairo_surface_t *s =
		cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)width, (int)height);
	cairo_t *c = cairo_create(s);
	int r;

	cairo_set_source_rgb(c, 1, 1, 1);	/* sides are rounded up to whole pixels */
	cairo_paint(c);
	r = render(svg, c, &place, e);
	if (!r && cairo_surface_write_to_png_stream(s, add_bytes, out) != CAIRO_STATUS_SUCCESS)
		r = err_set(e, EXIT_SYSTEM, "cairo cannot write an image of %.0f x %.0f pixels",
			    width, height);
	return finish(s, c, r, "an image", width, height, e);
}

/* The same figure gives the same bytes: the file has no date. */
static int
paint_pdf(RsvgHandle *svg, double width, double height, struct buf *out, struct err *e)
{
	const RsvgRectangle place = { 0, 0, width, height };
	cairo_surface_t *s = cairo_pdf_surface_create_for_stream(add_bytes, out, width, height);
	cairo_t *c = cairo_create(s);

	cairo_pdf_surface_set_metadata(s, CAIRO_PDF_METADATA_CREATE_DATE, "2000-01-01T00:00:00Z");
	return finish(s, c, render(svg, c, &place, e), "a page", width, height, e);
}

static RsvgHandle *
read_svg(const struct buf *svg, struct err *e)
{
	GError *why = NULL;
	RsvgHandle *handle = rsvg_handle_new_from_data((const guint8 *)svg->data, svg->n, &why);

	if (!handle) {
		err_set(e, EXIT_INPUT, "librsvg cannot read the figure: %s", why->message);
		g_clear_error(&why);
	}
	return handle;
}

int
png_draw(const struct buf *svg, double width, double height, double scale, struct buf *out,
	 struct err *e)
{
	const double w = ceil(width * scale), h = ceil(height * scale);
	RsvgHandle *handle;
	int r;

	if (w > MAX_SIDE || h > MAX_SIDE)
		return err_set(e, EXIT_INPUT,
			       "an image of %.0f x %.0f pixels, expected at most %d per side", w, h,
			       MAX_SIDE);
	handle = read_svg(svg, e);
	if (!handle)
		return -1;
	r = paint_png(handle, w, h, out, e);
	g_object_unref(handle);
	return r;
}

int
png_draw_pdf(const struct buf *svg, double width, double height, struct buf *out, struct err *e)
{
	RsvgHandle *handle = read_svg(svg, e);
	int r;

	if (!handle)
		return -1;
	r = paint_pdf(handle, width, height, out, e);
	g_object_unref(handle);
	return r;
}
