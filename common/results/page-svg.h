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
 * Appends the figure as an svg element, with the label for screen readers.  Returns false, and
 * appends nothing, unless it has only elements, attributes and entities of a short list, as the
 * figures of heed have, and its links lead to parts of the page.  The title of the whole figure is
 * left out, because the caption has it.
 */
bool page_svg(struct buf *out, const char *svg, const char *label);

#endif
