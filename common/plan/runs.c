/* runs: the runs and searches that papers need, and which of them the ledger has; see plan.h. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/output.h"
#include "plan/run-settings.h"

struct run *
plan_run(const struct plan *p, const char *name)
{
	for (size_t i = 0; name && i < p->n_runs; i++)
		if (!strcmp(p->run[i].name, name))
			return &p->run[i];
	return NULL;
}

struct search *
plan_search(const struct plan *p, const char *name)
{
	for (size_t i = 0; name && i < p->n_searches; i++)
		if (!strcmp(p->search[i].name, name))
			return &p->search[i];
	return NULL;
}

static bool
same(const char *a, const char *b)
{
	return !strcmp(a ? a : "", b ? b : "");
}

/*
 * On a whole corpus, a variant with the search size/NAME is the same system as one with whole/NAME
 * and otherwise the same settings.  It is not trained twice, and does not count twice in the
 * tables.
 */
static bool
has_twin(struct plan *p, const struct paper *paper, const char *column, const char *variant)
{
	const char *search = named(p, paper, "search", variant);
	const struct list others = paper_names(p, paper, "search");

	if (!search || strncmp(search, "size/", 5) || column_size(column))
		return false;
	for (size_t i = 0; i < others.n; i++) {
		const char *other = named(p, paper, "search", others.s[i]);

		if (!strncmp(other, "whole/", 6) && !strcmp(other + 6, search + 5) &&
		    same(named(p, paper, "variant", variant),
			 named(p, paper, "variant", others.s[i])) &&
		    same(named(p, paper, "data", variant), named(p, paper, "data", others.s[i])))
			return true;
	}
	return false;
}

static int
add_variant(struct plan *p, const struct paper *paper, const char *column, const char *variant,
	    struct list *runs, struct err *e)
{
	struct scope s = { .p = p, .paper = paper };
	const char *text = setting(&s, list_has(&paper->main, variant) ? "seeds" : "more_seeds", e);
	const struct list seeds = list_words(p->a, text ? text : "");

	for (size_t i = 0; i < seeds.n && !has_twin(p, paper, column, variant); i++)
		list_add(p->a, runs,
			 text_print(p->a, "%s/%s/%s/%s", paper->name, column, variant, seeds.s[i]));
	return text ? 0 : -1;
}

int
plan_section_runs(struct plan *p, const struct paper *paper, const struct grid_section *s,
		  struct list *runs, struct err *e)
{
	const struct list cells = plan_cells(p, paper, s);

	for (size_t c = 0; c < cells.n; c++)
		for (size_t r = 0; r < s->n_rows; r++) {
			const struct grid_row *row = &s->row[r];

			if (p->systems.n && !list_has(&p->systems, row->variant))
				continue;
			if (add_variant(p, paper, cells.s[c], row->variant, runs, e))
				return -1;
			for (size_t b = 0; b < row->n_bases; b++)
				if (add_variant(p, paper, cells.s[c], row->base[b], runs, e))
					return -1;
		}
	return 0;
}

const struct run *
plan_first_run(const struct plan *p, const struct paper *paper, const char *column,
	       const char *variant)
{
	const char *prefix = text_print(p->a, "%s/%s/%s/", paper->name, column, variant);

	for (size_t i = 0; i < paper->runs.n; i++)
		if (!strncmp(paper->runs.s[i], prefix, strlen(prefix)))
			return plan_run(p, paper->runs.s[i]);
	return NULL;
}

const char *
entry_of_run(const struct plan *p, const char *run)
{
	const int n = (int)strcspn(run, "/");

	return text_print(p->a, "%s/%.*s/run%s", p->results, n, run, run + n);
}

/* --- what a run depends on --- */

static int add_run(struct plan *p, const char *name, struct err *e);

/* The run of another variant with the same column and seed, which is added. */
static int
add_before(struct plan *p, struct run *r, int which, const char *variant, struct err *e)
{
	if (!variant || !*variant)
		return 0;
	r->before[which] =
		text_print(p->a, "%s/%s/%s/%s", r->paper->name, r->column, variant, r->seed);
	return add_run(p, r->before[which], e);
}

