/* needs: the data that runs and results need, and the rules of data and runs; see plan.h. */
#include <string.h>

#include "plan/preparation.h"

/* --- what needs what --- */

static bool
is_made(const struct plan *p, const char *column)
{
	const char *corpus = column_corpus(p->a, column);

	return !list_has(&p->corpora, corpus) && !is_fetched(corpus);
}

/* The column from which a made corpus with "+" in its name is made, or NULL. */
static const char *
made_from(const struct plan *p, const char *column)
{
	const char *corpus = column_corpus(p->a, column), *plus = strrchr(corpus, '+');

	return plus && is_made(p, column)
		       ? text_print(p->a, "%.*s.%s", (int)(plus - corpus), corpus,
				    column_pair(p->a, column))
		       : NULL;
}

/* The parser whose output another one reads. */
static const char *
form_from(const struct plan *p, const char *form)
{
	const char *from = setting(p, text_print(p->a, "parse.%s.from", form));

	return *from ? from : "none";
}

/* The scope of a stream PAPER/PREPARATION/COLUMN[/SPLIT]. */
static struct scope
scope_of_stream(struct plan *p, const char *stream)
{
	struct scope s = scope_of(p, plan_paper(p, name_part(p->a, stream, 0)),
				  name_part(p->a, stream, 2));

	s.place = "src/stages.in";
	scope_know(&s, "data", name_part(p->a, stream, 1));
	scope_know(&s, "split", name_part(p->a, stream, 3));
	return s;
}

static void
need_stream(struct plan *p, const char *stream)
{
	const struct scope s = scope_of_stream(p, stream);
	const char *column = scope_get(&s, "column"), *whole = column_whole(p->a, column);
	const struct list codes = list_words(p->a, expanded(&s, "{codes-files}"));

	need(p, NEED_PARSED,
	     text_print(p->a, "%s/%s/%s", preparation_parser(p, s.paper, scope_get(&s, "data")),
			whole, scope_get(&s, "split")));
	for (size_t i = 0; i < codes.n; i++)
		list_once(p->a, &p->need[NEED_CODES],
			  text_print(p->a, "%s %s", codes.s[i], column));
	need(p, NEED_PARSED, text_print(p->a, "none/%s/train", whole));
}

static void
need_parsed(struct plan *p, const char *parsed)
{
	const char *form = name_part(p->a, parsed, 0), *text = strchr(parsed, '/') + 1;

	if (!strcmp(form, "none") || !strcmp(form, "made"))
		need(p, NEED_TEXT, text);
	else
		need(p, NEED_PARSED, text_print(p->a, "%s/%s", form_from(p, form), text));
}

/* What a thing needs comes before it in its list, so that the rules are in the order of work. */
void
need(struct plan *p, enum need kind, const char *name)
{
	if (list_has(&p->need[kind], name))
		return;
	for (int i = 0; i < 3 && kind == NEED_DATA; i++)
		need(p, NEED_STREAM, text_print(p->a, "%s/%s", name, split_names[i]));
	if (kind == NEED_SUM)
		need(p, NEED_STREAM, name);
	if (kind == NEED_HEADS)
		probe_check(p, plan_run(p, name));
	if (kind == NEED_STREAM)
		need_stream(p, name);
	if (kind == NEED_PARSED)
		need_parsed(p, name);
	if (kind == NEED_TEXT) {
		const char *from = made_from(p, name_part(p->a, name, 0));

		list_add(p->a, &p->need[kind], name);
		if (from)
			need(p, NEED_PARSED,
			     text_print(p->a, "src/%s/%s", from, name_part(p->a, name, 1)));
	}
	list_once(p->a, &p->need[kind], name);
}

/* All texts of the columns of the requested sections, and their numbers of pairs. */
static void
need_columns(struct plan *p)
{
	for (size_t i = 0; i < p->n_papers; i++) {
		struct list columns = { .n = 0 };

		if (is_wanted(p, &p->paper[i]))
			columns = paper_columns(p, &p->paper[i]);
		for (size_t c = 0; c < columns.n; c++)
			need(p, NEED_PAIRS, columns.s[c]);
	}
	for (size_t c = 0; c < p->need[NEED_PAIRS].n; c++)
		for (int i = 0; i < 3; i++)
			need(p, NEED_TEXT,
			     text_print(p->a, "%s/%s", p->need[NEED_PAIRS].s[c], split_names[i]));
}

/* What the trials of a search train on, also if no run does; of a size, the first sample. */
static const char *
tried_by(struct plan *p, const struct search *search)
{
	const struct scope s = scope_of(p, search->paper, search->column);

	return text_print(p->a, "%s/%s/%s%s", search->paper->name, expanded(&s, "{data}"),
			  search->column, column_size(search->column) ? ".1" : "");
}

