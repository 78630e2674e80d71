/* searches: searches for settings; see run-settings.h. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "model/engine.h"
#include "plan/run-settings.h"

const char *
plain_setting(const struct plan *p, const char *name)
{
	const struct keyfile_entry *k = keyfile_find(&p->conf, name);

	return k ? k->value : "";
}

/* The settings that a search starts from: those of the paper, and those that an earlier one found.
 */
const char *
search_trial(const struct search *search, struct plan *p, struct err *e)
{
	struct scope s = { .p = p,
			   .paper = search->paper,
			   .home = search->paper->name,
			   .column = search->column };
	const char *options = common_options(&s, NULL, e);
	const struct search *after = plan_search(p, search->after);

	if (!options)
		return NULL;
	options = stripped(p->a, options);
	if (*plain_setting(p, "SEARCH_RUNGS"))
		options = options_without(p->a, options, "--updates");
	return stripped(
		p->a, text_print(p->a, "%s %s", options, after && after->best ? after->best : ""));
}

static int
find_search_state(struct plan *p, struct search *s, struct err *e)
{
	const char *name = strrchr(s->name, '/') + 1, *trial = search_trial(s, p, e), *grid, *of;
	const char *best = text_print(p->a, "%s/%s/best", p->results, s->name);

	grid = text_of_file(p->a, text_print(p->a, "%ssrc/papers/%s.%s.%s", p->top, s->paper->name,
					     name, p->profile));
	if (!trial)
		return -1;
	s->how = stripped(p->a, text_print(p->a, "engine=%d %s seeds=%s rungs=%s %s", HEED_ENGINE,
					   trial, plain_setting(p, "SEARCH_SEEDS"),
					   plain_setting(p, "SEARCH_RUNGS"), grid ? grid : ""));
	of = text_of_file(p->a, text_print(p->a, "%s.of", best));
	s->best = access(best, F_OK) ? NULL : text_of_file(p->a, best);
	s->missing = !s->best || !of || strcmp(stripped(p->a, of), s->how);
	return 0;
}

static int
add_search(struct plan *p, const struct paper *paper, const char *column, const char *name,
	   struct err *e)
{
	const char *after = named(p, paper, "after", name);
	struct search s = { .paper = paper, .column = column };

	s.name = text_print(p->a, "%s/search/%s/%s", paper->name, column, name);
	if (plan_search(p, s.name))
		return 0;
	if (after && *after) {
		s.after = text_print(p->a, "%s/search/%s/%s", paper->name, column, after);
		if (!strcmp(s.after, s.name) || (named(p, paper, "after", after) &&
						 !strcmp(named(p, paper, "after", after), name)))
			return err_set(e, EXIT_INPUT,
				       "%s: %s.after.%s: %s, expected a search that does not "
				       "depend on this one",
				       paper->file, paper->name, name, after);
		if (add_search(p, paper, column, after, e))
			return -1;
	}
	p->search = mem_grow(p->search, &p->searches_room, p->n_searches + 1, sizeof(*p->search));
	if (find_search_state(p, &s, e))
		return -1;
	p->search[p->n_searches++] = s;
	return 0;
}

int
add_searches(struct plan *p, const struct paper *paper, struct err *e)
{
	const struct list names = paper_words(p, paper, "searches");
	struct list columns = { .n = 0 };

	for (size_t i = 0; i < p->columns.n; i++)
		list_add(p->a, &columns, p->columns.s[i]);
	for (size_t i = 0; i < paper->sized.n; i++)
		list_add(p->a, &columns, paper->sized.s[i]);
	list_sort(&columns);
	for (size_t i = 0; i < columns.n; i++)
		for (size_t k = 0; k < names.n; k++)
			if (add_search(p, paper, columns.s[i], names.s[k], e))
				return -1;
	return 0;
}

static int
compare_searches(const void *a, const void *b)
{
	return strcmp(((const struct search *)a)->name, ((const struct search *)b)->name);
}

void
mark_searches(struct plan *p)
{
	for (size_t i = 0; i < p->n_runs; i++)
		for (struct search *s = plan_search(p, p->run[i].search); s;
		     s = plan_search(p, s->after))
			s->wanted = true;
	if (p->n_searches)
		qsort(p->search, p->n_searches, sizeof(*p->search), compare_searches);
}

/* The line of a missing search in the list of wanted runs; its time is that of one training. */
void
add_search_line(struct plan *p, const struct search *s, struct buf *out)
{
	const struct search *after = plan_search(p, s->after);
	const char *rungs = plain_setting(p, "SEARCH_RUNGS"), *last = strrchr(rungs, ',');
	struct err e;

	buf_printf(out, "%s\t%s\t-\t%s%s%s\n", s->name, after && after->missing ? after->name : "-",
		   search_trial(s, p, &e), *rungs ? " --updates " : "", last ? last + 1 : rungs);
}
