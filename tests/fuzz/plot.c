/* plot: any bytes are points that can be drawn, or are refused. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "draw/plot.h"

#include "fuzz.h"

static void
check(const struct plot_series *s)
{
	must(s->n > 0);
	for (size_t i = 0; i < s->n; i++) {
		const struct plot_point *a = &s->point[i];

		must(isfinite(a->y) && (s->kind == PLOT_LEVEL || isfinite(a->x)));
		must(isnan(a->low) == isnan(a->high) && !(a->low > a->high));
		must(s->kind == PLOT_LINE || s->kind == PLOT_BAND || isnan(a->low));
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct plot p = { .title = "title", .x_label = "x" };
	struct buf svg = { 0 };
	struct err e;
	struct input *in = input_memory("fuzz", data, n, INPUT_UTF8, &e);

	if (!in)
		return 0;
	if (plot_read(&p, in, &e)) {
		must(e.status == EXIT_INPUT);
	} else {
		must(p.n > 0);
		for (size_t i = 0; i < p.n; i++)
			for (size_t k = 0; k < p.panel[i].n; k++)
				check(&p.panel[i].series[k]);
		plot_svg(&svg, &p);
		if (plot_use_log(&p, &e))
			must(e.status == EXIT_INPUT);
		else
			plot_svg(&svg, &p);
		must(!memchr(svg.data, 0, svg.n));
	}
	buf_release(&svg);
	plot_release(&p);
	input_close(in);
	return 0;
}
