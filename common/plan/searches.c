/* searches: searches for settings; see searches.h. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "plan/searches.h"
#include "plan/stored.h"
#include "tune/trial-grid.h"

struct search *
plan_search(const struct plan *p, const char *name)
{
	for (size_t i = 0; name && i < p->n_searches; i++)
		if (!strcmp(p->search[i].name, name))
			return &p->search[i];
	return NULL;
}

static struct scope
scope_of_search(struct plan *p, const struct search *s)
{
	struct scope scope = scope_of(p, s->paper, s->column);

	scope.place = "src/stages.in";
	scope_set(&scope, "search", s->name);
	scope_set(&scope, "seed", "");
	return scope;
}

/* Checks the format of the grid; nmt-search checks the options in it. */
static void
check_search_grid(struct plan *p, const struct search *s)
{
	const struct scope scope = scope_of_search(p, s);
	const struct train_table none = { .n = 0 };
	const struct reserved nothing = { NULL, NULL };
	struct trial_grid g;

	if (p->bad)
		return;
	p->bad = trial_grid_read(&g, expanded(&scope, "{search-grid}"), &none, &nothing, p->e);
	trial_grid_release(&g);
}

/* Finds what the search starts from, its result, and whether the ledger has it. */
static void
find_state(struct plan *p, struct search *s)
{
	const struct search *after = plan_search(p, s->after);
	struct scope scope = scope_of_search(p, s);
	const char *best = text_print(p->a, "%s/%s/best", p->results, s->name);

	scope_set(&scope, "found", after && after->best ? after->best : "");
	s->trial = expanded(&scope, "{trial}");
	scope_set(&scope, "trial", s->trial);
	s->how = expanded(&scope, "{tried-how}");
	s->best = access(best, F_OK) ? NULL : stored_best(p, best);
	s->missing = !s->best ||
		     !file_has_words(p->a, text_print(p->a, "%s.of", best), s->how);
}

/* Whether the search depends, by its key `after`, on a search that depends on it. */
static bool
search_is_cyclic(struct plan *p, const struct paper *paper, const char *name)
{
	const size_t n = key_words(p, paper, "searches").n;
	const char *after = name;

	for (size_t i = 0; i < n && *after; i++) {
		after = key_of(p, paper, "after", after);
		if (!strcmp(after, name))
			return true;
	}
	return false;
}

static void
add_search(struct plan *p, const struct paper *paper, const char *column, const char *name)
{
	const char *after = key_of(p, paper, "after", name);
	struct search s = { .paper = paper, .column = column };

	s.name = text_print(p->a, "%s/search/%s/%s", paper->name, column, name);
	if (plan_search(p, s.name))
		return;
	if (*after) {
		s.after = text_print(p->a, "%s/search/%s/%s", paper->name, column, after);
		if (search_is_cyclic(p, paper, name)) {
			fault_key(p, key_entry(p, paper, text_print(p->a, "after.%s", name)),
				  "%s, expected a search that does not depend on this one", after);
			return;
		}
		add_search(p, paper, column, after);
	}
	p->search = mem_grow(p->search, &p->searches_room, p->n_searches + 1, sizeof(*p->search));
	check_search_grid(p, &s);
	find_state(p, &s);
	p->search[p->n_searches++] = s;
}

void
add_searches(struct plan *p, const struct paper *paper)
{
	const struct list names = key_words(p, paper, "searches");
	const struct list own = paper_columns(p, paper);
	struct list columns = { .n = 0 };

	list_add_all(p->a, &columns, &p->columns);
	list_add_all(p->a, &columns, &paper->sized);
	list_add_all(p->a, &columns, &own);
	list_sort(&columns);
	for (size_t i = 0; i < columns.n; i++)
		for (size_t k = 0; k < names.n; k++)
			add_search(p, paper, columns.s[i], names.s[k]);
}

static int
compare_searches(const void *a, const void *b)
{
	return strcmp(((const struct search *)a)->name, ((const struct search *)b)->name);
}

void
mark_searches(struct plan *p)
{
	for (size_t i = 0; i < p->runs.n; i++)
		for (struct search *s = plan_search(p, plan_run(p, p->runs.s[i])->search); s;
		     s = plan_search(p, s->after))
			s->wanted = true;
	if (p->n_searches)
		qsort(p->search, p->n_searches, sizeof(*p->search), compare_searches);
}

static size_t
n_separated(const char *text, char separator)
{
	size_t n = 1;

	while ((text = strchr(text, separator))) {
		text++;
		n++;
	}
	return n;
}

/*
 * The number of trainings of a search: all combinations of each stage (tune/trial-grid.h), of which
 * a stage whose lines begin with "-" takes one from the stage before.
 */
static size_t
count_trainings(struct plan *p, const struct search *s)
{
	struct scope scope = scope_of_search(p, s);
	const struct list lines = lines_of_file(p->a, expanded(&scope, "{search-grid}"));
	size_t all = 0, stage = 0;	/* trainings of the stages before, and of this one */
	bool keeps = false;		/* does the stage begin with the winner of another? */

	for (size_t i = 0; i < lines.n; i++) {
		const char *line = lines.s[i];

		if (!*line || *line == '#')
			continue;
		if (!strncmp(line, "stage ", strlen("stage "))) {
			all += stage - (keeps && all);
			stage = 1;
			keeps = true;
		} else {
			stage *= n_separated(line, '|');
			keeps = keeps && !strncmp(line, "- ", strlen("- "));
		}
	}
	all += stage - (keeps && all);
	return all * n_separated(setting(p, "SEARCH_SEEDS"), ',');
}

/* The last of the settings is for the time of the search (results/run-cost.h). */
void
add_search_line(struct plan *p, const struct search *s, struct buf *out)
{
	const struct search *after = plan_search(p, s->after);
	const char *rungs = setting(p, "SEARCH_RUNGS"), *last = strrchr(rungs, ',');

	buf_printf(out, "%s\t%s\t-\t%s%s%s trainings=%zu\n", s->name,
		   after && after->missing ? after->name : "-", s->trial,
		   *rungs ? " --updates " : "", last ? last + 1 : rungs, count_trainings(p, s));
}
