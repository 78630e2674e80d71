/* stages: templates of rules; see stages.h. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/output.h"
#include "plan/run-settings.h"
#include "plan/stages.h"
#include "stream/input.h"

/* The rules for a kind of thing. */
struct block {
	const char *kind, *with; /* with: a name that must have a value, or NULL */
	struct list lines; /* a continued line has line ends within it */
	const char *place; /* FILE:LINE */
};

/* --- templates --- */

/* "each KIND" or "each KIND with NAME" */
static void
begin_block(struct writer *w, const char *line, const char *path, size_t number)
{
	const struct list words = list_words(w->p->a, line);
	struct block b = { .kind = words.n > 1 ? words.s[1] : "",
			   .with = words.n > 3 ? words.s[3] : NULL };

	b.place = text_print(w->p->a, "%s:%zu", path, number);
	w->block = mem_grow(w->block, &w->room, w->n + 1, sizeof(*w->block));
	w->block[w->n++] = b;
}

static int
read_templates(struct writer *w)
{
	const char *path = text_print(w->p->a, "%ssrc/stages.in", w->p->top), *line;
	struct input *in = input_open(path, INPUT_UTF8, w->e);
	struct buf text = { 0 };
	size_t n, number = 0;
	bool open = false;
	int more = -1;

	while (in && (more = input_line(in, &line, &n, w->e)) > 0) {
		number++;
		if (!n) {
			open = false;
		} else if (!strncmp(line, "each ", 5)) {
			begin_block(w, line, path, number);
			open = true;
		} else if (open) {
			buf_add(&text, line, n);
			if (line[n - 1] == '\\') {
				buf_add_char(&text, '\n');
				continue;
			}
			list_add(w->p->a, &w->block[w->n - 1].lines,
				 text_copy(w->p->a, text.data, text.n));
			buf_clear(&text);
		}
	}
	buf_release(&text);
	input_close(in);
	return more;
}

/* --- things --- */

void
thing_init(struct thing *t, struct writer *w)
{
	*t = (struct thing){ .s = { .p = w->p, .make = true } };
	t->s.var = t->var;
}

void
thing_set(struct thing *t, const char *name, const char *value)
{
	if (t->s.n_vars == MAX_VARS)
		bug("more than %d names", MAX_VARS);
	t->var[t->s.n_vars++] = (struct scope_var){ name, value ? value : "" };
}

/* --- rules --- */

/* Appends text with single blanks outside of quotes, and without lines that are empty but for "\\".
 */
static void
add_tidy(struct buf *out, const char *text)
{
	char quote = 0;

	while (*text) {
		const size_t blanks = strspn(text, " \t");

		if (out->n && out->data[out->n - 1] == '\n') {
			if (text[blanks] == '\\' && text[blanks + 1] == '\n') {
				text += blanks + 2;
				continue;
			}
			buf_add(out, text, blanks);
			text += blanks;
		} else if (!quote && blanks > 1) {
			text += blanks - 1;
		}
		if (quote ? *text == quote : *text == '\'' || *text == '"')
			quote = quote ? 0 : *text;
		if (*text)
			buf_add_char(out, *text++);
	}
	while (out->n && out->data[out->n - 1] == ' ')
		out->data[--out->n] = '\0';
}

/* Cuts "WORD FILE ... = TEXT" at its first " = ". */
static const char *
cut_text(struct arena *a, const char *line, const char **text)
{
	const char *is = strstr(line, " = ");

	*text = is ? is + 3 : "";
	line = strchr(line, ' ') + 1;
	return text_copy(a, line, is ? (size_t)(is - line) : strlen(line));
}

/* A file with settings: a rule if its text is another. */
static int
write_settings(struct writer *w, const struct scope *s, const char *line)
{
	struct scope plain = *s;
	const char *text, *file, *old, *quoted;
	struct scope_var v = { "text", NULL };

	plain.make = false;
	file = expanded(&plain, cut_text(w->p->a, line, &text), w->e);
	text = file ? expanded(&plain, text, w->e) : NULL;
	if (!text)
		return -1;
	old = text_of_file(w->p->a, file);
	if (old && !strcmp(stripped(w->p->a, old), text))
		return 0;
	v.value = text;
	plain = (struct scope){ .p = w->p, .var = &v, .n_vars = 1, .make = true };
	quoted = expanded(&plain, "{'text}", w->e);
	if (!quoted)
		return -1;
	buf_printf(w->out, "%s: force\n\t@$(rewrite) %s\n", file, quoted);
	return 0;
}

/*
 * A file that is made from models or data.  Returns 1 if it is up to date, or if draw leaves it
 * out; else 0, and *sign is the command that writes FILE.of.
 */
