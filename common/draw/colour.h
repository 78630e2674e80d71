/*
 * colour: color scales for values from 0 to 1.
 *
 * Scales are paths through OKLab (Ottosson 2020, A perceptual color space for image processing).
 * Lightness falls evenly along COLORS_BLUE and COLORS_GRAY; in COLORS_DIVERGING it rises evenly to
 * white at 0.5, and falls evenly after it.  Equal steps therefore look equal, also in gray and with
 * red-green color blindness.  In gray, the two ends of COLORS_DIVERGING look alike.
 */
#ifndef COLOR_H
#define COLOR_H

#include <stdbool.h>

enum colors {
	COLORS_BLUE,		/* from white over green and blue to nearly black */
	COLORS_GRAY,		/* from white to nearly black */
	COLORS_DIVERGING	/* from blue over white to orange */
};
/* The number of colors where a scale is stored as a list: color i is at i / (COLOR_STEPS - 1). */
enum { COLOR_STEPS = 256 };

extern const char *const color_names[];	/* by enum colors, then NULL */

struct color { unsigned char r, g, b; };

/* The color of a scale at t; values of t outside 0 ... 1 count as 0 or 1. */
struct color color_at(enum colors scale, double t);
void color_hex(struct color c, char text[8]);		/* sets text to "#rrggbb" */
double color_luminance(struct color c);			/* relative to white: 0 to 1 */

#endif
