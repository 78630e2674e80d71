/*
 * color: numbers as colors.
 *
 * Scales are lines through OKLab (Ottosson 2020, A perceptual color space for image processing)
 * along which lightness falls evenly, so that equal steps look equal, also in grey and to those who
 * do not tell red from green.
 */
#ifndef COLOR_H
#define COLOR_H

#include <stdbool.h>

enum colors {
	COLORS_BLUE,		/* white over green and blue to nearly black */
	COLORS_GRAY,		/* white to nearly black */
	COLORS_DIVERGING	/* blue over white to orange: both ends alike in grey */
};
enum { COLOR_STEPS = 256 };

extern const char *const color_names[];	/* of enum colors; NULL at the end */

struct color { unsigned char r, g, b; };

struct color color_at(enum colors scale, double t);	/* t from 0 to 1; what is outside is cut */
void color_hex(struct color c, char to[8]);			/* "#rrggbb" */
double color_luminance(struct color c);			/* relative to white: 0 to 1 */

#endif
