/* runs: the runs that papers need, and which of them the ledger has; see plan.h. */
#include <string.h>

#include "base/mem.h"
#include "plan/searches.h"

struct run *
plan_run(const struct plan *p, const char *name)
{
	const int i = name ? strmap_find(&p->by_name, name, strlen(name)) : -1;

	return i < 0 ? NULL : p->run[i];
}

const char *
run_name(const struct plan *p, const struct paper *paper, const char *column, const char *variant,
	 const char *seed)
{
	return text_print(p->a, "%s/%s/%s/%s", paper->name, column, variant, seed);
}

const char *
entry_of(const struct plan *p, const char *run)
{
	const int n = (int)strcspn(run, "/");

	return text_print(p->a, "%s/%.*s/run%s", p->results, n, run, run + n);
}

const char *
records_of(const struct plan *p, const struct list *runs)
{
	struct list records = { .n = 0 };

	for (size_t i = 0; i < runs->n; i++)
		list_add(p->a, &records, text_print(p->a, "%s/record", entry_of(p, runs->s[i])));
	return list_text(p->a, &records);
}

/* --- runs of sections --- */

/* Whether two variants have the same settings on a column, but for their searches. */
static bool
same_settings(struct plan *p, const struct paper *paper, const char *column, const char *a,
	      const char *b)
{
	static const char *const keys[] = { "data", "begin", "aligned", "closed" };
	static const char *const nearest[] = { "variant", "tested" };
	const struct scope s = scope_of(p, paper, column);
	bool same = true;

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		same = same && !strcmp(key_of(p, paper, keys[i], a), key_of(p, paper, keys[i], b));
	for (size_t i = 0; i < sizeof(nearest) / sizeof(*nearest); i++) {
		const struct keyfile_entry
			*x = nearest_key(&s, text_print(p->a, "%s.%s", nearest[i], a)),
			*y = nearest_key(&s, text_print(p->a, "%s.%s", nearest[i], b));

		same = same && !strcmp(x ? x->value : "", y ? y->value : "");
	}
	return same;
}

/*
 * On a whole corpus, a variant with the search size/NAME is the same system as one with whole/NAME
 * and otherwise the same settings.  If the runs have both, it is not trained twice, and does not
 * count twice in the tables.
 */
static bool
has_twin(struct plan *p, const struct paper *paper, const char *run, const struct list *runs)
{
	const char *column = name_part(p->a, run, 1), *variant = name_part(p->a, run, 2);
	const char *search = key_of(p, paper, "search", variant);

	if (!has_prefix(search, "size/") || column_size(column))
		return false;
	for (size_t i = 0; i < runs->n; i++) {
		const char *other = name_part(p->a, runs->s[i], 2);

		if (!strcmp(name_part(p->a, runs->s[i], 1), column) &&
		    !strcmp(key_of(p, paper, "search", other),
			    text_print(p->a, "whole/%s", search + 5)) &&
		    same_settings(p, paper, column, variant, other))
			return true;
	}
	return false;
}

static void
add_variant(struct plan *p, const struct paper *paper, const char *column, const char *variant,
	    struct list *runs)
{
	const struct scope s = scope_of(p, paper, column);
	const struct list seeds = list_words(
		p->a, value_of(&s, list_has(&paper->main, variant) ? "seeds" : "more_seeds"));

	for (size_t i = 0; i < seeds.n; i++)
		list_add(p->a, runs, run_name(p, paper, column, variant, seeds.s[i]));
}

/* All runs of a section. */
static void
add_section(struct plan *p, const struct paper *paper, const struct grid_section *s,
	    struct list *runs)
{
	const struct list cells = section_cells(p, paper, s);

	for (size_t c = 0; c < cells.n; c++)
		for (size_t r = 0; r < s->n_rows; r++) {
			const struct grid_row *row = &s->row[r];

			if (p->systems.n && !list_has(&p->systems, row->variant))
				continue;
			add_variant(p, paper, cells.s[c], row->variant, runs);
			for (size_t b = 0; b < row->n_bases; b++)
				add_variant(p, paper, cells.s[c], row->base[b], runs);
		}
}

struct list
section_runs(struct plan *p, const struct paper *paper, const char *section)
{
	const struct grid_section *s = grid_find(&paper->grid, section);
	struct list all = { .n = 0 }, runs = { .n = 0 };

	if (!s || grid_is_claims(s))
		return s ? paper->runs : runs;
	add_section(p, paper, s, &all);
	for (size_t i = 0; i < paper->runs.n; i++)
		if (list_has(&all, paper->runs.s[i]))
			list_add(p->a, &runs, paper->runs.s[i]);
	return runs;
}

