/* heat-scale: the range of a heat map, and its color bar. */
#ifndef HEAT_SCALE_H
#define HEAT_SCALE_H

#include "draw/heat-map.h"

/* The position of v between low (0) and high (1). */
double heat_scale_at(const struct heat_map *h, double v);
/* Digits after the decimal point that distinguish values of this range. */
int heat_scale_decimals(const struct heat_map *h);
/* Width of the color bar with its ticks and its unit, in pixels. */
double heat_scale_width(const struct heat_map *h);
/* Draws the color bar with its upper left corner at x, y; without ticks if h->each. */
void heat_scale_draw(const struct heat_map *h, struct buf *out, double x, double y, double height);

#endif
