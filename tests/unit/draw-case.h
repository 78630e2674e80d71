/* draw-case: comparisons for the tests of pictures. */
#ifndef DRAW_CASE_H
#define DRAW_CASE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <libxml/parser.h>
#include <cmocka.h>

#include "base/mem.h"
#include "draw/heat-map.h"
#include "draw/heat-scale.h"
#include "draw/measure.h"
#include "draw/svg.h"

static inline void
near(double a, double b)
{
	assert_true(fabs(a - b) < 1e-6);
}

static inline double
width(const char *s)
{
	return measure_width(s, strlen(s));
}

#endif
