/* stage-runs: the rules of searches and runs; see stages.h. */
#include <string.h>

#include "plan/run-settings.h"
#include "plan/stages.h"

/* --- what is needed --- */

/* The further test sets of a run are prepared as its data. */
static struct list
tests_of(struct writer *w, const struct run *r)
{
	const struct scope s = { .p = w->p, .column = r->column };

	return other_tests(&s);
}

static int
need_tests(struct writer *w, const struct run *r)
{
	const struct list tests = tests_of(w, r);

	for (size_t i = 0; i < tests.n; i++)
		if (need_stream(w, text_print(w->p->a, "%s/%s", r->data, tests.s[i])))
			return -1;
	return 0;
}

static void
need_measures(struct writer *w, const char *run)
{
	if (run)
		list_once(w->p->a, &w->measured, run);
}

/* What runs need of other runs. */
int
need_runs(struct writer *w)
{
	for (size_t i = 0; i < w->p->n_runs; i++) {
		const struct run *r = &w->p->run[i],
				 *closed = plan_run(w->p, r->before[RUN_CLOSED]);

		if (need_data(w, r->data) || need_tests(w, r))
			return -1;
		if (!closed)
			continue;
		list_once(w->p->a, &w->pruned, closed->name);
		if (strcmp(r->how, "gate") && !strstr(r->how, "random-"))
			need_measures(w, closed->before[RUN_BEGIN]);
	}
	for (size_t i = 0; i < w->measured.n; i++) {
		const struct run *r = plan_run(w->p, w->measured.s[i]);

		if (need_stream(w, text_print(w->p->a, "%s/probe/%s/dev", r->paper->name,
					      column_whole(w->p->a, r->column))))
			return -1;
	}
	return 0;
}

/* --- searches --- */

static int
write_search(struct writer *w, const struct search *s)
{
	struct arena *a = w->p->a;
	const char *name = strrchr(s->name, '/') + 1, *trial = search_trial(s, w->p, w->e);
	struct thing t;

	if (!trial)
		return -1;
	thing_init(&t, w);
	t.s.paper = s->paper;
	t.s.column = s->column;
	thing_set(&t, "search", s->name);
	thing_set(&t, "name", text_print(a, "%s/%s/%s", s->paper->name, s->column, name));
	thing_set(&t, "trial", trial);
	thing_set(&t, "how", s->how);
	thing_set(&t, "tried", text_print(a, "%s/prepared/%s/%s/%s%s", w->p->work, s->paper->name,
			     paper_data(w->p, s->paper), s->column,
			     column_size(s->column) ? ".1" : ""));
	thing_set(&t, "after",
		  s->after ? text_print(a, "%s/%s/best", w->p->results, s->after) : "");
	thing_set(&t, "grid",
		  text_print(a, "%ssrc/papers/%s.%s.%s", w->p->top, s->paper->name, name,
			     w->p->profile));
	return thing_write(w, &t, "search") || thing_write(w, &t, "missing-search") ? -1 : 0;
}

/* --- runs --- */

static const char *
model_of(const struct plan *p, const char *run)
{
	return run ? text_print(p->a, "%s/run/%s/model.tar", p->work, run) : "";
}

/* The value of a key of the run's paper; sets *bad after an error. */
static const char *
value_of(struct writer *w, const struct scope *s, const char *key, int *bad)
{
	const char *value = setting(s, key, w->e);

	if (!value)
		*bad = -1;
	return value ? value : "";
}

/* Files that a run reads. */
static int
set_inputs(struct writer *w, struct thing *t, const struct run *r)
{
	struct arena *a = w->p->a;
	const char *dir = text_print(a, "%s/run/%s", w->p->work, r->name);
	const char *streams = text_print(a, "%s/prepared/%s", w->p->work, r->data);
	const bool aligned = r->before[RUN_ALIGNED];
	struct scope drawn = t->s;
	struct list joint = { .n = 0 };
	const struct list *codes;

	drawn.column = r->drawn;
	codes = codes_files(&drawn, w->e);
	for (size_t i = 0; codes && i < codes->n; i++) {
		const size_t n = strlen(codes->s[i]);

		if (n < 4 ||
		    (strcmp(codes->s[i] + n - 4, ".src") && strcmp(codes->s[i] + n - 4, ".tgt")))
			list_add(a, &joint, codes->s[i]);
	}
	thing_set(t, "run", r->name);
	thing_set(t, "dir", dir);
	thing_set(t, "streams", streams);
	thing_set(t, "train",
		  text_print(a, "%s%s.heed", aligned ? dir : streams,
			     aligned ? "/aligned.train" : "/train"));
	thing_set(t, "dev",
		  text_print(a, "%s%s.heed", aligned ? dir : streams,
			     aligned ? "/aligned.dev" : "/dev"));
	thing_set(t, "begin", model_of(w->p, r->before[RUN_BEGIN]));
	thing_set(t, "aligner", model_of(w->p, r->before[RUN_ALIGNED]));
	thing_set(t, "closed-list",
		  r->before[RUN_CLOSED] ? text_print(a, "%s/run/%s/closed.%s", w->p->work,
						     r->before[RUN_CLOSED], r->how)
					: "");
	thing_set(t, "best",
		  r->search ? text_print(a, "%s/%s/best", w->p->results, r->search) : "");
	thing_set(t, "joint-codes", list_text(a, &joint));
	thing_set(t, "reference",
		  text_print(a, "%s/text/%s/test.tgt.raw", w->p->work, column_whole(a, r->column)));
	return codes ? 0 : -1;
}

