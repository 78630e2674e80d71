/* colour: scales through OKLab; see colour.h. */
#include "draw/colour.h"

#include <math.h>
#include <stdio.h>

const char *const color_names[] = { "blue", "gray", "diverging", NULL };

struct oklab { double l, a, b; };

static double
color_clip(double x)
{
	return x < 0 ? 0 : x > 1 ? 1 : x;
}

static unsigned char
color_encode(double x)
{
	x = color_clip(x);
	x = x <= 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1 / 2.4) - 0.055;
	return (unsigned char)(255 * x + 0.5);
}

static double
color_decode(unsigned char byte)
{
	const double x = byte / 255.0;

	return x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4);
}

static struct color
to_srgb(struct oklab c)
{
	const double l = c.l + 0.3963377774 * c.a + 0.2158037573 * c.b;
	const double m = c.l - 0.1055613458 * c.a - 0.0638541728 * c.b;
	const double s = c.l - 0.0894841775 * c.a - 1.2914855480 * c.b;
	const double l3 = l * l * l, m3 = m * m * m, s3 = s * s * s;

	return (struct color){
		color_encode(4.0767416621 * l3 - 3.3077115913 * m3 + 0.2309699292 * s3),
		color_encode(-1.2684380046 * l3 + 2.6097574011 * m3 - 0.3413193965 * s3),
		color_encode(-0.0041960863 * l3 - 0.7034186147 * m3 + 1.7076147010 * s3)
	};
}

/* By lightness, chroma and hue in degrees. */
static struct color
polar(double l, double chroma, double hue)
{
	const double angle = hue * acos(-1) / 180;

	return to_srgb((struct oklab){ l, chroma * cos(angle), chroma * sin(angle) });
}

/* Chroma rises and falls again; its maximum is where sRGB allows most for these hues. */
static struct color
blue(double t)
{
	return polar(1 - 0.75 * t, 0.125 * sin(acos(-1) * 0.92 * t), 190 + 85 * t);
}

static struct color
diverging(double t)
{
	const double d = 2 * fabs(t - 0.5);

	return polar(1 - 0.5 * d, 0.15 * sin(acos(-1) / 2 * d), t < 0.5 ? 255 : 50);
}

struct color
color_at(enum colors scale, double t)
{
	t = color_clip(t);
	switch (scale) {
	case COLORS_GRAY: return polar(1 - 0.85 * t, 0, 0);
	case COLORS_DIVERGING: return diverging(t);
	case COLORS_BLUE: break;
	}
	return blue(t);
}

void
color_hex(struct color c, char text[8])
{
	snprintf(text, 8, "#%02x%02x%02x", c.r, c.g, c.b);
}

double
color_luminance(struct color c)
{
	return 0.2126 * color_decode(c.r) + 0.7152 * color_decode(c.g) + 0.0722 * color_decode(c.b);
}
