/* trial-grid: see trial-grid.h. */
#include "tune/trial-grid.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/strmap.h"
#include "stream/input.h"
#include "text/lines.h"

struct reading {
	struct trial_grid *g;
	struct input *in;
	const struct train_table *table;
	const struct reserved *reserved;
	/* What a line of the current stage sets: the number of the line and of its alternative. */
	struct strmap set;
	struct set_at { int64_t line; size_t alternative; } *at;
	struct buf all;			/* all lines of the stage, as ", 3, 4" */
};

int
train_options_allowed(const struct train_options *o, const struct reserved *reserved, struct err *e)
{
	for (size_t i = 0; i < o->n; i++)
		for (const struct reserved *r = reserved; r->name && o->option[i].row; r++)
			if (!strcmp(o->option[i].row->name, r->name))
				return err_set(e, EXIT_USAGE, "%s among the options of nmt-train, "
					       "expected none: %s", r->name, r->why);
	return 0;
}

/* --- alternatives --- */

/* Notes that an alternative of this line sets something with this name. */
static int
note_setting(struct reading *r, size_t alternative, const char *name, struct err *e)
{
	const size_t n = r->set.n;
	const int i = strmap_add(&r->set, name, strlen(name));
	const struct set_at now = { input_line_number(r->in), alternative };

	if ((size_t)i == n)
		r->at = xreallocarray(r->at, n + 1, sizeof(*r->at));
	else if (r->at[i].line == now.line && r->at[i].alternative == alternative)
		return input_error(r->in, e, "%s twice in an alternative, expected once; is a | "
				   "missing?", name);
	else if (r->at[i].line != now.line)
		return input_error(r->in, e, "%s also in line %lld, expected one line of a stage",
				   name, (long long)r->at[i].line);
	r->at[i] = now;
	return 0;
}

/* An option sets its name, or with a value key=value,... each key. */
static int
note_option(struct reading *r, size_t alternative, const struct train_option *o, struct err *e)
{
	const char *value = o->value ? o->value : "";
	int bad;

	if (!o->row || (o->row->many && !o->row->keyed))
		return 0;
	if (!o->row->keyed)
		return note_setting(r, alternative, o->row->name, e);
	do {
		char *name = xasprintf("%s %.*s", o->row->name, (int)strcspn(value, "=,"), value);

		bad = note_setting(r, alternative, name, e);
		free(name);
		value += strcspn(value, ",");
	} while (!bad && *value++);
	return bad;
}

static int
check_alternative(struct reading *r, size_t alternative, const char *text, struct err *e)
{
	struct train_options o;
	int bad;

	if (!*text)
		return input_error(r->in, e, "empty alternative, expected options, or - for none");
	train_options_parse(&o, r->table, text);
	bad = train_options_allowed(&o, r->reserved, e);
	if (bad)
		input_error(r->in, e, "%s", e->text);
	for (size_t i = 0; !bad && i < o.n; i++)
		bad = note_option(r, alternative, &o.option[i], e);
	train_options_release(&o);
	return bad;
}

/* --- lines --- */

/* Replaces the combinations of the stage by their combinations with n alternatives. */
static int
trial_grid_combine(struct reading *r, const char *const *alternative, size_t n, struct err *e)
{
	struct trial_stage *s = &r->g->stage[r->g->n - 1];
	struct combination *more;
	struct buf b = { 0 };

	if (s->n > MAX_COMBINATIONS / n)
		return input_error(r->in, e, "more than %d combinations, expected fewer",
				   MAX_COMBINATIONS);
	more = xreallocarray(NULL, s->n * n, sizeof(*more));
	for (size_t i = 0; i < s->n; i++)
		for (size_t k = 0; k < n; k++) {
			const struct combination *old = &s->combination[i];
			const char *text = strcmp(alternative[k], "-") ? alternative[k] : "";
			struct combination *new = &more[i * n + k];

			buf_clear(&b);
			buf_printf(&b, "%s%s%s", old->options, *old->options && *text ? " " : "",
				   text);
			new->options = texts_add(&r->g->texts, b.data, b.n);
			buf_clear(&b);
			buf_add_str(&b, old->lines);
			if (k)
				buf_printf(&b, ", %lld", (long long)input_line_number(r->in));
			new->lines = texts_add(&r->g->texts, b.data, b.n);
		}
	buf_release(&b);
	free(s->combination);
	s->combination = more;
	s->n *= n;
	buf_printf(&r->all, ", %lld", (long long)input_line_number(r->in));
	return 0;
}

/* The text of n bytes without blanks at both ends. */
static const char *
trimmed_text(struct reading *r, const char *s, size_t n)
{
	line_trim(&s, &n);
	return texts_add(&r->g->texts, s, n);
}