/* The preparation that a run reads: PAPER/NAME/COLUMN[.SEED]. */
static const char *
data_of(struct plan *p, const struct run *r)
{
	const char *data = named(p, r->paper, "data", r->variant);

	return text_print(p->a, "%s/%s/%s", r->paper->name,
			  data && *data ? data : paper_data(p, r->paper), r->drawn);
}

static void
find_search(struct plan *p, struct run *r)
{
	const char *search = named(p, r->paper, "search", r->variant);

	if (search && *search)
		r->search = text_print(p->a, "%s/search/%s/%s", r->paper->name,
				       *search == 'w' ? column_whole(p->a, r->column) : r->column,
				       strchr(search, '/') + 1);
}

static int
add_run(struct plan *p, const char *name, struct err *e)
{
	const size_t known = p->by_name.n;
	struct run r = { .name = name };
	const char *closed;
	struct list words;

	if ((size_t)strmap_add(&p->by_name, name, strlen(name)) < known)
		return 0;
	r.paper = plan_paper(p, name_part(p->a, name, 0));
	r.column = name_part(p->a, name, 1);
	r.variant = name_part(p->a, name, 2);
	r.seed = name_part(p->a, name, 3);
	r.drawn = column_size(r.column) ? text_print(p->a, "%s.%s", r.column, r.seed) : r.column;
	r.data = data_of(p, &r);
	find_search(p, &r);
	closed = named(p, r.paper, "closed", r.variant);
	words = list_words(p->a, closed ? closed : "");
	r.closed = words.n ? words.s[0] : NULL;
	r.how = words.n ? words.s[words.n - 1] : NULL;
	if (add_before(p, &r, RUN_BEGIN, named(p, r.paper, "begin", r.variant), e) ||
	    add_before(p, &r, RUN_ALIGNED, named(p, r.paper, "aligned", r.variant), e) ||
	    add_before(p, &r, RUN_CLOSED, r.closed, e))
		return -1;
	p->run = mem_grow(p->run, &p->runs_room, p->n_runs + 1, sizeof(*p->run));
	p->run[p->n_runs++] = r;
	return 0;
}

/* A variant that begins, aligns or masks with itself, through others, has no first run. */
static int
check_cycle(struct plan *p, const struct run *r, int depth, struct err *e)
{
	if (depth > 20)
		return err_set(e, EXIT_INPUT,
			       "%s: begin, aligned or closed of variant %s: it depends on "
			       "itself",
			       r->paper->file, r->variant);
	for (int i = 0; i < RUN_BEFORE; i++) {
		const struct run *before = plan_run(p, r->before[i]);

		if (before && check_cycle(p, before, depth + 1, e))
			return -1;
	}
	return 0;
}

static int
compare_runs(const void *a, const void *b)
{
	return strcmp(((const struct run *)a)->name, ((const struct run *)b)->name);
}

/* --- everything that determines a run --- */

static bool
is_measure(const char *order)
{
	return order && strcmp(order, "gate") && strcmp(order, "first") &&
	       !strstr(order, "random-");
}

static int
find_asked(struct plan *p, struct run *r, struct err *e)
{
	struct scope s = {
		.p = p, .paper = r->paper, .home = r->paper->name, .run = r, .column = r->column
	};
	const char *options = run_options(&s, e), *merges, *beam, *tested, *bleu, *scored, *by = "";
	const struct search *search = plan_search(p, r->search);
	const char *aligned = named(p, r->paper, "aligned", r->variant);

	if (!options || !(merges = setting(&s, "merges", e)) || !(beam = setting(&s, "beam", e)) ||
	    !(bleu = setting(&s, "bleu", e)) || !(scored = setting(&s, "scored", e)) ||
	    (is_measure(r->how) && !(by = measured_by(&s, e))))
		return -1;
	tested = named(p, r->paper, "tested", r->variant);
	r->asked = stripped(p->a, text_print(p->a,
					     "data=%s merges=%s %s%s %s %s%s nmt-translate --beam "
					     "%s "
					     "on %s bleu %s %s%s",
					     r->data, merges, aligned ? "aligned=" : "",
					     aligned ? aligned : "", options, *by ? "by " : "", by,
					     beam, tested && *tested ? tested : "model", bleu,
					     *scored ? scored : "raw",
					     search && search->missing ? " of a new search" : ""));
	return 0;
}

