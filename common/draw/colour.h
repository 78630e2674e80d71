/*
 * colour: numbers as colours.
 *
 * Scales are lines through OKLab (Ottosson 2020, A perceptual color space for image processing)
 * along which lightness falls evenly, so that equal steps look equal, also in grey and to those who
 * do not tell red from green.
 */
#ifndef COLOUR_H
#define COLOUR_H

#include <stdbool.h>

enum colours {
	COLOURS_BLUE,		/* white over green and blue to nearly black */
	COLOURS_GREY,		/* white to nearly black */
	COLOURS_DIVERGING	/* blue over white to orange: both ends alike in grey */
};
enum { COLOUR_STEPS = 256 };

extern const char *const colour_names[];	/* of enum colours; NULL at the end */

struct colour { unsigned char r, g, b; };

struct colour colour_at(enum colours scale, double t);	/* t from 0 to 1; what is outside is cut */
void colour_hex(struct colour c, char to[8]);			/* "#rrggbb" */
double colour_luminance(struct colour c);			/* relative to white: 0 to 1 */

#endif
