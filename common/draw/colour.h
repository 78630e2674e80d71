/*
 * colour: color scales for values from 0 to 1.
 *
 * Scales are paths through the color space OKLab (Ottosson 2020, A perceptual color space for image
 * processing).  From value 0 to 1, lightness falls evenly along COLORS_BLUE and COLORS_GRAY.  Along
 * COLORS_DIVERGING, lightness rises evenly to white at 0.5, and then falls evenly.  Therefore,
 * equal steps of the value look equal, also when printed in gray and with red-green color
 * blindness.  Printed in gray, the two ends of COLORS_DIVERGING look alike.
 */
#ifndef COLOR_H
#define COLOR_H

#include <stdbool.h>

enum colors {
	COLORS_BLUE,		/* from white over green and blue to nearly black */
	COLORS_GRAY,		/* from white to nearly black */
	COLORS_DIVERGING	/* from blue over white to orange */
};
/*
 * The number of colors in a file that stores a scale as a list: color i is that of the value i /
 * (COLOR_STEPS - 1).
 */
enum { COLOR_STEPS = 256 };

extern const char *const color_names[];	/* the names of enum colors, then NULL */

struct color { unsigned char r, g, b; };

/* The color of a scale for the value `t`.  A value below 0 counts as 0, one above 1 as 1. */
struct color color_at(enum colors scale, double t);
void color_hex(struct color c, char text[8]);		/* sets `text` to "#rrggbb", with a NUL */
double color_luminance(struct color c);			/* relative luminance, from 0 (black) to 1
							 * (white) */

#endif
