/* results-figures: the rules of figures; see results.h. */
#include <string.h>

#include "plan/results.h"

static int
write_plot(struct results *r, const char *section)
{
	struct arena *a = r->w->p->a;
	const char *over = key(r, text_print(a, "over.%s", section));
	const char *label = over + strcspn(over, " ");
	struct thing t = thing_of(r, NULL);

	thing_set(&t, "section", section);
	thing_set(&t, "measure",
		  *over && strncmp(over, "- ", 2) ? text_copy(a, over, strcspn(over, " ")) : "");
	thing_set(&t, "label", *over ? label + strspn(label, " ") : "training sentence pairs");
	thing_set(&t, "log-x", *over ? "" : "--log-x");
	return write_thing(r, &t, "plot");
}

static int
write_map(struct results *r, const char *name)
{
	struct arena *a = r->w->p->a;
	const char *map = key(r, text_print(a, "map.%s", name));
	const struct run *run = map_run(r, map);
	struct thing t = thing_of(r, run);

	thing_set(&t, "map", name);
	thing_set(&t, "map-setting", map);
	thing_set(&t, "map-options", map + strcspn(map, " "));
	thing_set(&t, "reads", strstr(map, " strengths") ? "" : "yes");
	return write_thing(r, &t, "map");
}

static int
write_head_map(struct results *r, const char *name)
{
	const bool measure = !strcmp(name, "relevance") || !strcmp(name, "confidence");
	const bool gates = !strcmp(name, "gates");
	struct thing t = thing_of(r, gates ? r->gated : r->whole);

	thing_set(&t, "map", name);
	set_sums(r, &t, text_print(r->w->p->a, "%s.svg", name));
	return write_thing(r, &t,
			   measure		      ? "measure-map"
			   : gates		      ? "gate-map"
			   : !strcmp(name, "offsets") ? "offset-map"
			   : !strcmp(name, "layers")  ? "layer-map"
			   : !strcmp(name, "fate")    ? "fate-map"
						      : "drift-map");
}

static int
write_posthoc(struct results *r, const char *curve)
{
	struct plan *p = r->w->p;
	const char *prefix =
		text_print(p->a, "%s/%s/%s/", r->paper->name, first_column(p), r->whole->variant);
	struct list files = { .n = 0 };
	struct thing t;

	for (size_t i = 0; i < r->paper->runs.n; i++) {
		const struct run *run = plan_run(p, r->paper->runs.s[i]);
		const char *file = text_print(p->a, "%s/%s/posthoc/%s/%s.heed.gz", p->results,
					      r->paper->name, curve, run->seed);

		if (!has_prefix(run->name, prefix))
			continue;
		t = thing_of(r, run);
		thing_set(&t, "curve", curve);
		thing_set(&t, "curve-on", key(r, text_print(p->a, "curve-on.%s", curve)));
		thing_set(&t, "curve-options", key(r, text_print(p->a, "curve.%s", curve)));
		if (write_thing(r, &t, "curve-of-heads"))
			return -1;
		if (!list_has(&p->left_out, file))
			list_add(p->a, &files, file);
	}
	t = thing_of(r, NULL);
	thing_set(&t, "curve", curve);
	thing_set(&t, "curves", list_text(p->a, &files));
	if (!files.n)
		list_add(p->a, &p->left_out,
			 text_print(p->a, "%s/%s/posthoc-%s.svg", p->results, r->paper->name,
				    curve));
	return files.n ? write_thing(r, &t, "curves-of-heads") : 0;
}

static int
write_walk(struct results *r)
{
	struct thing t = thing_of(r, r->walk);

	return write_thing(r, &t, "walk");
}

int
write_figures(struct results *r)
{
	for (size_t i = 0; i < r->curves.n; i++) {
		struct thing t = thing_of(r, plan_run(r->w->p, r->curves.s[i]));

		if (write_thing(r, &t, "curve"))
			return -1;
	}
	for (size_t i = 0; i < r->plots.n; i++)
		if (write_plot(r, r->plots.s[i]))
			return -1;
	for (size_t i = 0; i < r->gains.n; i++) {
		struct thing t = thing_of(r, NULL);

		thing_set(&t, "section", r->gains.s[i]);
		if (write_thing(r, &t, "gains"))
			return -1;
	}
	for (size_t i = 0; i < r->maps.n; i++)
		if (write_map(r, r->maps.s[i]))
			return -1;
	for (size_t i = 0; i < r->head_maps.n; i++)
		if (write_head_map(r, r->head_maps.s[i]))
			return -1;
	for (size_t i = 0; i < r->posthoc.n; i++)
		if (write_posthoc(r, r->posthoc.s[i]))
			return -1;
	return r->walk ? write_walk(r) : 0;
}
