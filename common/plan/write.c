/* write: the rules of all that the goals need, and the lists next to them; see plan.h. */
#include <stdio.h>
#include <string.h>

#include "base/output.h"
#include "plan/stored.h"

/* --- goals --- */

/* The results of missing searches, but of those that wait for another one. */
static const char *
search_files(struct plan *p)
{
	struct list files = { .n = 0 };

	for (size_t i = 0; i < p->n_searches; i++) {
		const struct search *s = &p->search[i], *after = plan_search(p, s->after);

		if (s->wanted && s->missing && !(after && after->missing))
			list_add(p->a, &files, text_print(p->a, "%s/%s/best", p->results, s->name));
	}
	return list_text(p->a, &files);
}

/* A missing search that the run, or a run on which it depends, needs; or NULL. */
static const struct search *
missing_search(struct plan *p, const struct run *r)
{
	const struct search *needs = plan_search(p, r->search);

	for (int i = 0; !(needs && needs->missing) && i < RUN_BEFORE; i++)
		needs = r->before[i] ? missing_search(p, plan_run(p, r->before[i])) : NULL;
	return needs && needs->missing ? needs : NULL;
}

/* The file that run-one makes: the best settings, the model of a run in the ledger, or an entry. */
static const char *
wanted_file(struct plan *p)
{
	const char *name = given(p, "RUN_NAME");
	const struct search *s = plan_search(p, name), *needs;
	const struct run *r = plan_run(p, name);

	if (!keyfile_given(&p->conf, "RUN_NAME"))
		return "";
	if (!s && !r) {
		fault(p, EXIT_USAGE, "RUN_NAME=%s: expected one of the runs that plan lists", name);
		return "";
	}
	needs = s ? plan_search(p, s->after) : missing_search(p, r);
	if (needs && needs->missing)
		fault(p, EXIT_USAGE, "%s needs the search %s; first: run-one RUN_NAME=%s", name,
		      needs->name, needs->name);
	return s	   ? text_print(p->a, "%s/%s/best", p->results, s->name)
	       : r->digest ? text_print(p->a, "%s/run/%s/model.tar", p->work, r->name)
			   : text_print(p->a, "%s/record", entry_of(p, r->name));
}

/* What the targets of pipeline.mk make, or what the benchmark reads with the parser `form`. */
static void
write_goals(struct plan *p, struct buf *out, const char *form)
{
	static const char *const names[NEEDS] = { [NEED_TEXT] = "texts", [NEED_PAIRS] = "columns",
						  [NEED_DATA] = "data-names",
						  [NEED_STREAM] = "stream-names",
						  [NEED_SUM] = "summed" };
	struct scope s = scope_of(p, NULL, NULL);
	struct list papers = { .n = 0 };

	for (size_t i = 0; i < p->n_papers; i++)
		if (is_wanted(p, &p->paper[i]) && p->paper[i].runs.n)
			list_add(p->a, &papers, p->paper[i].name);
	for (int i = 0; i < NEEDS; i++)
		if (names[i])
			scope_set(&s, names[i], list_text(p->a, &p->need[i]));
	scope_set(&s, "reported", list_text(p->a, &papers));
	scope_set(&s, "searches", search_files(p));
	scope_set(&s, "one", wanted_file(p));
	scope_set(&s, "form", form);
	stage_write(&s, out, form ? "benchmark" : "goals");
}

/* --- lists --- */

/* Writes a list with a line for each paper or missing run. */
static void
write_list(struct plan *p, const char *name, void (*add)(struct plan *, struct buf *))
{
	struct buf text = { 0 };

	buf_add_str(&text, "");
	add(p, &text);
	p->bad = p->bad ||
		 output_all(text_print(p->a, "%s%s", p->folder, name), 0, text.data, text.n, p->e);
	buf_release(&text);
}

static void
put_wanted(struct plan *p, struct buf *text)
{
	buf_add_str(text, p->wanted ? p->wanted : "");
}

/* The options of all missing runs, but those with a list of heads, for options.sh. */
static void
add_options(struct plan *p, struct buf *text)
{
	for (size_t i = 0; i < p->runs.n; i++) {
		const struct run *r = plan_run(p, p->runs.s[i]);

		if (!r->digest && !r->how)
			buf_printf(text, "%s %s %s\n", r->paper->name, r->variant, r->options);
	}
}