struct list
pooled_runs(struct plan *p, const struct paper *paper, const char *section)
{
	const struct list own = section_runs(p, paper, section);
	struct list columns = { .n = 0 }, runs = { .n = 0 };

	for (size_t i = 0; i < own.n; i++)
		list_once(p->a, &columns, plan_run(p, own.s[i])->column);
	for (size_t i = 0; i < paper->runs.n; i++)
		if (list_has(&columns, plan_run(p, paper->runs.s[i])->column))
			list_add(p->a, &runs, paper->runs.s[i]);
	return runs;
}

struct list
runs_of(const struct plan *p, const struct paper *paper, const char *column, const char *variant)
{
	const char *prefix = run_name(p, paper, column, variant, "");
	struct list runs = { .n = 0 };

	for (size_t i = 0; i < paper->runs.n; i++)
		if (has_prefix(paper->runs.s[i], prefix))
			list_add(p->a, &runs, paper->runs.s[i]);
	return runs;
}

const struct run *
first_run(const struct plan *p, const struct paper *paper, const char *column,
	  const char *variant)
{
	const struct list runs = runs_of(p, paper, column, variant);

	return runs.n ? plan_run(p, runs.s[0]) : NULL;
}

/* --- a run and what it depends on --- */

static void add_run_once(struct plan *p, const char *name);

/* The run of another variant with the same column and seed, which is added. */
static void
add_before(struct plan *p, struct run *r, int which, const char *variant)
{
	if (!*variant)
		return;
	r->before[which] = run_name(p, r->paper, r->column, variant, r->seed);
	add_run_once(p, r->before[which]);
}

static void
add_run_once(struct plan *p, const char *name)
{
	const size_t known = p->by_name.n;
	const int id = strmap_add(&p->by_name, name, strlen(name));
	struct run *r;
	const char *search;
	struct list closed;

	if ((size_t)id < known)
		return;
	p->run = mem_grow(p->run, &p->runs_room, p->by_name.n, sizeof(*p->run));
	r = p->run[id] = arena_zero(p->a, sizeof(*r));
	list_add(p->a, &p->runs, name);
	r->name = name;
	r->paper = plan_paper(p, name_part(p->a, name, 0));
	r->column = name_part(p->a, name, 1);
	r->variant = name_part(p->a, name, 2);
	r->seed = name_part(p->a, name, 3);
	r->drawn = column_size(r->column) ? text_print(p->a, "%s.%s", r->column, r->seed)
					  : r->column;
	r->data = text_print(p->a, "%s/%s/%s", r->paper->name,
			     key_of(p, r->paper, "data", r->variant), r->drawn);
	search = key_of(p, r->paper, "search", r->variant);
	if (*search)
		r->search = text_print(p->a, "%s/search/%s/%s", r->paper->name,
				       *search == 'w' ? column_whole(p->a, r->column) : r->column,
				       strchr(search, '/') + 1);
	closed = list_words(p->a, key_of(p, r->paper, "closed", r->variant));
	r->how = closed.n ? closed.s[closed.n - 1] : NULL;
	add_before(p, r, RUN_BEGIN, key_of(p, r->paper, "begin", r->variant));
	add_before(p, r, RUN_ALIGNED, key_of(p, r->paper, "aligned", r->variant));
	add_before(p, r, RUN_CLOSED, closed.n ? closed.s[0] : "");
}

/* A variant that begins, aligns or masks with itself, through others, has no first run. */
static void
check_cycle(struct plan *p, const struct run *r, int depth)
{
	static const char *const keys[RUN_BEFORE] = { "begin", "aligned", "closed" };

	for (int i = 0; i < RUN_BEFORE && !p->bad; i++) {
		const struct run *before = plan_run(p, r->before[i]);

		if (depth > (int)p->by_name.n && before)
			fault_key(p,
				  key_entry(p, r->paper,
					    text_print(p->a, "%s.%s", keys[i], r->variant)),
				  "variant %s depends on itself", r->variant);
		else if (before)
			check_cycle(p, before, depth + 1);
	}
}

/* Heads are chosen by a measure in the model with which the masked variant begins. */
static void
check_closed(struct plan *p, const struct run *r)
{
	const struct run *closed = plan_run(p, r->before[RUN_CLOSED]);

	if (closed && strcmp(r->how, "gate") && !closed->before[RUN_BEGIN])
		fault_key(p, key_entry(p, r->paper, text_print(p->a, "closed.%s", r->variant)),
			  "%s needs begin.%s, whose heads are measured", r->how, closed->variant);
}

/* --- everything that determines a run --- */