void
need_runs(struct plan *p)
{
	const struct list *heads = &p->need[NEED_HEADS];

	need_columns(p);
	for (size_t i = 0; i < p->runs.n; i++) {
		const struct run *r = plan_run(p, p->runs.s[i]);
		const struct run *closed = plan_run(p, r->before[RUN_CLOSED]);
		const struct scope s = scope_of(p, NULL, r->column);
		const struct list tests = other_tests(&s);

		need(p, NEED_DATA, r->data);
		for (size_t k = 0; k < tests.n; k++)
			need(p, NEED_STREAM, text_print(p->a, "%s/%s", r->data, tests.s[k]));
		if (!closed)
			continue;
		need(p, NEED_PRUNED, closed->name);
		if (closed->before[RUN_BEGIN] && strcmp(r->how, "gate") &&
		    !strstr(r->how, "random-"))
			need(p, NEED_HEADS, closed->before[RUN_BEGIN]);
	}
	for (size_t i = 0; i < p->n_searches; i++)
		if (p->search[i].wanted && p->search[i].missing)
			need(p, NEED_DATA, tried_by(p, &p->search[i]));
	for (size_t i = 0; i < heads->n; i++)
		need(p, NEED_STREAM,
		     text_print(p->a, "%s/probe/%s/dev", name_part(p->a, heads->s[i], 0),
				plan_run(p, heads->s[i])->drawn));
}

/* The texts of the benchmark of measures, with trees if the language has them, and the training set
 * if models are trained further; *form: the parser.
 */
void
need_benchmark(struct plan *p, const char **form)
{
	struct scope s = scope_of(p, NULL, p->columns.s[0]);

	scope_know(&s, "split", "dev");
	*form = *expanded(&s, "{treed-src}") ? "src" : "none";
	for (int i = *given(p, "TUNE") ? 0 : 1; i < 3; i++) {
		need(p, NEED_TEXT, text_print(p->a, "%s/%s", p->columns.s[0], split_names[i]));
		need(p, NEED_PARSED,
		     text_print(p->a, "%s/%s/%s", *form, p->columns.s[0], split_names[i]));
	}
}

/* --- rules of data --- */

/* The commands of a paper that make a corpus, with their values. */
static const char *
commands_of(struct plan *p, const struct paper *paper, const char *key, const char *text)
{
	struct scope s = scope_of(p, paper, name_part(p->a, text, 0));

	scope_know(&s, "split", name_part(p->a, text, 1));
	return value_of(&s, key);
}

/*
 * The wanted paper that makes the corpus of a text; *name: "links", or "+links1" of "help+links1".
 * The corpus has one folder for all papers, which must therefore make it in the same way.
 */
static const struct paper *
maker_of(struct plan *p, const char *text, const char **name)
{
	const char *corpus = column_corpus(p->a, name_part(p->a, text, 0));
	const char *plus = strrchr(corpus, '+'), *key, *first = "";
	const struct paper *maker = NULL;

	*name = plus ? plus : corpus;
	key = text_print(p->a, "text.%s", *name);
	for (size_t i = 0; i < p->n_papers; i++) {
		const struct paper *paper = &p->paper[i];

		if (!is_wanted(p, paper) || !*key_text(p, paper, key))
			continue;
		if (!maker)
			first = commands_of(p, maker = paper, key, text);
		else if (strcmp(first, commands_of(p, paper, key, text)))
			fault(p, EXIT_INPUT, "%s and %s: different commands %s, expected the same "
			      "commands or different names", maker->file, paper->file, key);
	}
	if (!maker)
		fault(p, EXIT_INPUT, "no paper has %s for the corpus of %s", key, text);
	return maker;
}

static void
write_text(struct plan *p, struct buf *out, const char *text)
{
	const char *column = name_part(p->a, text, 0), *name;
	const bool made = is_made(p, column);
	const bool is_given = p->folders.n && list_has(&p->corpora, column_corpus(p->a, column));
	struct scope s = scope_of(p, made ? maker_of(p, text, &name) : NULL, column);

	scope_know(&s, "split", name_part(p->a, text, 1));
	if (made) {
		scope_set(&s, "corpus-name", name);
		scope_set(&s, "from-column", made_from(p, column));
		stage_write(&s, out, "made-stream");
	}
	for (int i = 0; i < 2; i++) {
		const char *file;

		scope_know(&s, "side", side_names[i]);
		file = is_given ? text_find(&s) : "";
		scope_set(&s, "file", file);
		scope_set(&s, "sum", *file ? file_sum(p, file) : "");
		stage_write(&s, out, made ? "made-text" : *file ? "given-text" : "fetched-text");
		if (!made)
			stage_write(&s, out, "text");
	}
}

static void
write_parsed(struct plan *p, struct buf *out, const char *parsed)
{
	const char *form = name_part(p->a, parsed, 0);
	struct scope s = scope_of(p, NULL, name_part(p->a, parsed, 1));

	scope_know(&s, "split", name_part(p->a, parsed, 2));
	scope_set(&s, "parsed", parsed);
	scope_set(&s, "form", form);
	scope_set(&s, "form-from", form_from(p, form));
	if (!strcmp(form, "none")) {
		stage_write(&s, out, "unparsed");
		return;
	}
	scope_set(&s, "step", expanded(&s, text_print(p->a, "{parse.%s}", form)));
	if (!*scope_get(&s, "step"))
		scope_set(&s, "step", "cat");
	stage_write(&s, out, "parsed");
}

