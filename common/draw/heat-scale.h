/* heat-scale: the color scale of a heat map (heat-map.h), and the color bar that shows it. */
#ifndef HEAT_SCALE_H
#define HEAT_SCALE_H

#include "draw/heat-map.h"

/* The position of the value `v` in the range: 0 for h->low, 1 for h->high. */
double heat_scale_at(const struct heat_map *h, double v);
/*
 * The number of digits after the decimal point that is needed to distinguish values in the range.
 */
int heat_scale_decimals(const struct heat_map *h);
/* The width of the color bar with its ticks and its unit, in pixels. */
double heat_scale_width(const struct heat_map *h);
/*
 * Draws the color bar.  Its upper left corner is at (`x`, `y`); these and `height` are in pixels.
 * If h->each is true, the bar has no ticks.
 */
void heat_scale_draw(const struct heat_map *h, struct buf *out, double x, double y, double height);

#endif
