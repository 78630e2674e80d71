/* masking-curve-orders: orders by the measures of a list; see masking-curve.h. */
#include <stdlib.h>
#include <string.h>

#include "analysis/masking-curve.h"
#include "base/mem.h"

static bool
has_order(const struct masking_curve *c, const char *name)
{
	for (size_t i = 0; i < c->n_orders; i++)
		if (!strcmp(c->order[i].name, name))
			return true;
	return false;
}

static int
add_measure(struct masking_curve *c, struct head_table *t, const char *measure, bool highest,
	    const char *path, struct err *e)
{
	char *name = xasprintf("%s%s", measure, highest ? ".reverse" : "");
	const bool twice = has_order(c, name);

	free(name);
	if (twice)
		return err_usage(e, "--%s: %s is given twice, expected once",
				 highest ? "reverse" : "by", measure);
	if (!masking_curve_by(c, t, measure, highest, path, e))
		return 0;
	if (!c->skip_missing || e->status != EXIT_INPUT)
		return -1;
	c->skipped = mem_grow(c->skipped, &c->skipped_room, c->n_skipped + 1, sizeof(*c->skipped));
	c->skipped[c->n_skipped++] = (struct head_skipped){ xstrdup(measure), xstrdup(e->text) };
	return 0;
}

int
masking_curve_measures(struct masking_curve *c, struct head_table *t, const char *list,
		       bool highest, const char *path, struct err *e)
{
	int bad = 0;

	while (!bad && list && *list) {
		const size_t n = strcspn(list, ",");
		char *measure = xstrndup(list, n);

		bad = add_measure(c, t, measure, highest, path, e);
		free(measure);
		list += n + (list[n] == ',');
	}
	return bad;
}
