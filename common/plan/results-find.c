/* results-find: what tables and figures a paper has; see results.h. */
#include <string.h>

#include "plan/results.h"

struct list
words_of(const struct results *r, const char *key)
{
	return paper_words(r->w->p, r->paper, key);
}

const char *
first_column(const struct plan *p)
{
	return p->columns.s[0];
}

/* The first run of each of these variants on the first column. */
struct list
first_runs(const struct results *r, const char *key)
{
	const struct list variants = words_of(r, key);
	struct list runs = { .n = 0 };

	for (size_t i = 0; i < variants.n; i++) {
		const struct run *run =
			plan_first_run(r->w->p, r->paper, first_column(r->w->p), variants.s[i]);

		if (run)
			list_add(r->w->p->a, &runs, run->name);
	}
	return runs;
}

/* The runs of a section that the paper has; of claims, all. */
int
section_runs(const struct results *r, const char *section, struct list *runs)
{
	const struct grid_section *s = grid_find(&r->paper->grid, section);
	struct list all = { .n = 0 };

	*runs = r->paper->runs;
	if (grid_is_claims(s))
		return 0;
	if (plan_section_runs(r->w->p, r->paper, s, &all, r->w->e))
		return -1;
	*runs = (struct list){ .n = 0 };
	for (size_t i = 0; i < r->paper->runs.n; i++)
		if (list_has(&all, r->paper->runs.s[i]))
			list_add(r->w->p->a, runs, r->paper->runs.s[i]);
	return 0;
}

/* A key, expanded for the paper; "" if it is not set. */
const char *
key(const struct results *r, const char *name)
{
	struct scope s = { .p = r->w->p,
			   .paper = r->paper,
			   .home = r->paper->name,
			   .column = first_column(r->w->p) };
	const char *value = setting(&s, name, r->w->e);

	return value ? value : "";
}

bool
has_prefix(const char *s, const char *prefix)
{
	return !strncmp(s, prefix, strlen(prefix));
}

/* --- what there is --- */

/* Tables of runs are left out if these are not requested. */
void
find_also(struct results *r)
{
	const struct list also = words_of(r, "also");
	static const char *const of_heads[] = { "heads", "kept",     "roles",	     "syntax",
						"rare",	 "measures", "roles-updates" };

	for (size_t i = 0; i < also.n; i++) {
		bool left = (has_prefix(also.s[i], "posthoc-") && !r->whole) ||
			    (!strcmp(also.s[i], "speed") && !r->timed.n);

		for (size_t k = 0; k < 7; k++)
			left = left || (!r->whole && !strcmp(also.s[i], of_heads[k]));
		if (!left)
			list_add(r->w->p->a, &r->also, also.s[i]);
	}
}

/* The run with the first seed that there is, of those whose name begins so. */
static const char *
first_seed(const struct results *r, const char *prefix)
{
	const struct list seeds = list_words(r->w->p->a, key(r, "seeds"));

	for (size_t i = 0; i < seeds.n; i++) {
		const char *name = text_print(r->w->p->a, "%s%s", prefix, seeds.s[i]);

		if (list_has(&r->paper->runs, name))
			return name;
	}
	return NULL;
}

/* The runs of a section with the first seed that there is. */
static int
curved_runs(const struct results *r, const char *section, struct list *curved)
{
	struct list runs, places = { .n = 0 };

	if (!grid_find(&r->paper->grid, section))
		return 0;
	if (section_runs(r, section, &runs))
		return -1;
	for (size_t i = 0; i < runs.n; i++)
		list_once(r->w->p->a, &places,
			  text_copy(r->w->p->a, runs.s[i],
				    (size_t)(strrchr(runs.s[i], '/') + 1 - runs.s[i])));
	list_sort(&places);
	for (size_t i = 0; i < places.n; i++) {
		const char *name = first_seed(r, places.s[i]);

		if (name)
			list_add(r->w->p->a, curved, name);
	}
	return 0;
}

static struct list
main_sections(const struct results *r)
{
	struct list main = words_of(r, "main");

	if (!main.n)
		list_add(r->w->p->a, &main, "table1");
	return main;
}

/* Learning curves: those runs of the main sections, and the runs that they continue. */
int
find_curves(struct results *r)
{
	struct arena *a = r->w->p->a;
	const struct list main = main_sections(r);
	struct list lines = { .n = 0 };

	for (size_t i = 0; i < main.n; i++) {
		struct list curved = { .n = 0 };

		if (curved_runs(r, main.s[i], &curved))
			return -1;
		for (size_t k = 0; k < curved.n; k++) {
			const struct run *run = plan_run(r->w->p, curved.s[k]);
			const char *begin = run->before[RUN_BEGIN];

			list_add(a, &lines,
				 text_print(a, "%s %s %s", main.s[i], run->name,
					    begin ? begin : "-"));
			for (; run; run = plan_run(r->w->p, run->before[RUN_BEGIN]))
				list_once(a, &r->curves, run->name);
		}
	}
	list_sort(&r->curves);
	thing_set(&r->t, "curve-list", list_text(a, &lines));
	return 0;
}

