/* stage-results: the rules of tables, and of all results; see stages.h. */
#include <string.h>

#include "plan/results.h"

/* --- what is needed of data and runs --- */

static int
need_paper(struct writer *w, const struct results *r)
{
	struct plan *p = w->p;
	const char *column = first_column(p), *name = r->paper->name;
	const struct list also = r->also, statistics = words_of(r, "statistics");

	for (size_t i = 0; i < r->studied.n; i++)
		list_once(p->a, &w->measured, r->studied.s[i]);
	for (size_t i = 0; r->whole && r->posthoc.n && i < r->paper->runs.n; i++)
		if (has_prefix(r->paper->runs.s[i],
			       text_print(p->a, "%s/%s/%s/", name, column, r->whole->variant)))
			list_once(p->a, &w->measured, r->paper->runs.s[i]);
	for (size_t i = 0; i < r->timed.n; i++)
		list_once(p->a, &w->pruned, r->timed.s[i]);
	if (r->whole) {
		const char *stream = text_print(p->a, "%s/probe/%s/dev", name, column);

		list_once(p->a, &w->summed, stream);
		if (need_stream(w, stream))
			return -1;
	}
	if ((r->timed.n || r->posthoc.n) &&
	    need_stream(w, text_print(p->a, "%s/plain/%s/test", name, column)))
		return -1;
	for (size_t c = 0; list_has(&also, "statistics") && c < 3 * p->columns.n; c++) {
		const char *stream = text_print(p->a, "%s/%s/%s/%s", name, statistics.s[0],
						p->columns.s[c / 3], split_names[c % 3]);

		list_once(p->a, &w->summed, stream);
		if (need_stream(w, stream))
			return -1;
	}
	return 0;
}

/* --- names of a paper --- */

/* The checksum of the parsed sentences. */
static const char *
probe_sum(const struct results *r)
{
	const struct plan *p = r->w->p;

	return text_print(p->a, "%s/prepared/%s/probe/%s/dev.sum", p->work, r->paper->name,
			  first_column(p));
}

static int
begin_results(struct writer *w, const struct paper *paper, struct results *r)
{
	struct plan *p = w->p;
	const struct list gated = paper_words(p, paper, "gated");
	const struct list walk = paper_words(p, paper, "walk");
	struct list systems;

	*r = (struct results){ .w = w, .paper = paper };
	thing_init(&r->t, w);
	r->t.s.paper = paper;
	r->t.s.home = paper->name;
	r->studied = first_runs(r, "studied");
	r->timed = first_runs(r, "timed");
	r->whole = r->studied.n ? plan_run(p, r->studied.s[0]) : NULL;
	r->gated = gated.n ? plan_first_run(p, paper, first_column(p), gated.s[0]) : NULL;
	find_also(r);
	find_figures(r);
	if (find_curves(r) || find_plots(r))
		return -1;
	systems = systems_of(r);
	r->walk = walk.n ? plan_first_run(p, paper, first_column(p), walk.s[0]) : NULL;
	if (!r->walk && systems.n)
		r->walk = plan_run(p, systems.s[0]);
	thing_set(&r->t, "systems", list_text(p->a, &systems));
	thing_set(&r->t, "brief", text_print(p->a, "%s/brief/%s", p->work, paper->name));
	thing_set(&r->t, "grid", text_print(p->a, "%ssrc/papers/%s.grid", p->top, paper->name));
	thing_set(&r->t, "runs", list_text(p->a, &paper->runs));
	thing_set(&r->t, "all-records", records_of(p, &paper->runs));
	if (r->whole) {
		thing_set(&r->t, "measured", measured_by(&r->t.s, w->e));
		thing_set(&r->t, "probe-sum", probe_sum(r));
	}
	return 0;
}