/* Name, title, authors, main sections and lead figure of all papers, for the overview. */
static void
add_papers(struct plan *p, struct buf *text)
{
	for (size_t i = 0; i < p->n_papers; i++) {
		const struct scope s = scope_of(p, &p->paper[i], NULL);
		const char *by = value_of(&s, "by");

		buf_printf(text, "%s\t%s\t%s\t%s\t%s\n", p->paper[i].name,
			   value_of(&s, "title"), *by ? by : "-", value_of(&s, "main"),
			   value_of(&s, "lead"));
	}
}

static void
add_checksums(struct plan *p, struct buf *text)
{
	for (size_t i = 0; i < p->sums.n; i++)
		if (*p->sums.s[i])
			buf_printf(text, "%s\n", p->sums.s[i]);
}

int
plan_write(struct plan *p, struct buf *out, struct err *e)
{
	const char *form = NULL;

	p->e = e;
	buf_add_str(out, "# Written by heed-plan from src/stages.in, src/papers and "
			 "src/forms.conf: every file that "
			 "is made, and how.\n\n");
	if (*given(p, "MODEL")) {
		need_benchmark(p, &form);
		write_data(p, out);
		write_goals(p, out, form);
		return p->bad ? -1 : 0;
	}
	if (!p->draw)
		need_runs(p);
	need_results(p);
	if (!p->draw) {
		write_data(p, out);
		write_runs(p, out);
	}
	write_results(p, out);
	write_goals(p, out, NULL);
	if (!p->bad) {
		write_list(p, "wanted", put_wanted);
		write_list(p, "options", add_options);
		if (p->sums.n) /* a plan that reads no text keeps those of another */
			write_list(p, "cksums", add_checksums);
		write_list(p, "papers", add_papers);
		write_list(p, "command", stored_add);
	}
	if (p->draw && !p->bad)
		warn_of_drawing(p);
	return p->bad ? -1 : 0;
}

/* --- what is not drawn --- */

/* Runs in the ledger that the settings leave out, as after a merge of ledgers. */
static void
warn_of_undrawn(struct plan *p, const struct paper *paper)
{
	const char *place = text_print(p->a, "%s/%s/run/", p->results, paper->name), *first = NULL;
	const struct list records = files_like(p->a, place, "*/*/*/record");
	size_t undrawn = 0;

	for (size_t i = 0; i < records.n; i++) {
		const char *run = records.s[i] + strlen(place);
		const char *name = text_print(p->a, "%s/%.*s", paper->name,
					      (int)(strrchr(run, '/') - run), run);

		if (!plan_run(p, name))
			first = undrawn++ ? first : name;
	}
	if (undrawn)
		fprintf(stderr,
			"draw: warning: %zu run%s in the ledger %s not drawn, the first of them "
			"%s; see SEEDS, MORE_SEEDS, TABLES, SYSTEMS, PAIR and CORPUS\n",
			undrawn, undrawn == 1 ? "" : "s", undrawn == 1 ? "is" : "are", first);
}

static const char *
first_lacking(const struct plan *p)
{
	for (size_t i = 0; i < p->runs.n; i++)
		if (!plan_run(p, p->runs.s[i])->digest)
			return p->runs.s[i];
	return "";
}

void
warn_of_drawing(struct plan *p)
{
	for (size_t i = 0; i < p->n_papers; i++) {
		const struct paper *paper = &p->paper[i];

		if (!paper->goal)
			continue;
		if (paper->runs.n) {
			warn_of_undrawn(p, paper);
			continue;
		}
		fprintf(stderr, "draw: warning: %s is not drawn: ", paper->name);
		if (p->runs.n)
			fprintf(stderr, "the ledger lacks all of its %zu runs, such as %s\n",
				p->runs.n, first_lacking(p));
		else
			fputs("none of its systems and sections is requested\n", stderr);
		return;
	}
	if (p->lacking)
		fprintf(stderr,
			"draw: warning: the ledger lacks %zu of %zu runs, the first of them %s; "
			"the target plan lists them\n",
			p->lacking, p->runs.n, first_lacking(p));
	if (p->left_out.n)
		fprintf(stderr, "draw: warning: left out, as a model or data would be needed: %s\n",
			list_text(p->a, &p->left_out));
}
