/* other-tests: see other-tests.h. */
#include <math.h>
#include <string.h>

#include "base/strmap.h"
#include "results/host-group.h"
#include "results/other-tests.h"
#include "results/table-cells.h"

/* The measures of the further test sets that any run has. */
static void
other_tests_list(const struct outcomes *o, struct strmap *measures)
{
	for (size_t i = 0; i < o->n_runs; i++)
		for (size_t k = 0; k < o->run[i].n; k++) {
			const char *name = o->run[i].fact[k].name;

			if (measure_of_other_test(name))
				strmap_add(measures, name, strlen(name));
		}
}

void
other_tests_put(const struct claim *c, const struct outcomes *o, struct buf *out)
{
	const struct claim_base *x = &c->against[c->weakest];
	const char *before = "";
	struct strmap measures;

	if (claim_primary(c) == c->measure ||
	    (c->verdict != VERDICT_CONFIRMED && c->verdict != VERDICT_REVERSED))
		return;
	strmap_init(&measures);
	other_tests_list(o, &measures);
	for (size_t i = 0; i < measures.n; i++) {
		const char *measure = strmap_text(&measures, (int)i, NULL);
		const struct group_pair pair = {
			.variant = c->row->variant, .base = x->base, .column = c->column,
			.measure = measure
		};
		const struct difference d = group_difference(o, &pair);

		if (isnan(d.mean))
			continue;
		buf_printf(out, "%s%.*s ", before,
			   (int)(strlen(measure) - strlen(OTHER_TEST) - strlen(".nll")),
			   measure + strlen(OTHER_TEST));
		cell_interval(out, measure, &d);
		before = "; ";
	}
	strmap_release(&measures);
}