static int
check_signed(struct writer *w, const struct scope *s, const char *line, const char **sign)
{
	struct arena *a = w->p->a;
	const char *how, *file, *of, *want = "";
	struct scope plain = *s;
	struct list words, runs = { .n = 0 };
	bool kept = true;

	plain.make = false;
	file = expanded(&plain, cut_text(a, line, &how), w->e);
	how = file ? expanded(&plain, how, w->e) : NULL;
	if (!how)
		return -1;
	words = list_words(a, file);
	for (size_t i = 1; i < words.n; i++) {
		const struct run *r = plan_run(w->p, words.s[i]);

		list_add(a, &runs, words.s[i]);
		kept = kept && r && r->digest;
		want = text_print(a, "%s %s", want, r && r->digest ? r->digest : "");
	}
	file = words.s[0];
	of = text_of_file(a, text_print(a, "%s.of", file));
	if (kept && of && !access(file, F_OK) &&
	    !strcmp(stripped(a, of), stripped(a, text_print(a, "%s %s", want, how))))
		return 1;
	if (w->p->draw) {
		list_add(a, &w->p->left_out, file);
		return 1;
	}
	*sign = text_print(a, "echo $(sed -n 's/^digest\\t//p' %s /dev/null) '%s' > %s.of",
			   records_of(w->p, &runs), how, file);
	buf_printf(w->out, ".PHONY: %s\n", file);
	return 0;
}

static int
write_block(struct writer *w, const struct thing *t, const struct block *b)
{
	struct thing own = *t;
	struct buf text = { 0 };
	int bad = 0;

	own.s.var = own.var;
	for (size_t i = 0; !bad && i < b->lines.n; i++) {
		const char *line = b->lines.s[i], *sign;

		if (!strncmp(line, "settings ", 9)) {
			bad = write_settings(w, &own.s, line);
		} else if (!strncmp(line, "signed ", 7)) {
			bad = check_signed(w, &own.s, line, &sign);
			if (!bad)
				thing_set(&own, "sign", sign);
		} else {
			buf_clear(&text);
			bad = expand(&own.s, line, &text, w->e);
			if (!bad && text.data[strspn(text.data, "\t @")]) {
				add_tidy(w->out, text.data);
				buf_add_char(w->out, '\n');
			}
		}
	}
	buf_release(&text);
	if (bad < 0)
		err_wrap(w->e, "%s", b->place);
	return bad < 0 ? -1 : 0;
}

int
thing_write(struct writer *w, struct thing *t, const char *kind)
{
	bool found = false;

	for (size_t i = 0; i < w->n; i++) {
		const struct block *b = &w->block[i];
		struct buf value = { 0 };
		bool has = true;

		if (strcmp(b->kind, kind))
			continue;
		found = true;
		if (b->with) {
			if (expand(&t->s, text_print(w->p->a, "{%s}", b->with), &value, w->e))
				return err_wrap(w->e, "%s", b->place);
			has = value.n > 0;
			buf_release(&value);
		}
		if (has && write_block(w, t, b))
			return -1;
	}
	if (found)
		buf_add_char(w->out, '\n');
	return 0;
}

/* --- all rules --- */

const char *
records_of(const struct plan *p, const struct list *runs)
{
	struct list records = { .n = 0 };

	for (size_t i = 0; i < runs->n; i++)
		list_add(p->a, &records,
			 text_print(p->a, "%s/record", entry_of_run(p, runs->s[i])));
	return list_text(p->a, &records);
}

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

static const char *
text_files(struct writer *w)
{
	struct arena *a = w->p->a;
	struct list files = { .n = 0 };

	for (size_t i = 0; i < w->texts.n; i++)
		for (int k = 0; k < 2; k++)
			list_add(a, &files,
				 text_print(a, "%s/text/%s.%s.raw", w->p->work, w->texts.s[i],
					    k ? "tgt" : "src"));
	for (size_t i = 0; i < w->columns.n; i++)
		list_add(a, &files, text_print(a, "%s/text/%s/pairs", w->p->work, w->columns.s[i]));
	return list_text(a, &files);
}

static const char *
data_files(struct writer *w)
{
	struct arena *a = w->p->a;
	struct list files = { .n = 0 };

	for (size_t i = 0; i < w->data.n; i++)
		list_add(a, &files, text_print(a, "%s/prepared/%s/sums", w->p->work, w->data.s[i]));
	for (size_t i = 0; i < w->summed.n; i++)
		list_add(a, &files,
			 text_print(a, "%s/prepared/%s.sum", w->p->work, w->summed.s[i]));
	return list_text(a, &files);
}

/* The file that run-one makes: the best settings, the model of a run in the ledger, or an entry. */
static int
find_one(struct plan *p, const char **file, struct err *e)
{
	const struct keyfile_entry *k = keyfile_given(&p->conf, "RUN_NAME");
	const struct search *s = k ? plan_search(p, k->value) : NULL, *needs;
	const struct run *r = k ? plan_run(p, k->value) : NULL;

	*file = "";
	if (!k)
		return 0;
	if (!s && !r)
		return err_set(e, EXIT_USAGE,
			       "RUN_NAME=%s: expected one of the runs that plan lists", k->value);
	needs = plan_search(p, s ? s->after : r->search);
	for (int i = 0; r && !(needs && needs->missing) && i < RUN_BEFORE; i++)
		if (r->before[i])
			needs = plan_search(p, plan_run(p, r->before[i])->search);
	if (needs && needs->missing)
		return err_set(e, EXIT_USAGE, "%s needs the search %s; first: run-one RUN_NAME=%s",
			       k->value, needs->name, needs->name);
	*file = s	    ? text_print(p->a, "%s/%s/best", p->results, s->name)
		: r->digest ? text_print(p->a, "%s/run/%s/model.tar", p->work, r->name)
			    : text_print(p->a, "%s/record", entry_of_run(p, r->name));
	return 0;
}

