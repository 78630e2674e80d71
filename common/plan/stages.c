/* stages: the templates of src/stages.in, and the rules that they become; see plan.h. */
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "plan/plan.h"
#include "stream/input.h"

/* --- templates --- */

/* "each KIND..." or "each KIND... with NAME" */
static void
begin_block(struct plan *p, const char *line, const char *place)
{
	const char *with = strstr(line, " with ");
	const size_t n = with ? (size_t)(with - line) : strlen(line);

	p->block = mem_grow(p->block, &p->blocks_room, p->n_blocks + 1, sizeof(*p->block));
	p->block[p->n_blocks++] = (struct block){
		.kinds = text_print(p->a, "%.*s ", (int)n - 4, line + 4),
		.with = with ? with + 6 : NULL,
		.place = place,
	};
}

/* "let NAME = TEXT": a definition, without line ends. */
static void
add_let(struct plan *p, const char *line, const char *place)
{
	struct var *v = arena_get(p->a, sizeof(*v));
	struct buf text = { 0 };
	const size_t n = strcspn(line, " =");

	v->name = text_copy(p->a, line, n);
	line += n + strspn(line + n, " ");
	if (!n || *line != '=')
		fault(p, EXIT_INPUT, "%s: expected let NAME = TEXT", place);
	else if (name_known(v->name))
		fault(p, EXIT_INPUT, "%s: {%s} stands for something that is made", place, v->name);
	for (line += strspn(line, "= "); *line; line++)
		if (line[0] == '\\' && line[1] == '\n')
			line += 1 + strspn(line + 2, " \t");
		else
			buf_add_char(&text, *line);
	v->value = text_take(p->a, &text);
	v->next = p->lets;
	p->lets = v;
}

/* A line, with its continuations; in a block until the next empty line. */
static void
add_template(struct plan *p, const char *line, const char *place, bool *open)
{
	if (has_prefix(line, "let "))
		add_let(p, line + 4, place);
	else if (!*line)
		*open = false;
	else if (has_prefix(line, "each "))
		begin_block(p, line, place), *open = true;
	else if (*open)
		list_add(p->a, &p->block[p->n_blocks - 1].lines, line);
	else if (*line != '#')
		fault(p, EXIT_INPUT, "%s: '%.60s', expected each KIND before it", place, line);
}

void
stages_read(struct plan *p)
{
	const char *path = text_print(p->a, "%ssrc/stages.in", p->top), *place = "";
	struct list lines = { .n = 0 };
	struct buf text = { 0 };
	bool open = false;

	p->bad = lines_read(p->a, path, INPUT_UTF8, &lines, p->e);
	for (size_t i = 0; i < lines.n; i++) {
		const size_t n = strlen(lines.s[i]);

		if (!text.n)
			place = text_print(p->a, "%s:%zu", path, i + 1);
		buf_add(&text, lines.s[i], n);
		if (n && lines.s[i][n - 1] == '\\')
			buf_add_char(&text, '\n');
		else
			add_template(p, text_take(p->a, &text), place, &open);
	}
	buf_release(&text);
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

/* Expands "WORD FILE ... = TEXT", divided at its first " = ". */
static struct list
files_and_text(const struct scope *s, const char *line, const char **text)
{
	const char *is = strstr(line, " = ");
	struct scope plain = *s;

	plain.rule = false;
	line = strchr(line, ' ') + 1;
	*text = expanded(&plain, is ? is + 3 : "");
	return list_words(s->p->a,
			  expanded(&plain, is ? text_copy(s->p->a, line, (size_t)(is - line))
					      : line));
}

/* A file with settings: a rule if its text is another. */
static void
write_settings(const struct scope *s, struct buf *out, const char *line)
{
	struct scope quoted = *s;
	const char *text;
	const struct list files = files_and_text(s, line, &text);

	if (s->p->bad || file_has_words(s->p->a, files.s[0], text))
		return;
	scope_set(&quoted, "text", text);
	quoted.rule = true;
	buf_printf(out, "%s: force\n\t@$(rewrite) ", files.s[0]);
	expand(&quoted, "{'text}\n", out);
}

/*
 * A file that is made from models or data: false if it is up to date, or if draw leaves it out;
 * else {sign} is the command that writes FILE.of.
 */
static bool
check_signed(struct scope *s, struct buf *out, const char *line)
{
	struct plan *p = s->p;
	struct scope plain = *s;
	const char *how, *want = "", *of;
	struct list runs = files_and_text(s, line, &how);
	const char *file = runs.n ? runs.s[0] : "";
	bool kept = true;

	if (p->bad)
		return false;
	runs.s++, runs.n--;
	for (size_t i = 0; i < runs.n; i++) {
		const struct run *r = plan_run(p, runs.s[i]);

		kept = kept && r && r->digest;
		want = text_print(p->a, "%s %s", want, kept ? r->digest : "");
	}
	of = text_print(p->a, "%s.of", file);
	if (kept && !access(file, F_OK) &&
	    file_has_words(p->a, of, text_print(p->a, "%s %s", want, how)))
		return false;
	if (p->draw) {
		list_add(p->a, &p->left_out, file);
		return false;
	}
	plain.rule = false;
	scope_set(&plain, "text", how);
	scope_set(s, "sign",
		  text_print(p->a, "echo $(sed -n 's/^digest\\t//p' %s /dev/null) %s > %s",
			     records_of(p, &runs), expanded(&plain, "{'text}"), of));
	buf_printf(out, ".PHONY: %s\n", file);
	return true;
}

/* With draw, a file that needs one that is left out is left out, too. */
static bool
is_dropped(struct plan *p, const char *rule)
{
	const char *colon = *rule == '\t' ? NULL : strstr(rule, ": ");
	const struct list needs = list_words(p->a, colon ? colon + 2 : "");
	bool dropped = false;

	for (size_t i = 0; i < needs.n && p->draw; i++)
		dropped = dropped || list_has(&p->left_out, needs.s[i]) ||
			  list_has(&p->dropped, needs.s[i]);
	if (dropped)
		list_add(p->a, &p->dropped, text_copy(p->a, rule, (size_t)(colon - rule)));
	return dropped;
}

static void
write_block(struct scope scope, struct buf *out, const struct block *b)
{
	struct buf text = { 0 };

	for (size_t i = 0; i < b->lines.n; i++) {
		const char *line = b->lines.s[i];

		buf_clear(&text);
		if (has_prefix(line, "settings ")) {
			write_settings(&scope, out, line);
		} else if (has_prefix(line, "signed ")) {
			if (!check_signed(&scope, out, line))
				break;
		} else {
			expand(&scope, line, &text);
			if (is_dropped(scope.p, text.data))
				break;
			if (text.data[strspn(text.data, "\t @")]) {
				add_tidy(out, text.data);
				buf_add_char(out, '\n');
			}
		}
	}
	buf_release(&text);
}

void
stage_write(const struct scope *s, struct buf *out, const char *kind)
{
	const char *word = text_print(s->p->a, " %s ", kind);
	struct scope own = *s;

	own.rule = true;
	for (size_t i = 0; i < s->p->n_blocks; i++) {
		const struct block *b = &s->p->block[i];

		own.place = b->place;
		if (strstr(b->kinds, word) &&
		    (!b->with || *expanded(&own, text_print(s->p->a, "{%s}", b->with))))
			write_block(own, out, b);
	}
	buf_add_char(out, '\n');
}