static int
read_alternatives(struct reading *r, const char *line, struct err *e)
{
	const char **alternative = NULL;
	struct strmap seen = { 0 };
	size_t n = 0;
	int bad = 0;

	do {
		const size_t length = strcspn(line, "|");
		const char *text = trimmed_text(r, line, length);

		bad = check_alternative(r, n, text, e);
		alternative = xreallocarray(alternative, n + 1, sizeof(*alternative));
		alternative[n++] = text;
		if (!bad && (size_t)strmap_add(&seen, text, strlen(text)) != n - 1)
			bad = input_error(r->in, e, "'%s' twice, expected different alternatives",
					  text);
		line += length;
	} while (!bad && *line++);
	if (!bad)
		bad = trial_grid_combine(r, alternative, n, e);
	strmap_release(&seen);
	free(alternative);
	return bad;
}

/* Completes the current stage, if any: its lines become texts for messages. */
static int
end_stage(struct reading *r, struct err *e)
{
	struct trial_stage *s = r->g->n ? &r->g->stage[r->g->n - 1] : NULL;

	if (s && !r->all.n)
		return err_set(e, EXIT_INPUT, "%s: line %lld: stage %s without alternatives, "
			       "expected a line of options", input_name(r->in), (long long)s->line,
			       s->name);
	for (size_t i = 0; s && i < s->n; i++) {
		struct combination *c = &s->combination[i];
		const char *lines = (*c->lines ? c->lines : r->all.data) + 2;
		char *text = xasprintf("line%s %s", strchr(lines, ',') ? "s" : "", lines);

		c->lines = texts_add(&r->g->texts, text, strlen(text));
		free(text);
	}
	return 0;
}

/* name: the rest of the line. */
static int
begin_stage(struct reading *r, const char *name, struct err *e)
{
	struct trial_grid *g = r->g;
	struct trial_stage *s;

	name = trimmed_text(r, name, strlen(name));
	if (!*name || strchr(name, ' '))
		return input_error(r->in, e, "expected one name after stage");
	for (size_t i = 0; i < g->n; i++)
		if (!strcmp(g->stage[i].name, name))
			return input_error(r->in, e, "stage %s again, expected a new name", name);
	if (end_stage(r, e))
		return -1;
	g->stage = xreallocarray(g->stage, g->n + 1, sizeof(*g->stage));
	s = &g->stage[g->n++];
	*s = (struct trial_stage){ .name = name, .line = input_line_number(r->in), .n = 1 };
	s->combination = xmalloc(sizeof(*s->combination));
	s->combination[0] = (struct combination){ "", "" };
	strmap_clear(&r->set);
	buf_clear(&r->all);
	return 0;
}

static int
trial_grid_read_line(struct reading *r, const char *line, struct err *e)
{
	const char *text = line + strspn(line, " \t");

	if (!*text || *text == '#')
		return 0;
	for (const char *s = line; *s; s++)
		if (*s == '"' || *s == '\\' || (unsigned char)*s < ' ' || *s == 127)
			return input_error(r->in, e, "quote, backslash, tab or other control "
					   "character, expected none");
	if (!strncmp(text, "stage", 5) && (!text[5] || text[5] == ' '))
		return begin_stage(r, text + 5, e);
	if (!r->g->n)
		return input_error(r->in, e, "options before the first stage, expected stage NAME");
	return read_alternatives(r, text, e);
}

/* Takes ownership of in.  If it is NULL, e holds the reason already. */
static int
trial_grid_read_all(struct trial_grid *g, struct input *input, const struct train_table *t,
		    const struct reserved *reserved, struct err *e)
{
	struct reading r = { .g = g, .in = input, .table = t, .reserved = reserved };
	const char *line;
	size_t n;
	int more = -1;

	*g = (struct trial_grid){ .n = 0 };
	while (input && (more = input_line(input, &line, &n, e)) > 0)
		if (trial_grid_read_line(&r, line, e)) {
			more = -1;
			break;
		}
	if (!more && !g->n)
		more = err_set(e, EXIT_INPUT, "%s: no stage, expected stage NAME",
			       input_name(input));
	if (!more)
		more = end_stage(&r, e);
	input_close(input);
	strmap_release(&r.set);
	free(r.at);
	buf_release(&r.all);
	return more;
}

int
trial_grid_read(struct trial_grid *g, const char *path, const struct train_table *t,
		const struct reserved *reserved, struct err *e)
{
	return trial_grid_read_all(g, input_open(path, INPUT_UTF8, e), t, reserved, e);
}

int
trial_grid_read_memory(struct trial_grid *g, const char *name, const void *p, size_t n,
		       const struct train_table *t, const struct reserved *reserved, struct err *e)
{
	return trial_grid_read_all(g, input_memory(name, p, n, INPUT_UTF8, e), t, reserved, e);
}

void
trial_grid_release(struct trial_grid *g)
{
	for (size_t i = 0; i < g->n; i++)
		free(g->stage[i].combination);
	free(g->stage);
	texts_release(&g->texts);
}
