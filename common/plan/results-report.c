/* results-report: the rules of reports; see results.h. */
#include <string.h>

#include "plan/results.h"

/* Whether draw leaves a file of the paper out, or one that it is made from. */
static bool
left_out(const struct results *r, const char *name)
{
	const char *const heads[] = { "kept.tsv", "roles.tsv", "layers.svg", "drift.svg",
				      "fate.svg" };
	const char *const folder =
		text_print(r->w->p->a, "%s/%s", r->w->p->results, r->paper->name);
	const struct list *out = &r->w->p->left_out;

	for (int i = 0; i < 5; i++)
		if (!strcmp(name, heads[i]) &&
		    list_has(out, text_print(r->w->p->a, "%s/heads.tsv", folder)))
			return true;
	if (!strcmp(name, "roles-updates.svg") &&
	    list_has(out, text_print(r->w->p->a, "%s/roles-updates.tsv", folder)))
		return true;
	if (has_prefix(name, "posthoc-") &&
	    list_has(out, text_print(r->w->p->a, "%s/%.*s.svg", folder,
				     (int)(strrchr(name, '.') - name), name)))
		return true;
	return list_has(out, text_print(r->w->p->a, "%s/%s", folder, name));
}

/* Adds files of the paper, NAME.SUFFIX, unless they are left out. */
static void
add_files(const struct results *r, struct list *files, const struct list *names, const char *prefix,
	  const char *suffix)
{
	struct plan *p = r->w->p;

	for (size_t i = 0; i < names->n; i++) {
		const char *name = text_print(p->a, "%s%s.%s", prefix, names->s[i], suffix);

		if (!left_out(r, name))
			list_add(p->a, files,
				 text_print(p->a, "%s/%s/%s", p->results, r->paper->name, name));
	}
}

/* top-figure, with a form for phones; it is removed from the other figures. */
static void
set_top(const struct results *r, struct thing *t, struct list *figures)
{
	struct plan *p = r->w->p;
	const char *lead = key(r, "lead");
	const char *top = text_print(p->a, "%s/%s/%s.svg", p->results, r->paper->name, lead);
	struct list others = { .n = 0 };
	const bool found = *lead && list_has(figures, top);

	for (size_t i = 0; i < figures->n; i++)
		if (!found || strcmp(figures->s[i], top))
			list_add(p->a, &others, figures->s[i]);
	*figures = others;
	thing_set(t, "top-figure", found ? top : "");
	thing_set(t, "top-narrow", found && has_prefix(lead, "gains-")
				   ? text_print(p->a, "%s/%s/%s-narrow.svg", p->results,
						r->paper->name, lead) : "");
	thing_set(t, "top-text",
		  text_print(p->a, "%s/brief/%s/%s.text", p->work, r->paper->name, lead));
}

static void
set_figures(const struct results *r, struct thing *t)
{
	struct list files = { .n = 0 }, one = { .n = 0 };

	add_files(r, &files, &r->gains, "gains-", "svg");
	add_files(r, &files, &r->plots, "", "svg");
	add_files(r, &files, &r->maps, "", "svg");
	add_files(r, &files, &r->head_maps, "", "svg");
	add_files(r, &files, &r->posthoc, "posthoc-", "svg");
	if (list_has(&r->also, "roles-updates"))
		list_add(r->w->p->a, &one, "roles-updates");
	if (r->curves.n)
		list_add(r->w->p->a, &one, "curves");
	add_files(r, &files, &one, "", "svg");
	set_top(r, t, &files);
	thing_set(t, "figures", list_text(r->w->p->a, &files));
}

