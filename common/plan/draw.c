/* draw: warns of what is not drawn from a ledger; see stages.h. */
#include <glob.h>
#include <stdio.h>
#include <string.h>

#include "plan/stages.h"

/* Runs in the ledger that the settings leave out, as after a merge of ledgers. */
static void
warn_of_undrawn(struct plan *p, const struct paper *paper)
{
	const char *place = text_print(p->a, "%s/%s/run/", p->results, paper->name), *first = NULL;
	size_t undrawn = 0;
	glob_t g;

	if (!glob(text_print(p->a, "%s*/*/*/record", place), 0, NULL, &g))
		for (size_t i = 0; i < g.gl_pathc; i++) {
			const char *run = g.gl_pathv[i] + strlen(place);
			const char *name = text_print(p->a, "%s/%.*s", paper->name,
						      (int)(strrchr(run, '/') - run), run);

			if (plan_run(p, name))
				continue;
			first = undrawn++ ? first : name;
		}
	globfree(&g);
	if (undrawn)
		fprintf(stderr,
			"draw: warning: %zu runs in the ledger are not drawn, the first of them "
			"%s; see SEEDS, MORE_SEEDS, TABLES, SYSTEMS, PAIR and CORPUS\n",
			undrawn, first);
}

static const char *
first_lacking(const struct plan *p)
{
	for (size_t i = 0; i < p->n_runs; i++)
		if (!p->run[i].digest)
			return p->run[i].name;
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
		if (p->n_runs)
			fprintf(stderr, "the ledger lacks all of its %zu runs, such as %s\n",
				p->n_runs, first_lacking(p));
		else
			fputs("none of its systems and sections is requested\n", stderr);
		return;
	}
	if (p->lacking)
		fprintf(stderr,
			"draw: warning: the ledger lacks %zu of %zu runs, the first of them %s; "
			"the target plan lists them\n",
			p->lacking, p->n_runs, first_lacking(p));
	if (p->left_out.n)
		fprintf(stderr, "draw: warning: left out, as a model or data would be needed: %s\n",
			list_text(p->a, &p->left_out));
}