void
scope_add_run(struct scope *s, const struct run *r)
{
	static const char *const before[RUN_BEFORE] = { "begin-run", "aligned-run", "closed-run" };
	const struct search *search = plan_search(s->p, r->search);
	struct list after = { .n = 0 };

	s->run = r;
	scope_know_column(s, r->column);
	scope_know(s, "variant", r->variant);
	scope_know(s, "seed", r->seed);
	scope_know(s, "drawn", r->drawn);
	scope_know(s, "data", r->data);
	scope_set(s, "run", r->name);
	scope_set(s, "how", r->how);
	scope_set(s, "by-measure",
		  r->how && strcmp(r->how, "gate") && strcmp(r->how, "first") &&
				  !strstr(r->how, "random-")
			  ? "yes"
			  : "");
	scope_set(s, "search", r->search);
	scope_set(s, "found", search && search->best ? search->best : "");
	scope_set(s, "new-search", search && search->missing ? "yes" : "");
	for (int i = 0; i < RUN_BEFORE; i++) {
		scope_set(s, before[i], r->before[i]);
		if (r->before[i])
			list_add(s->p->a, &after, r->before[i]);
	}
	scope_set(s, "runs-before", list_text(s->p->a, &after));
	scope_set(s, "digest", r->digest);
	scope_set(s, "lacking", r->digest ? "" : "yes");
}

struct scope
scope_of_run(struct plan *p, const struct run *r)
{
	struct scope s = scope_of(p, r->paper, r->column);

	s.place = "src/stages.in";
	scope_add_run(&s, r);
	return s;
}

/* --- the ledger --- */

/* Appends the list of wanted runs (wanted.h), which begins with missing searches. */
static void
add_wanted(struct plan *p, struct buf *out)
{
	buf_add_str(out, "");
	for (size_t i = 0; i < p->n_searches; i++)
		if (p->search[i].wanted && p->search[i].missing)
			add_search_line(p, &p->search[i], out);
	for (size_t i = 0; i < p->runs.n; i++) {
		const struct run *r = plan_run(p, p->runs.s[i]);
		const struct scope s = scope_of_run(p, r);
		const char *after = scope_get(&s, "runs-before");
		const char *search = *scope_get(&s, "new-search") ? r->search : "";

		buf_printf(out, "%s\t%s%s%s%s\t%s/prepared/%s/sums\t%s\n", r->name, after,
			   *after && *search ? " " : "", search, *after || *search ? "" : "-",
			   p->work, r->data, r->asked);
	}
}

/* Asks the ledger for the wanted runs; plan_write() writes the list of them. */
static void
compare_with_ledger(struct plan *p)
{
	struct wanted w = { .ledger = p->results, .drafts = p->drafts };
	struct buf list = { 0 };

	add_wanted(p, &list);
	p->bad = p->bad || wanted_read_memory(&w, "wanted", list.data, list.n, p->e) ||
		 wanted_compare(&w, p->e);
	for (size_t i = 0; !p->bad && i < w.n; i++) {
		struct run *r = plan_run(p, w.run[i].name);

		if (r && w.run[i].state == WANTED_KEPT)
			r->digest = text_copy(p->a, w.run[i].digest, DIGEST_LENGTH);
		p->lacking += r && !r->digest;
	}
	wanted_release(&w);
	p->wanted = text_take(p->a, &list);
}

/* --- all runs --- */

static void
find_runs_of(struct plan *p, struct paper *paper)
{
	struct list all = { .n = 0 };

	add_searches(p, paper);
	for (size_t i = 0; i < paper->grid.n; i++)
		if (list_has(&paper->asked, paper->grid.section[i].name) &&
		    !grid_is_claims(&paper->grid.section[i]))
			add_section(p, paper, &paper->grid.section[i], &all);
	list_sort(&all);
	for (size_t i = 0; i < all.n; i++)
		if (!has_twin(p, paper, all.s[i], &all))
			list_add(p->a, &paper->runs, all.s[i]);
	for (size_t i = 0; i < paper->runs.n; i++)
		add_run_once(p, paper->runs.s[i]);
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
	p->e = e;
	for (size_t i = 0; !*given(p, "MODEL") && i < p->n_papers; i++)
		if (is_wanted(p, &p->paper[i]))
			find_runs_of(p, &p->paper[i]);
	list_sort(&p->runs);
	for (size_t i = 0; i < p->runs.n; i++) {
		check_cycle(p, plan_run(p, p->runs.s[i]), 0);
		check_closed(p, plan_run(p, p->runs.s[i]));
	}
	mark_searches(p);
	for (size_t i = 0; i < p->runs.n; i++) {
		struct run *r = plan_run(p, p->runs.s[i]);
		struct scope s = scope_of_run(p, r);

		r->options = expanded(&s, "{options}");
		scope_set(&s, "named-options", r->options);
		r->asked = expanded(&s, "{asked}");
	}
	if (p->runs.n && !p->bad)
		compare_with_ledger(p);
	for (size_t i = 0; p->draw && !p->bad && i < p->n_papers; i++)
		draw_kept(p, &p->paper[i]);
	return p->bad ? -1 : 0;
}
