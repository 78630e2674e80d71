/* results: the tables, figures and reports of papers, and their rules; see plan.h. */
#include <string.h>

#include "plan/plan.h"

/* The results of a paper. */
struct results {
	struct scope s;				/* with the names that all its things have */
	const struct paper *paper;
	struct list columns;			/* paper_columns() */
	const char *column;			/* of these, the first one of DATA or CORPUS, or
						 * else the first one */
	struct list also, curves;		/* other tables; runs with a learning curve */
	struct list plots, gains, maps, head_maps, posthoc;	/* names of figures */
	const struct run *whole, *gated, *walk;
	struct list studied, timed;		/* the first run of each variant */
};

static bool
is_reported(const struct plan *p, const struct paper *paper)
{
	return is_wanted(p, paper) && paper->runs.n;
}

static struct list
words_of_key(const struct results *r, const char *key)
{
	return key_words(r->s.p, r->paper, key);
}

static void
set_list(struct scope *s, const char *name, const struct list *words)
{
	scope_set(s, name, list_text(s->p->a, words));
}

/* --- what there is --- */

/* The first run of each of the variants of a key on the first column. */
static struct list
first_runs(const struct results *r, const char *key)
{
	const struct list variants = words_of_key(r, key);
	struct list runs = { .n = 0 };

	for (size_t i = 0; i < variants.n; i++) {
		const struct run *run = first_run(r->s.p, r->paper, r->column, variants.s[i]);

		if (run)
			list_add(r->s.p->a, &runs, run->name);
	}
	return runs;
}

/* Tables of runs are left out if these are not requested. */
static void
find_also(struct results *r)
{
	const struct list also = words_of_key(r, "also");

	for (size_t i = 0; i < also.n; i++) {
		const char *name = also.s[i];
		bool there = r->whole || has_word("statistics found", name);

		if (!strcmp(name, "speed")) {
			there = r->timed.n > 0;
		} else if (has_prefix(name, "trace-") || !strcmp(name, "slopes")) {
			const char *key = *name == 's' ? "plots" :
				text_print(r->s.p->a, "trace.%s", name + strlen("trace-"));
			const struct list words = words_of_key(r, key);

			there = words.n && list_has(&r->paper->asked, words.s[0]);
		}
		if (there)
			list_add(r->s.p->a, &r->also, name);
	}
}

/* The run with the first seed that there is, of those whose name begins so, or NULL. */
static const char *
first_seed(const struct results *r, const char *prefix)
{
	struct plan *p = r->s.p;
	const struct scope s = scope_of(p, r->paper, name_part(p->a, prefix, 1));
	const struct list seeds = list_words(p->a, value_of(&s, "seeds"));

	for (size_t i = 0; i < seeds.n; i++) {
		const char *name = text_print(p->a, "%s%s", prefix, seeds.s[i]);

		if (list_has(&r->paper->runs, name))
			return name;
	}
	return NULL;
}

/* The runs of a section with the first seed that there is. */
static struct list
curved_runs(const struct results *r, const char *section)
{
	struct arena *a = r->s.p->a;
	const struct list runs = section_runs(r->s.p, r->paper, section);
	struct list places = { .n = 0 }, curved = { .n = 0 };

	for (size_t i = 0; i < runs.n; i++)
		list_once(a, &places,
			  text_print(a, "%.*s/", (int)(strrchr(runs.s[i], '/') - runs.s[i]),
				     runs.s[i]));
	list_sort(&places);
	for (size_t i = 0; i < places.n; i++)
		if (first_seed(r, places.s[i]))
			list_add(a, &curved, first_seed(r, places.s[i]));
	return curved;
}

/* Learning curves: those runs of the main sections, and the runs that they continue. */
static void
find_curves(struct results *r)
{
	struct arena *a = r->s.p->a;
	const struct list main = words_of_key(r, "main");
	struct list lines = { .n = 0 };

	for (size_t i = 0; i < main.n; i++) {
		const struct list curved = curved_runs(r, main.s[i]);

		for (size_t k = 0; k < curved.n; k++) {
			const struct run *run = plan_run(r->s.p, curved.s[k]);
			const char *begin = run->before[RUN_BEGIN];

			list_add(a, &lines,
				 text_print(a, "%s %s %s", main.s[i], run->name,
					    begin ? begin : "-"));
			for (; run; run = plan_run(r->s.p, run->before[RUN_BEGIN]))
				list_once(a, &r->curves, run->name);
		}
	}
	list_sort(&r->curves);
	set_list(&r->s, "curve-list", &lines);
	set_list(&r->s, "curve-runs", &r->curves);
}