static int
write_goals(struct writer *w)
{
	struct plan *p = w->p;
	struct list papers = { .n = 0 }, reports = { .n = 0 };
	const char *one;
	struct thing t;

	for (size_t i = 0; i < p->n_papers; i++)
		if (is_reported(p, &p->paper[i])) {
			list_add(p->a, &papers, p->paper[i].name);
			list_add(p->a, &reports,
				 text_print(p->a, "%s/%s/report.html", p->results,
					    p->paper[i].name));
		}
	if (find_one(p, &one, w->e))
		return -1;
	thing_init(&t, w);
	thing_set(&t, "papers", list_text(p->a, &papers));
	thing_set(&t, "reports", list_text(p->a, &reports));
	thing_set(&t, "columns", list_text(p->a, &w->columns));
	thing_set(&t, "texts", text_files(w));
	thing_set(&t, "sums", data_files(w));
	thing_set(&t, "searches", search_files(p));
	thing_set(&t, "one", one);
	return thing_write(w, &t, "goals");
}

/* The options of all missing runs, but those with a list of heads, for options.sh. */
static int
write_options(struct plan *p, struct err *e)
{
	struct buf text = { 0 };
	int bad = 0;

	buf_add_str(&text, "");
	for (size_t i = 0; !bad && i < p->n_runs; i++) {
		const struct run *r = &p->run[i];
		const struct scope s = { .p = p,
					 .paper = r->paper,
					 .home = r->paper->name,
					 .run = r,
					 .column = r->column };
		const char *options;

		if (r->digest || r->before[RUN_CLOSED])
			continue;
		options = run_options(&s, e);
		bad = !options;
		if (!bad)
			buf_printf(&text, "%s %s %s\n", r->paper->name, r->variant, options);
	}
	if (!bad)
		bad = output_all(text_print(p->a, "%soptions", p->folder), 0, text.data, text.n, e);
	buf_release(&text);
	return bad ? -1 : 0;
}

/* Name, title, authors, main sections and lead figure of all papers, for the overview. */
static int
write_papers(struct plan *p, struct err *e)
{
	struct buf text = { 0 };
	int bad;

	buf_add_str(&text, "");
	for (size_t i = 0; i < p->n_papers; i++) {
		const struct scope s = { .p = p, .paper = &p->paper[i], .home = p->paper[i].name };
		const char *title = setting(&s, "title", e),
			   *by = title ? setting(&s, "by", e) : NULL;
		const char *main = by ? setting(&s, "main", e) : NULL;
		const char *lead = main ? setting(&s, "lead", e) : NULL;

		if (!lead) {
			buf_release(&text);
			return -1;
		}
		buf_printf(&text, "%s\t%s\t%s\t%s\t%s\n", p->paper[i].name, title,
			   *by ? by : "-", main, *lead ? lead : "claims");
	}
	bad = output_all(text_print(p->a, "%spapers", p->folder), 0, text.data, text.n, e);
	buf_release(&text);
	return bad ? -1 : 0;
}

/* The rules of what the benchmark of measures reads, for the models MODEL. */
static int
write_benchmark(struct writer *w)
{
	const char *form;
	struct thing t;

	if (need_benchmark(w, &form) || write_data(w))
		return -1;
	thing_init(&t, w);
	thing_set(&t, "texts", text_files(w));
	thing_set(&t, "form", form);
	return thing_write(w, &t, "benchmark");
}

static bool
is_benchmark(const struct plan *p)
{
	const struct keyfile_entry *model = keyfile_given(&p->conf, "MODEL");

	return model && *model->value;
}

int
stages_write(struct plan *p, struct buf *out, struct err *e)
{
	struct writer w = { .p = p, .out = out, .e = e };
	int bad;

	buf_add_str(out, "# Written by heed-plan from src/stages.in, src/papers and "
			 "src/forms.conf: every file that "
			 "is made, and how.\n\n");
	bad = read_templates(&w);
	if (!bad && is_benchmark(p)) {
		bad = write_benchmark(&w);
		free(w.block);
		return bad ? -1 : 0;
	}
	bad = bad || (!p->draw && (need_columns(&w) || need_runs(&w))) || need_results(&w) ||
	      (!p->draw && (write_data(&w) || write_runs(&w))) || write_results(&w) ||
	      write_goals(&w);
	free(w.block);
	if (!bad)
		bad = write_options(p, e) || write_papers(p, e);
	if (!bad && p->draw)
		warn_of_drawing(p);
	return bad ? -1 : 0;
}