static void
write_codes(struct plan *p, struct buf *out, const char *codes)
{
	const struct list words = list_words(p->a, codes);
	const char *name = strrchr(words.s[0], '/') + 1, *dot = strchr(name, '.');
	struct scope s = scope_of(p, NULL, words.s[1]);

	scope_set(&s, "file", words.s[0]);
	scope_set(&s, "sides", dot ? text_copy(p->a, dot + 1, 3) : "src tgt");
	scope_set(&s, "spm", dot && strchr(dot, '-') ? "yes" : "");
	scope_set(&s, "merges", text_copy(p->a, name, strcspn(name, ".")));
	stage_write(&s, out, "codes");
}

static void
write_stream(struct plan *p, struct buf *out, const char *stream)
{
	struct scope s = scope_of_stream(p, stream);

	scope_set(&s, "stream", stream);
	scope_set(&s, "form", preparation_parser(p, s.paper, scope_get(&s, "data")));
	scope_set(&s, "is-train", strcmp(scope_get(&s, "split"), "train") ? "" : "yes");
	stage_write(&s, out, "prepared");
}

void
write_data(struct plan *p, struct buf *out)
{
	/* In the order of work; name: of a thing in its rules, which need no other value. */
	static const struct {
		enum need kind;
		void (*write)(struct plan *, struct buf *, const char *);
		const char *name;
	} rules[] = {
		{ NEED_TEXT, write_text, NULL },	 { NEED_PAIRS, NULL, "column" },
		{ NEED_PARSED, write_parsed, NULL }, { NEED_CODES, write_codes, NULL },
		{ NEED_STREAM, write_stream, NULL }, { NEED_DATA, NULL, "sums-of" },
		{ NEED_SUM, NULL, "sum-of" },
	};

	for (size_t k = 0; k < sizeof(rules) / sizeof(*rules); k++)
		for (size_t i = 0; i < p->need[rules[k].kind].n && !p->bad; i++) {
			const char *thing = p->need[rules[k].kind].s[i];
			struct scope s = scope_of(p, NULL, NULL);

			if (rules[k].write) {
				rules[k].write(p, out, thing);
				continue;
			}
			scope_set(&s, rules[k].name, thing);
			stage_write(&s, out, rules[k].name);
		}
}

/* --- rules of searches and runs --- */

static void
write_search(struct plan *p, struct buf *out, const struct search *search)
{
	struct scope s = scope_of(p, search->paper, search->column);

	scope_set(&s, "search", search->name);
	scope_set(&s, "tried-data", tried_by(p, search));
	scope_set(&s, "trial", search->trial);
	scope_set(&s, "how", search->how);
	scope_set(&s, "earlier", search->after);
	stage_write(&s, out, "search");
	stage_write(&s, out, "missing-search");
}

static void
write_run(struct plan *p, struct buf *out, const struct run *r)
{
	struct scope s = scope_of_run(p, r), shell = s;
	const struct list tests = other_tests(&s);

	shell.shell = true;
	scope_set(&s, "named-options", r->options);
	scope_set(&s, "command-options", expanded(&shell, "{options}"));
	scope_set(&s, "asked", r->asked);
	scope_set(&s, "is-pruned", list_has(&p->need[NEED_PRUNED], r->name) ? "yes" : "");
	scope_set(&s, "is-measured", list_has(&p->need[NEED_HEADS], r->name) ? "yes" : "");
	scope_set(&s, "also-tests", list_text(p->a, &tests));
	scope_set(&s, "side", "tgt");
	stage_write(&s, out, "run");
}

/* The list of heads that a run masks, once for all runs that mask the same. */
static void
write_head_list(struct plan *p, struct buf *out, const struct run *r, struct list *written)
{
	const struct run *closed = plan_run(p, r->before[RUN_CLOSED]);
	const char *how = r->how, *name = text_print(p->a, "%s/%s", closed->name, how);
	struct scope s = scope_of_run(p, closed);

	if (list_has(written, name))
		return;
	list_add(p->a, written, name);
	scope_set(&s, "how", how);
	scope_set(&s, "site", has_prefix(how, "all-") ? "" : "--site enc-self");
	how += has_prefix(how, "all-") ? 4 : 0;
	scope_set(&s, "by", how);
	scope_set(&s, "draw", has_prefix(how, "random-") ? how + 7 : "");
	stage_write(&s, out, !strcmp(how, "gate") ? "gate-list" : "head-list");
}

void
write_runs(struct plan *p, struct buf *out)
{
	struct list written = { .n = 0 };

	for (size_t i = 0; i < p->n_searches; i++)
		if (p->search[i].wanted && p->search[i].missing)
			write_search(p, out, &p->search[i]);
	for (size_t i = 0; i < p->runs.n && !p->bad; i++)
		write_run(p, out, plan_run(p, p->runs.s[i]));
	for (size_t i = 0; i < p->runs.n; i++)
		if (plan_run(p, p->runs.s[i])->how)
			write_head_list(p, out, plan_run(p, p->runs.s[i]), &written);
}