/* A thing of a paper, about a run or NULL. */
struct thing
thing_of(const struct results *r, const struct run *run)
{
	struct thing t = r->t;
	struct plan *p = r->w->p;

	t.s.column = first_column(p);
	if (run) {
		thing_set(&t, "run", run->name);
		thing_set(&t, "dir", text_print(p->a, "%s/run/%s", p->work, run->name));
		thing_set(&t, "record", text_print(p->a, "%s/record", entry_of_run(p, run->name)));
		thing_set(&t, "entry", entry_of_run(p, run->name));
		t.s.run = run;
	}
	return t;
}

/* Writes a thing, whose names are its own. */
int
write_thing(const struct results *r, struct thing *t, const char *kind)
{
	t->s.var = t->var;
	return thing_write(r->w, t, kind);
}

/* Adds data=SUM as {sums}, for FILE. */
void
set_sums(const struct results *r, struct thing *t, const char *name)
{
	struct plan *p = r->w->p;
	struct list files = { .n = 0 };

	list_add(p->a, &files, probe_sum(r));
	thing_set(t, "sums",
		  data_sums(p, &files,
			    text_print(p->a, "%s/%s/%s", p->results, r->paper->name, name)));
}

/* --- tables --- */

static int
write_tables(struct results *r)
{
	for (size_t i = 0; i < r->paper->asked.n; i++) {
		struct thing t = thing_of(r, NULL);
		struct list runs;

		if (section_runs(r, r->paper->asked.s[i], &runs))
			return -1;
		thing_set(&t, "section", r->paper->asked.s[i]);
		thing_set(&t, "records", records_of(r->w->p, &runs));
		if (write_thing(r, &t, "table"))
			return -1;
	}
	return 0;
}

static int
write_statistics(struct results *r)
{
	struct plan *p = r->w->p;
	const struct list data = words_of(r, "statistics");
	struct list streams = { .n = 0 }, sums = { .n = 0 }, names = { .n = 0 };
	struct thing t = thing_of(r, NULL);
	const char *rows;

	for (size_t c = 0; c < 3 * p->columns.n; c++) {
		const char *name = text_print(p->a, "prepared/%s/%s/%s/%s", r->paper->name,
					      data.s[0], p->columns.s[c / 3], split_names[c % 3]);

		list_add(p->a, &names, text_print(p->a, "%s.heed", name));
		list_add(p->a, &streams, text_print(p->a, "%s/%s.heed", p->work, name));
		list_add(p->a, &sums, text_print(p->a, "%s/%s.sum", p->work, name));
	}
	rows = text_of_file(p->a,
			    text_print(p->a, "%ssrc/papers/%s.statistics", p->top, r->paper->name));
	thing_set(&t, "counted-names", list_text(p->a, &names));
	thing_set(&t, "counted", list_text(p->a, &streams));
	thing_set(&t, "counted-sums", list_text(p->a, &sums));
	thing_set(&t, "own-rows", rows);
	thing_set(&t, "sums",
		  data_sums(p, &sums,
			    text_print(p->a, "%s/%s/statistics.tsv", p->results, r->paper->name)));
	return write_thing(r, &t, "statistics");
}

static int
write_found(struct results *r)
{
	struct plan *p = r->w->p;
	struct list bests = { .n = 0 };
	struct thing t = thing_of(r, NULL);

	for (size_t i = 0; i < r->paper->runs.n; i++) {
		const struct run *run = plan_run(p, r->paper->runs.s[i]);

		if (run->search)
			list_once(p->a, &bests,
				  text_print(p->a, "%s/%s/best", p->results, run->search));
	}
	list_sort(&bests);
	thing_set(&t, "bests", list_text(p->a, &bests));
	return write_thing(r, &t, "found");
}

static int
write_trace(struct results *r, const char *name)
{
	struct plan *p = r->w->p;
	const struct list words = list_words(p->a, key(r, text_print(p->a, "trace.%s", name)));
	struct thing t = thing_of(r, NULL);
	struct list runs;

	if (section_runs(r, words.s[0], &runs))
		return -1;
	thing_set(&t, "trace", name);
	thing_set(&t, "prefix", words.s[words.n - 1]);
	thing_set(&t, "records", records_of(p, &runs));
	return write_thing(r, &t, "trace");
}