/* A plot over a measure needs a run for which the paper also has that of the baseline. */
static bool
is_compared(const struct results *r, const struct grid_section *s, const struct list *runs)
{
	for (size_t i = 0; i < runs->n; i++) {
		const struct run *run = plan_run(r->w->p, runs->s[i]);

		for (size_t k = 0; k < s->n_rows; k++)
			for (size_t b = 0;
			     !strcmp(s->row[k].variant, run->variant) && b < s->row[k].n_bases; b++)
				if (list_has(runs,
					     text_print(r->w->p->a, "%s/%s/%s/%s", r->paper->name,
							run->column, s->row[k].base[b], run->seed)))
					return true;
	}
	return false;
}

int
find_plots(struct results *r)
{
	const struct list plots = words_of(r, "plots"), gains = words_of(r, "gains");

	for (size_t i = 0; i < r->paper->asked.n; i++) {
		const char *section = r->paper->asked.s[i];
		const struct list over =
			list_words(r->w->p->a, key(r, text_print(r->w->p->a, "over.%s", section)));
		struct list runs;

		if (!list_has(&plots, section) && !list_has(&gains, section))
			continue;
		if (section_runs(r, section, &runs))
			return -1;
		if (list_has(&gains, section) && runs.n)
			list_add(r->w->p->a, &r->gains, section);
		if (!list_has(&plots, section))
			continue;
		if (over.n && strcmp(over.s[0], "-")
			    ? is_compared(r, grid_find(&r->paper->grid, section), &runs)
			    : runs.n > 0)
			list_add(r->w->p->a, &r->plots, section);
	}
	return 0;
}

/* The run that a heat map shows: of VARIANT on the first column, of VARIANT@least on the smallest.
 */
const struct run *
map_run(const struct results *r, const char *map)
{
	const struct list words = list_words(r->w->p->a, map);
	const char *at = words.n ? strchr(words.s[0], '@') : NULL;
	const bool least = strstr(map, "@least") && r->paper->sized.n;

	if (!words.n)
		return NULL;
	return plan_first_run(
		r->w->p, r->paper, least ? r->paper->sized.s[0] : first_column(r->w->p),
		at ? text_copy(r->w->p->a, words.s[0], (size_t)(at - words.s[0])) : words.s[0]);
}

void
find_figures(struct results *r)
{
	struct arena *a = r->w->p->a;
	const struct list maps = words_of(r, "maps"), head_maps = words_of(r, "head-maps");
	const struct list posthoc = words_of(r, "posthoc");

	for (size_t i = 0; i < maps.n; i++)
		if (map_run(r, key(r, text_print(a, "map.%s", maps.s[i]))))
			list_add(a, &r->maps, maps.s[i]);
	for (size_t i = 0; r->whole && i < head_maps.n; i++)
		if (strcmp(head_maps.s[i], "gates") || r->gated)
			list_add(a, &r->head_maps, head_maps.s[i]);
	for (size_t i = 0; r->whole && i < posthoc.n; i++)
		list_add(a, &r->posthoc, posthoc.s[i]);
}

/* The main systems in the order of the grid: the run with the first seed on the first column. */
struct list
systems_of(const struct results *r)
{
	struct list columns = { .n = 0 }, systems = { .n = 0 };
	struct plan *p = r->w->p;

	for (size_t i = 0; i < r->paper->asked.n; i++) {
		struct list more;

		if (grid_is_claims(grid_find(&r->paper->grid, r->paper->asked.s[i])))
			continue;
		more = plan_section_columns(p, r->paper, r->paper->asked.s[i]);
		for (size_t k = 0; k < more.n; k++)
			list_once(p->a, &columns, more.s[k]);
	}
	list_sort(&columns);
	thing_set((struct thing *)&r->t, "columns", list_text(p->a, &columns));
	for (size_t i = 0; columns.n && i < r->paper->main.n; i++) {
		const char *name = first_seed(r, text_print(p->a, "%s/%s/%s/", r->paper->name,
							    columns.s[0], r->paper->main.s[i]));

		if (name)
			list_add(p->a, &systems, name);
	}
	return systems;
}

/* The checksums in these files, as "data=SUM"; if one is not there, those that FILE.of has. */
const char *
data_sums(struct plan *p, const struct list *files, const char *file)
{
	struct list sums = { .n = 0 }, old;

	for (size_t i = 0; i < files->n; i++) {
		const char *sum = text_of_file(p->a, files->s[i]);

		if (sum)
			list_add(p->a, &sums, text_print(p->a, "data=%s", sum));
	}
	if (sums.n == files->n)
		return list_text(p->a, &sums);
	file = text_of_file(p->a, text_print(p->a, "%s.of", file));
	old = list_words(p->a, file ? file : "");
	sums.n = 0;
	for (size_t i = 0; i < old.n; i++)
		if (has_prefix(old.s[i], "data="))
			list_add(p->a, &sums, old.s[i]);
	return list_text(p->a, &sums);
}