static void
set_tables(const struct results *r, struct thing *t)
{
	struct plan *p = r->w->p;
	const struct list brief = words_of(r, "brief");
	struct list all = { .n = 0 }, plain = { .n = 0 }, claims = { .n = 0 }, tsv = { .n = 0 };
	struct list plain_tsv = { .n = 0 }, shown = { .n = 0 }, extras = { .n = 0 }, one;

	for (size_t i = 0; i < r->paper->asked.n; i++) {
		const bool is_claims = has_prefix(r->paper->asked.s[i], "claims");

		one = (struct list){ .n = 0 };
		list_add(p->a, &one, r->paper->asked.s[i]);
		add_files(r, &all, &one, "", "tsv");
		add_files(r, &all, &one, "", "md");
		add_files(r, &tsv, &one, "", "tsv");
		add_files(r, is_claims ? &claims : &plain, &one, "", "md");
		if (!is_claims)
			add_files(r, &plain_tsv, &one, "", "tsv");
	}
	for (size_t i = 0; i < r->also.n; i++) {
		one = (struct list){ .n = 0 };
		list_add(p->a, &one, r->also.s[i]);
		add_files(r, &shown, &one, "", list_has(&brief, r->also.s[i]) ? "md" : "tsv");
		add_files(r, &extras, &one, "", "tsv");
	}
	thing_set(t, "tables", list_text(p->a, &all));
	thing_set(t, "named-tables", list_text(p->a, &plain_tsv));
	thing_set(t, "plain-md", list_text(p->a, &plain));
	thing_set(t, "claims-md", list_text(p->a, &claims));
	thing_set(t, "shown", list_text(p->a, &shown));
	thing_set(t, "extras", list_text(p->a, &extras));
}

static const char *
missing_text(const struct plan *p)
{
	return p->draw && p->lacking
		       ? text_print(p->a, "%zu of the %zu runs are missing.", p->lacking, p->n_runs)
		       : "";
}

/* The first corpus, and the number of the others if there are more than three. */
static const char *
corpora_text(const struct plan *p, const char *columns)
{
	const struct list all = list_words(p->a, columns);

	return all.n > 3 ? text_print(p->a, "%s and %zu others", all.s[0], all.n - 1) : columns;
}

/* One line on the paper, the corpus and the runs. */
static void
set_about(const struct results *r, struct thing *t)
{
	struct plan *p = r->w->p;
	struct scope s = t->s;
	const char *columns = expanded(&s, "{columns}", r->w->e), *missing = missing_text(p);
	const char *by = key(r, "by");

	thing_set(t, "missing", missing);
	thing_set(t, "about",
		  text_print(p->a,
			     "%s%sCorpus: %s. Seeds of the main tables: %s. Profile: %s.%s%s%s", by,
			     *by ? ". " : "", corpora_text(p, columns), key(r, "seeds"), p->profile,
			     *missing ? " " : "", missing,
			     strcmp(p->profile, "smoke") ? ""
							 : " This profile is a self-test: its "
							   "models are too small for the scores to "
							   "mean anything."));
}

int
write_report(struct results *r)
{
	struct plan *p = r->w->p;
	struct thing t = thing_of(r, NULL);
	struct list curves = { .n = 0 };
	const char *samples = key(r, "samples");
	bool claims = false;

	for (size_t i = 0; i < r->paper->grid.n; i++)
		claims = claims || grid_is_claims(&r->paper->grid.section[i]);
	for (size_t i = 0; i < r->curves.n; i++)
		list_add(p->a, &curves,
			 text_print(p->a, "%s/curve/%s.tsv", p->work, r->curves.s[i]));
	set_tables(r, &t);
	set_figures(r, &t);
	set_about(r, &t);
	thing_set(&t, "claims", claims ? "yes" : "");
	thing_set(&t, "curves", list_text(p->a, &curves));
	thing_set(&t, "title", key(r, "title"));
	thing_set(&t, "samples", *samples ? samples : "3");
	thing_set(&t, "walk-file",
		  r->walk && !left_out(r, "walk.html.gz")
			  ? text_print(p->a, "%s/%s/walk.html.gz", p->results, r->paper->name)
			  : "");
	return write_thing(r, &t, "report");
}
