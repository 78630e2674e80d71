/* heat-scale: the range of numbers of a heat map, and the bar that explains its colors. */
#ifndef HEAT_SCALE_H
#define HEAT_SCALE_H

#include "draw/heat-map.h"

/* Where v stands between low and high. */
double heat_scale_at(const struct heat_map *h, double v);
/* Decimals with which numbers of this range are told apart. */
int heat_scale_decimals(const struct heat_map *h);
/* Room that the bar, its ticks and its unit take. */
double heat_scale_width(const struct heat_map *h);
/* The bar's upper left corner at x, y.  Without ticks where each panel has a range of its own. */
void heat_scale_draw(const struct heat_map *h, struct buf *out, double x, double y, double height);

#endif
