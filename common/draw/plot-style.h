/*
 * plot-style: the color, dash pattern and marks of the series of a plot (plot.h), which follow from
 * their numbers.
 */
#ifndef PLOT_STYLE_H
#define PLOT_STYLE_H

#include "draw/plot.h"
#include "draw/svg.h"

#define PLOT_BAND_FILL "#dde"

/*
 * Numbers the lines of a plot, and the levels of panels with several levels; a single level of a
 * panel gets -1.  A name has the same number in all panels, and no other name has it.  A new name
 * gets a color that its panel does not have yet, if there is one.  The first 96 names have
 * different styles.
 */
void plot_style_number(struct plot *p);

/* `panel` is that of the series; points have the color of the line before them. */
const char *plot_style_color(const struct plot_panel *panel, const struct plot_series *s);
enum svg_mark plot_style_mark(const struct plot_series *s);
/* Ends a path that svg_path() began, with the dashes of the series. */
void plot_style_end(struct buf *out, const struct plot_series *s);

#endif