/* A plot over a measure needs a run for which the paper also has that of the baseline. */
static bool
is_compared(const struct results *r, const struct grid_section *s, const struct list *runs)
{
	for (size_t i = 0; i < runs->n; i++) {
		const struct run *run = plan_run(r->s.p, runs->s[i]);

		for (size_t k = 0; k < s->n_rows; k++)
			for (size_t b = 0;
			     !strcmp(s->row[k].variant, run->variant) && b < s->row[k].n_bases; b++)
				if (list_has(runs, run_name(r->s.p, r->paper, run->column,
							    s->row[k].base[b], run->seed)))
					return true;
	}
	return false;
}

/* Is the x axis of a plot a measure of its rows, or of their corpora? */
static bool
is_over_measure(const char *over)
{
	return *over && !has_prefix(over, "pairs ") && !has_prefix(over, "label ") &&
	       !has_prefix(over, "corpus ");
}

static void
find_plots(struct results *r)
{
	const struct list plots = words_of_key(r, "plots"), gains = words_of_key(r, "gains");

	for (size_t i = 0; i < r->paper->asked.n; i++) {
		const char *section = r->paper->asked.s[i];
		const char *over = value_of(&r->s, text_print(r->s.p->a, "over.%s", section));
		const struct list runs = section_runs(r->s.p, r->paper, section);

		if (list_has(&gains, section) && runs.n)
			list_add(r->s.p->a, &r->gains, section);
		if (list_has(&plots, section) && runs.n &&
		    (!is_over_measure(over) ||
		     is_compared(r, grid_find(&r->paper->grid, section), &runs)))
			list_add(r->s.p->a, &r->plots, section);
	}
}

/* The run of a heat map VARIANT or, on the smallest column, VARIANT@least; or NULL. */
static const struct run *
map_run(const struct results *r, const char *map)
{
	struct arena *a = r->s.p->a;
	const struct list words =
		list_words(a, value_of(&r->s, text_print(a, "map.%s", map)));
	const bool least = words.n && strstr(words.s[0], "@least") && r->paper->sized.n;

	return words.n ? first_run(r->s.p, r->paper, least ? r->paper->sized.s[0] : r->column,
				   text_copy(a, words.s[0], strcspn(words.s[0], "@")))
		       : NULL;
}

static void
find_figures(struct results *r)
{
	const struct list maps = words_of_key(r, "maps"), head_maps = words_of_key(r, "head-maps");

	for (size_t i = 0; i < maps.n; i++)
		if (map_run(r, maps.s[i]))
			list_add(r->s.p->a, &r->maps, maps.s[i]);
	for (size_t i = 0; r->whole && i < head_maps.n; i++)
		if (strcmp(head_maps.s[i], "gates") || r->gated)
			list_add(r->s.p->a, &r->head_maps, head_maps.s[i]);
	if (r->whole)
		r->posthoc = words_of_key(r, "posthoc");
}

/* The main systems in the order of the grid: the run with the first seed on the first column. */
static void
find_systems(struct results *r)
{
	struct plan *p = r->s.p;
	const struct list walk = words_of_key(r, "walk");
	struct list columns = { .n = 0 }, systems = { .n = 0 }, tables = { .n = 0 };
	struct list claims = { .n = 0 };

	for (size_t i = 0; i < r->paper->asked.n; i++) {
		const char *section = r->paper->asked.s[i];

		list_add(p->a, has_prefix(section, "claims") ? &claims : &tables, section);
	}
	list_add_all(p->a, &columns, &r->columns);
	list_sort(&columns);
	for (size_t i = 0; columns.n && i < r->paper->main.n; i++) {
		const char *name = first_seed(
			r, run_name(p, r->paper, columns.s[0], r->paper->main.s[i], ""));

		if (name)
			list_add(p->a, &systems, name);
	}
	r->walk = walk.n ? first_run(p, r->paper, r->column, walk.s[0]) : NULL;
	if (!r->walk && systems.n)
		r->walk = plan_run(p, systems.s[0]);
	set_list(&r->s, "columns", &columns);
	scope_set(&r->s, "corpora-text",
		  columns.n > 3 ? text_print(p->a, "%s and %zu others", columns.s[0], columns.n - 1)
				: list_text(p->a, &columns));
	set_list(&r->s, "systems", &systems);
	set_list(&r->s, "tables-of-runs", &tables);
	set_list(&r->s, "claims", &claims);
}