static int
set_options(struct writer *w, struct thing *t, const struct run *r)
{
	struct scope plain = t->s;
	const char *options, *named;

	plain.make = false;
	named = run_options(&plain, w->e);
	plain.shell = true;
	options = named ? run_options(&plain, w->e) : NULL;
	thing_set(t, "named-options", named);
	thing_set(t, "options", options);
	thing_set(t, "asked", r->asked);
	thing_set(t, "asked-setting", text_print(w->p->a, "settings=%s", r->asked));
	return options ? 0 : -1;
}

/* Things of a run that have to do with its model, its heads and its evaluation. */
static int
set_evaluation(struct writer *w, struct thing *t, const struct run *r)
{
	struct arena *a = w->p->a;
	const char *tested = named(w->p, r->paper, "tested", r->variant), *facts;
	const bool measured = list_has(&w->measured, r->name);
	const struct list also = tests_of(w, r);
	struct list after = { .n = 0 }, streams = { .n = 0 };
	int bad = 0;

	for (size_t i = 0; i < also.n; i++)
		list_add(a, &streams, text_print(a, "%s/prepared/%s/%s.heed", w->p->work, r->data,
						 also.s[i]));
	thing_set(t, "also", list_text(a, &also));
	thing_set(t, "also-streams", list_text(a, &streams));
	if (!tested || !*tested)
		tested = "model";
	for (int i = 0; i < RUN_BEFORE; i++)
		if (r->before[i])
			list_add(a, &after, r->before[i]);
	facts = value_of(w, &t->s, "facts", &bad);
	thing_set(t, "tested",
		  text_print(a, "%s/run/%s/%s.tar", w->p->work, r->name, tested));
	thing_set(t, "pruned",
		  !strcmp(tested, "pruned") || list_has(&w->pruned, r->name) ? "yes" : "");
	thing_set(t, "measured", measured ? measured_by(&t->s, w->e) : "");
	thing_set(t, "probe-stream",
		  text_print(a, "%s/prepared/%s/probe/%s/dev.heed", w->p->work, r->paper->name,
			     column_whole(a, r->column)));
	thing_set(t, "beam", value_of(w, &t->s, "beam", &bad));
	thing_set(t, "facts", *facts ? text_print(a, "%s%s", w->p->top, facts) : "");
	thing_set(t, "after", records_of(w->p, &after));
	thing_set(t, "target-language", column_language(a, r->column, "tgt"));
	thing_set(t, "tokenized", strcmp(value_of(w, &t->s, "scored", &bad), "tok") ? "" : "yes");
	thing_set(t, "bleu", value_of(w, &t->s, "bleu", &bad));
	thing_set(t, "heads", value_of(w, &t->s, "heads", &bad));
	thing_set(t, "record", text_print(a, "%s/record", entry_of_run(w->p, r->name)));
	thing_set(t, "digest", r->digest);
	thing_set(t, "lacking", r->digest ? "" : "yes");
	return bad;
}

static int
write_run(struct writer *w, const struct run *r)
{
	struct thing t;

	thing_init(&t, w);
	t.s.paper = r->paper;
	t.s.home = r->paper->name;
	t.s.run = r;
	t.s.column = r->column;
	if (set_inputs(w, &t, r) || set_options(w, &t, r) || set_evaluation(w, &t, r))
		return -1;
	return thing_write(w, &t, "run");
}

/* The list of heads that a run masks, for all runs that mask the same. */
static int
write_list(struct writer *w, const struct run *r, struct list *written)
{
	struct arena *a = w->p->a;
	const struct run *closed = plan_run(w->p, r->before[RUN_CLOSED]);
	const char *dir = text_print(a, "%s/run/%s", w->p->work, closed->name), *begin, *from = "",
		   *by;
	const char *how = r->how + (strncmp(r->how, "all-", 4) ? 0 : 4);
	const char *file = text_print(a, "%s/closed.%s", dir, r->how);
	struct thing t;

	if (list_has(written, file))
		return 0;
	list_add(a, written, file);
	begin = model_of(w->p, closed->before[RUN_BEGIN]);
	if (!strncmp(how, "random-", 7)) {
		by = text_print(a, "random --seed %s00%s", closed->seed, how + 7);
	} else {
		from = text_print(a, "%.*s%s.heed", (int)(strlen(begin) - strlen("model.tar")),
				  begin, strcmp(how, "first") ? "measures" : "heads");
		by = text_print(a, "%s %s", strcmp(how, "first") ? how : "layer --lowest", from);
	}
	thing_init(&t, w);
	thing_set(&t, "dir", dir);
	thing_set(&t, "how", r->how);
	if (!strcmp(how, "gate"))
		return thing_write(w, &t, "gate-list");
	thing_set(&t, "begin", begin);
	thing_set(&t, "from", from);
	thing_set(&t, "site", how == r->how ? "--site enc-self" : "");
	thing_set(&t, "by", by);
	return thing_write(w, &t, "head-list");
}

int
write_runs(struct writer *w)
{
	struct list written = { .n = 0 };

	for (size_t i = 0; i < w->p->n_searches; i++)
		if (w->p->search[i].wanted && w->p->search[i].missing &&
		    write_search(w, &w->p->search[i]))
			return -1;
	for (size_t i = 0; i < w->p->n_runs; i++)
		if (write_run(w, &w->p->run[i]))
			return -1;
	for (size_t i = 0; i < w->p->n_runs; i++)
		if (w->p->run[i].before[RUN_CLOSED] && write_list(w, &w->p->run[i], &written))
			return -1;
	return 0;
}