/* --- the ledger --- */

void
plan_wanted(const struct plan *p, struct buf *out)
{
	buf_add_str(out, "");
	for (size_t i = 0; i < p->n_searches; i++)
		if (p->search[i].wanted && p->search[i].missing)
			add_search_line((struct plan *)p, &p->search[i], out);
	for (size_t i = 0; i < p->n_runs; i++) {
		const struct run *r = &p->run[i];
		const struct search *s = plan_search(p, r->search);
		struct list after = { .n = 0 };

		for (int k = 0; k < RUN_BEFORE; k++)
			if (r->before[k])
				list_add(p->a, &after, r->before[k]);
		if (s && s->missing)
			list_add(p->a, &after, s->name);
		buf_printf(out, "%s\t%s\t%s/prepared/%s/sums\t%s\n", r->name,
			   after.n ? list_text(p->a, &after) : "-", p->work, r->data, r->asked);
	}
}

/* Asks the ledger for the wanted runs; the list of them is kept as W/wanted. */
static int
compare_with_ledger(struct plan *p, struct err *e)
{
	const char *path = text_print(p->a, "%swanted", p->folder);
	struct wanted w = { .ledger = p->results, .drafts = p->drafts };
	struct buf list = { 0 };
	int bad;

	plan_wanted(p, &list);
	bad = output_all(path, 0, list.data, list.n, e) || wanted_read(&w, path, e) ||
	      wanted_compare(&w, e);
	for (size_t i = 0; !bad && i < w.n; i++) {
		struct run *r = plan_run(p, w.run[i].name);

		if (r && w.run[i].state == WANTED_KEPT)
			r->digest = text_copy(p->a, w.run[i].digest, DIGEST_LENGTH);
		p->lacking += r && !r->digest;
	}
	wanted_release(&w);
	buf_release(&list);
	return bad ? -1 : 0;
}

/* --- all runs --- */

static int
find_runs_of(struct plan *p, struct paper *paper, struct err *e)
{
	if (add_searches(p, paper, e))
		return -1;
	for (size_t i = 0; i < paper->grid.n; i++) {
		const struct grid_section *s = &paper->grid.section[i];

		if (list_has(&paper->asked, s->name) && !grid_is_claims(s) &&
		    plan_section_runs(p, paper, s, &paper->runs, e))
			return -1;
	}
	list_sort(&paper->runs);
	for (size_t i = 0; i < paper->runs.n; i++)
		if (add_run(p, paper->runs.s[i], e))
			return -1;
	return 0;
}

/* With draw, a paper has the runs that the ledger has. */
static void
draw_kept(struct plan *p, struct paper *paper)
{
	size_t n = 0;

	for (size_t i = 0; i < paper->runs.n; i++)
		if (plan_run(p, paper->runs.s[i])->digest)
			paper->runs.s[n++] = paper->runs.s[i];
	paper->runs.n = n;
}

int
plan_runs(struct plan *p, struct err *e)
{
	for (size_t i = 0; !keyfile_given(&p->conf, "MODEL") && i < p->n_papers; i++)
		if ((p->paper[i].goal || !p->goals.n) && find_runs_of(p, &p->paper[i], e))
			return -1;
	if (p->n_runs)
		qsort(p->run, p->n_runs, sizeof(*p->run), compare_runs);
	for (size_t i = 0; i < p->n_runs; i++)
		if (check_cycle(p, &p->run[i], 0, e))
			return -1;
	mark_searches(p);
	for (size_t i = 0; i < p->n_runs; i++)
		if (find_asked(p, &p->run[i], e))
			return -1;
	if (p->n_runs && compare_with_ledger(p, e))
		return -1;
	for (size_t i = 0; p->draw && i < p->n_papers; i++)
		draw_kept(p, &p->paper[i]);
	return 0;
}