static void
find_results(struct plan *p, const struct paper *paper, struct results *r)
{
	const struct list gated = key_words(p, paper, "gated");

	*r = (struct results){ .paper = paper, .columns = paper_columns(p, paper) };
	r->column = !r->columns.n || list_has(&r->columns, p->columns.s[0]) ? p->columns.s[0]
									    : r->columns.s[0];
	r->s = scope_of(p, paper, r->column);
	r->studied = first_runs(r, "studied");
	r->timed = first_runs(r, "timed");
	r->whole = r->studied.n ? plan_run(p, r->studied.s[0]) : NULL;
	r->gated = gated.n ? first_run(p, paper, r->column, gated.s[0]) : NULL;
	set_list(&r->s, "runs", &paper->runs);
	set_list(&r->s, "only", &paper->only);
	set_list(&r->s, "studied-runs", &r->studied);
	set_list(&r->s, "timed-runs", &r->timed);
	find_also(r);
	find_figures(r);
	find_curves(r);
	find_plots(r);
	find_systems(r);
}

/* --- what is needed of data and runs --- */

/* The runs of the whole model, with all seeds. */
static struct list
whole_runs(const struct results *r)
{
	return r->whole ? runs_of(r->s.p, r->paper, r->column, r->whole->variant)
			: (struct list){ .n = 0 };
}

/* The streams that the table statistics counts. */
static struct list
counted(const struct results *r)
{
	struct plan *p = r->s.p;
	const char *data = key_text(p, r->paper, "statistics");
	struct list streams = { .n = 0 };

	for (size_t c = 0; list_has(&r->also, "statistics") && c < 3 * r->columns.n; c++)
		list_add(p->a, &streams,
			 text_print(p->a, "%s/%s/%s/%s", r->paper->name, data, r->columns.s[c / 3],
				    split_names[c % 3]));
	return streams;
}

static void
need_all(struct plan *p, enum need kind, const struct list *names)
{
	for (size_t i = 0; i < names->n; i++)
		need(p, kind, names->s[i]);
}

static void
need_paper(struct results *r)
{
	struct plan *p = r->s.p;
	const struct list whole = whole_runs(r), streams = counted(r);

	need_all(p, NEED_HEADS, &r->studied);
	if (r->posthoc.n)
		need_all(p, NEED_HEADS, &whole);
	need_all(p, NEED_PRUNED, &r->timed);
	if (r->whole)
		need(p, NEED_SUM, text_print(p->a, "%s/probe/%s/dev", r->paper->name, r->column));
	if (r->timed.n)
		need(p, NEED_STREAM, text_print(p->a, "%s/test", plan_run(p, r->timed.s[0])->data));
	if (r->posthoc.n)
		need(p, NEED_STREAM, text_print(p->a, "%s/test", r->whole->data));
	need_all(p, NEED_SUM, &streams);
}

void
need_results(struct plan *p)
{
	p->result = arena_zero(p->a, (p->n_papers + 1) * sizeof(*p->result));
	for (size_t i = 0; i < p->n_papers && !p->bad; i++)
		if (is_reported(p, &p->paper[i])) {
			find_results(p, &p->paper[i], &p->result[i]);
			if (!p->draw)
				need_paper(&p->result[i]);
		}
}

/* --- rules --- */

static struct scope
with_run(const struct results *r, const struct run *run)
{
	struct scope s = r->s;

	if (run)
		scope_add_run(&s, run);
	return s;
}

static void
write_also(struct results *r, struct buf *out, const char *name)
{
	struct plan *p = r->s.p;
	const bool trace = has_prefix(name, "trace-");
	struct scope s = with_run(r, strcmp(name, "speed") ? r->whole : plan_run(p, r->timed.s[0]));
	struct list bests = { .n = 0 }, streams = counted(r), runs;

	if (trace) {
		const struct list words = key_words(p, r->paper,
						    text_print(p->a, "trace.%s", name + 6));

		runs = section_runs(p, r->paper, words.s[0]);
		set_list(&s, "these", &runs);
		scope_set(&s, "trace", name + 6);
		scope_set(&s, "prefix", words.s[words.n - 1]);
	}
	if (!strcmp(name, "slopes")) {
		runs = pooled_runs(p, r->paper, words_of_key(r, "plots").s[0]);
		set_list(&s, "these", &runs);
	}
	for (size_t i = 0; !strcmp(name, "found") && i < r->paper->runs.n; i++) {
		const struct run *run = plan_run(p, r->paper->runs.s[i]);

		if (run->search)
			list_once(p->a, &bests, text_print(p->a, "%s/best", run->search));
	}
	list_sort(&bests);
	set_list(&s, "found-by", &bests);
	set_list(&s, "counted", &streams);
	scope_set(&s, "table", name);
	stage_write(&s, out, trace ? "also-trace" : text_print(p->a, "also-%s", name));
}

