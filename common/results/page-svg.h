/*
 * page-svg: an SVG figure as a part of an HTML page (page.h), not as an image.
 *
 * As a part of the page, the texts of a figure can be selected, its elements show their values
 * under the pointer, and they can link to other parts of the page; in an image they cannot.  Only
 * harmless elements and attributes are allowed: no scripts, no styles, and no references outside of
 * the page.
 */
#ifndef PAGE_SVG_H
#define PAGE_SVG_H

#include <stdbool.h>

#include "base/buf.h"

/*
 * Appends the figure `svg` as an svg element, with `label` as its name for screen readers.  The
 * title of the whole figure is left out, because the caption has it.  Returns false and appends
 * nothing if the figure has an element, attribute or entity that the figures of heed do not use, or
 * a link that does not lead to a part of the page.
 */
bool page_svg(struct buf *out, const char *svg, const char *label);

#endif
