/*
 * page-svg: an SVG figure as part of a page.
 *
 * Elements of the page can be selected, show their values under the pointer, and link to other
 * parts of it; those of an image cannot.  Scripts, styles, and references outside of the page are
 * not among the elements and attributes that are allowed.
 */
#ifndef PAGE_SVG_H
#define PAGE_SVG_H

#include <stdbool.h>

#include "base/buf.h"

/*
 * Appends the figure as an svg element with the label for screen readers, if it has only elements,
 * attributes and entities of a short list, which those that heed draws have.  Links must lead to a
 * part of the page.  The title of the whole figure is left out, since the caption has it.  Returns
 * false, and appends nothing, if there is anything else.
 */
bool page_svg(struct buf *out, const char *svg, const char *label);

#endif