static void
write_posthoc(struct results *r, struct buf *out, const char *curve)
{
	struct plan *p = r->s.p;
	const char *const suffix[] = { "svg", "tsv", "md" };
	const struct list runs = whole_runs(r);
	struct list files = { .n = 0 };
	struct scope s;

	for (size_t i = 0; i < runs.n; i++) {
		const struct run *run = plan_run(p, runs.s[i]);
		const char *file = text_print(p->a, "%s/%s/posthoc/%s/%s.heed.gz", p->results,
					      r->paper->name, curve, run->seed);
		s = with_run(r, run);
		scope_set(&s, "curve", curve);
		stage_write(&s, out, "curve-of-heads");
		if (!list_has(&p->left_out, file))
			list_add(p->a, &files, file);
	}
	s = r->s;
	scope_set(&s, "curve", curve);
	set_list(&s, "curves", &files);
	if (files.n)
		stage_write(&s, out, "curves-of-heads");
	for (int i = 0; !files.n && i < 3; i++)
		list_add(p->a, i ? &p->dropped : &p->left_out,
			 text_print(p->a, "%s/%s/posthoc-%s.%s", p->results, r->paper->name,
				    curve, suffix[i]));
}

/* Writes the rules of a kind for each word. */
static void
write_result_rules(struct results *r, struct buf *out, const char *kind, const struct list *words)
{
	for (size_t i = 0; i < words->n; i++) {
		struct scope s = r->s;
		const struct list runs = pooled_runs(s.p, r->paper, words->s[i]);

		scope_set(&s, "section", words->s[i]);
		set_list(&s, "these", &runs);
		stage_write(&s, out, kind);
	}
}

static void
write_figures(struct results *r, struct buf *out)
{
	struct arena *a = r->s.p->a;
	struct scope s;

	for (size_t i = 0; i < r->curves.n; i++) {
		s = with_run(r, plan_run(r->s.p, r->curves.s[i]));
		stage_write(&s, out, "curve");
	}
	write_result_rules(r, out, "plot", &r->plots);
	write_result_rules(r, out, "gains", &r->gains);
	for (size_t i = 0; i < r->maps.n; i++) {
		s = with_run(r, map_run(r, r->maps.s[i]));
		scope_set(&s, "map", r->maps.s[i]);
		stage_write(&s, out, "map");
	}
	for (size_t i = 0; i < r->head_maps.n; i++) {
		const char *name = r->head_maps.s[i];

		s = with_run(r, strcmp(name, "gates") ? r->whole : r->gated);
		scope_set(&s, "map", name);
		stage_write(&s, out, text_print(a, "map-%s", name));
	}
	for (size_t i = 0; i < r->posthoc.n; i++)
		write_posthoc(r, out, r->posthoc.s[i]);
	s = with_run(r, r->walk);
	if (r->walk)
		stage_write(&s, out, "walk");
}

/* --- the report --- */

static void
write_report(struct results *r, struct buf *out)
{
	struct plan *p = r->s.p;
	struct scope s = r->s;
	const char *missing = "";

	if (p->draw && p->lacking)
		missing = text_print(p->a, "%zu of the %zu runs are missing.", p->lacking,
				     p->runs.n);
	scope_set(&s, "missing", missing);
	set_list(&s, "also", &r->also);
	set_list(&s, "plots", &r->plots);
	set_list(&s, "gains", &r->gains);
	set_list(&s, "maps", &r->maps);
	set_list(&s, "head-maps", &r->head_maps);
	set_list(&s, "posthoc", &r->posthoc);
	set_list(&s, "sections", &r->paper->asked);
	scope_set(&s, "walk-run", r->walk ? "yes" : "");
	stage_write(&s, out, "report");
}

void
write_results(struct plan *p, struct buf *out)
{
	for (size_t i = 0; i < p->n_papers && !p->bad; i++) {
		struct results *r = &p->result[i];

		if (!r->paper)
			continue;
		write_result_rules(r, out, "table", &r->paper->asked);
		if (list_has(&r->also, "heads")) /* first: others need it, or are left out, too */
			write_also(r, out, "heads");
		for (size_t k = 0; k < r->also.n; k++)
			if (strcmp(r->also.s[k], "heads"))
				write_also(r, out, r->also.s[k]);
		write_figures(r, out);
		write_report(r, out);
	}
}