/* Files of the folders of runs, separated by blanks. */
static const char *
run_files(struct plan *p, const struct list *runs, const char *name)
{
	struct list files = { .n = 0 };

	for (size_t i = 0; i < runs->n; i++)
		list_add(p->a, &files, text_print(p->a, "%s/run/%s/%s", p->work, runs->s[i], name));
	return list_text(p->a, &files);
}

static int
write_studied(struct results *r)
{
	struct plan *p = r->w->p;
	struct thing t = thing_of(r, NULL);

	thing_set(&t, "studied-runs", list_text(p->a, &r->studied));
	thing_set(&t, "heads-streams", run_files(p, &r->studied, "heads.heed"));
	thing_set(&t, "records", records_of(p, &r->studied));
	set_sums(r, &t, "heads.tsv");
	return write_thing(r, &t, "studied-runs");
}

static int
write_timed(struct results *r)
{
	struct plan *p = r->w->p;
	struct thing t = thing_of(r, NULL);

	thing_set(&t, "timed-runs", list_text(p->a, &r->timed));
	thing_set(&t, "models", run_files(p, &r->timed, "pruned.tar"));
	thing_set(&t, "records", records_of(p, &r->timed));
	return write_thing(r, &t, "timed-runs");
}

/* Tables of the whole model, by name. */
static int
write_whole(struct results *r, const char *name)
{
	struct thing t = thing_of(r, r->whole);

	for (int i = 0; i < 4; i++) {
		static const char *const names[] = { "syntax", "rare", "measures",
						     "roles-updates" };

		thing_set(&t, names[i], strcmp(names[i], name) ? "" : "yes");
	}
	thing_set(&t, "roles-plot", strcmp(name, "roles-updates") ? "" : "yes");
	set_sums(r, &t, text_print(r->w->p->a, "%s.tsv", name));
	return write_thing(r, &t, "whole-run");
}

static int
write_also(struct results *r)
{
	for (size_t i = 0; i < r->also.n; i++) {
		const char *name = r->also.s[i];
		struct thing t = thing_of(r, NULL);
		int bad = 0;

		thing_set(&t, "table", name);
		if (!strcmp(name, "statistics"))
			bad = write_statistics(r);
		else if (!strcmp(name, "found"))
			bad = write_found(r);
		else if (!strcmp(name, "heads"))
			bad = write_studied(r);
		else if (!strcmp(name, "speed"))
			bad = write_timed(r);
		else if (!strcmp(name, "kept") || !strcmp(name, "roles"))
			bad = write_thing(r, &t, "head-table");
		else if (has_prefix(name, "trace-"))
			bad = write_trace(r, name + 6);
		else if (!has_prefix(name, "posthoc-"))
			bad = write_whole(r, name);
		if (bad)
			return -1;
	}
	return 0;
}

/* --- all papers --- */

bool
is_reported(const struct plan *p, const struct paper *paper)
{
	return (paper->goal || !p->goals.n) && paper->runs.n;
}

int
need_results(struct writer *w)
{
	for (size_t i = 0; i < w->p->n_papers; i++) {
		struct results r;

		if (is_reported(w->p, &w->p->paper[i]) &&
		    (begin_results(w, &w->p->paper[i], &r) || (!w->p->draw && need_paper(w, &r))))
			return -1;
	}
	return 0;
}

int
write_results(struct writer *w)
{
	for (size_t i = 0; i < w->p->n_papers; i++) {
		struct results r;

		if (is_reported(w->p, &w->p->paper[i]) &&
		    (begin_results(w, &w->p->paper[i], &r) || write_tables(&r) || write_also(&r) ||
		     write_figures(&r) || write_report(&r)))
			return -1;
	}
	return 0;
}
