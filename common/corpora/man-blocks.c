/* man-blocks: see man-blocks.h. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text-line.h"
#include "base/utf8.h"
#include "corpora/man-blocks.h"
#include "corpora/man-reader.h"
#include "stream/cells.h"
#include "text/running-text.h"

void
man_page_release(struct man_page *p)
{
	buf_release(&p->text);
	free(p->block);
	*p = (struct man_page){ .n = 0 };
}

/* The length of a bullet at the start of s, which DocBook writes where other pages use .IP. */
static size_t
bullet(const char *s)
{
	size_t n = strncmp(s, "•", 3) && strncmp(s, "·", 2) ? 0 : s[0] == '\xc2' ? 2 : 3;

	return n && s[n] == ' ' ? n + 1 : n;
}

void
man_end(struct man_reader *r)
{
	struct man_page *p = r->page;
	struct roff_text *t = &r->t;
	size_t from;

	running_text_trim(&t->text);
	from = t->text.n ? bullet(t->text.data) : 0;
	if (t->text.n > from) {
		p->block = mem_grow(p->block, &p->room, p->n + 1, sizeof(*p->block));
		p->block[p->n++] = (struct man_block){
			.kind = r->kind, .at = p->text.n, .n = t->text.n - from,
			.code = t->odd || r->kind == MAN_LITERAL || r->kind == MAN_TAG ||
				2 * t->marked >= t->letters,
		};
		buf_add(&p->text, t->text.data + from, t->text.n - from + 1);
	}
	roff_text_clear(t);
	r->kind = r->literal ? MAN_LITERAL : MAN_PARAGRAPH;
	r->one_line = r->indented = false;
}

void
man_break(struct man_reader *r)
{
	if (!r->literal)
		man_end(r);
}

void
man_begin(struct man_reader *r, enum man_kind kind, bool one_line)
{
	man_end(r);
	r->kind = kind;
	r->one_line = one_line;
}

void
man_literal(struct man_reader *r, bool on)
{
	man_end(r);
	r->literal = on;
	r->kind = on ? MAN_LITERAL : MAN_PARAGRAPH;
}

void
man_begin_line(struct man_reader *r)
{
	if (!r->t.joined)
		running_text_blank(&r->t.text);
	r->t.joined = r->unspaced;
	r->link_text = true;
}

void
man_end_line(struct man_reader *r)
{
	if (r->one_line && (!r->t.joined || r->unspaced) && r->t.text.n)
		man_end(r);
}

static void
man_text_line(struct man_reader *r, struct str s)
{
	bool indented = s.n && (*s.s == ' ' || *s.s == '\t');

	if (!r->literal && !r->one_line && indented != r->indented) {
		man_end(r);
		r->kind = indented ? MAN_LITERAL : MAN_PARAGRAPH;
		r->indented = indented;
	}
	if (!s.n) {
		man_break(r);
		return;
	}
	man_begin_line(r);
	if (r->next_font)
		roff_text_font(&r->t, r->next_font);
	roff_text_add(&r->t, s);
	if (r->next_font)
		roff_text_font(&r->t, 'R');
	r->next_font = 0;
	man_end_line(r);
}

static bool
is_control_line(struct str line)
{
	return line.n && (*line.s == '.' || *line.s == '\'');
}

/* Returns the name of the macro of a control line, and sets *args to its arguments. */
static struct str
split_macro(struct str line, struct str *args)
{
	const char *p = line.s + 1, *end = line.s + line.n, *name;
	size_t n;

	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	name = p;
	while (p < end && *p != ' ' && *p != '\t' && *p != '\\')
		p++;
	n = (size_t)(p - name);
	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	*args = (struct str){ p, (size_t)(end - p) };
	return (struct str){ name, n };
}

/* The number of \{ minus the number of \}. */
static int
braces(struct str s)
{
	int depth = 0;

	for (size_t i = 0; i + 1 < s.n; i++)
		if (s.s[i] == '\\') {
			i++;
			depth += (s.s[i] == '{') - (s.s[i] == '}');
		}
	return depth;
}

/*
 * Evaluates the condition at the start of *s and moves *s after it.  A test for a terminal (n)
 * and one for groff are true; all others are false.
 */
static bool
roff_condition(struct str *s)
{
	const char *p = s->s, *end = p + s->n;
	bool no = p < end && *p == '!', yes = false;

	p += no;
	if (p < end && strchr("ntoevdcrm", *p)) {
		yes = *p++ == 'n';
	} else if (p < end && (*p == '\'' || *p == '"')) {
		size_t i;

		for (i = 0; i < 2 && p; i++)
			p = memchr(p + 1, *p, (size_t)(end - p) - 1);
		p = p ? p + 1 : end;
	} else {
		yes = end - p > 4 && (!memcmp(p, "\\n(.g", 5) || !memcmp(p, "\\n[.g", 5));
		while (p < end && *p != ' ' && *p != '\t' &&
		       memcmp(p, "\\{", end - p > 1 ? 2 : 1))
			p += *p == '\\' && end - p > 1 && p[1] != '{' ? 2 : 1;
	}
	if (p > s->s && p < end && *p != '\\' && *p != ' ' && *p != '\t' && *p != '.')
		while (p < end && *p != ' ' && *p != '\t')
			p++;
	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	*s = (struct str){ p, (size_t)(end - p) };
	return yes != no;
}

/*
 * Evaluates .if, .ie and .el at the start of a line, and removes .nop, whose arguments are a line.
 * Returns false if nothing of the line remains.
 */
static bool
decide(struct man_reader *r, struct str *line)
{
	while (is_control_line(*line)) {
		struct str args, name = split_macro(*line, &args);
		bool yes;

		if (str_is(name, "el"))
			yes = r->otherwise;
		else if (str_is(name, "if") || str_is(name, "ie"))
			yes = roff_condition(&args);
		else if (str_is(name, "nop"))
			yes = true;
		else
			return true;
		if (name.s[1] == 'e')
			r->otherwise = !yes;
		if (!yes) {
			r->skip_braces = braces(args);
			return false;
		}
		if (args.n > 1 && args.s[0] == '\\' && args.s[1] == '{')
			for (args.s += 2, args.n -= 2; args.n && *args.s == ' '; args.s++)
				args.n--;
		*line = args;
		if (!line->n)
			return false;
	}
	return true;
}

static void
man_page_one_line(struct man_reader *r, struct str line)
{
	const bool empty = !line.n;

	if (r->skip_braces > 0) {
		r->skip_braces += braces(line);
		return;
	}
	line.n = roff_before_comment(line);
	if ((!empty && !line.n) || !decide(r, &line))
		return;
	if (!is_control_line(line)) {
		man_text_line(r, line);
		return;
	}
	texts_clear(&r->texts);
	r->macro = split_macro(line, &r->args);
	if (r->macro.n)
		man_macro(r);
}

/* Is the line inside a part that is skipped, such as a table or a macro definition? */
static bool
skipped(struct man_reader *r, struct str line)
{
	struct str args;

	if (!r->skip_to.n)
		return false;
	if (is_control_line(line) && str_is(split_macro(line, &args), r->skip_to.data))
		buf_clear(&r->skip_to);
	return true;
}

/*
 * Is the line continued: has it an odd number of backslashes at its end and no comment?  s is
 * what the last line of the file added to it; before s is an even number, and no comment.
 */
static bool
is_continued(struct str s)
{
	size_t i = s.n;

	while (i && s.s[i - 1] == '\\')
		i--;
	return (s.n - i) % 2 && roff_before_comment(s) == s.n;
}

static void
man_page_read_lines(struct man_reader *r, const char *s, size_t n)
{
	struct text_line l = text_lines(s, n);

	while (text_line_next(&l)) {
		struct str line = { l.s, l.n - (l.n && l.s[l.n - 1] == '\r') };

		buf_add(&r->line, line.s, line.n);
		if (l.rest < l.end && is_continued(line)) {
			r->line.n--;
			continue;
		}
		line = (struct str){ r->line.data, r->line.n };
		if (!skipped(r, line))
			man_page_one_line(r, line);
		buf_clear(&r->line);
	}
}

int
man_page_read(struct man_page *p, const char *s, size_t n, struct err *e)
{
	struct man_reader r = { .page = p, .kind = MAN_PARAGRAPH };
	size_t bad = utf8_check(s, n);

	if (bad < n)
		return err_set(e, EXIT_INPUT, "byte %zu is not UTF-8", bad + 1);
	if (n && memchr(s, 0, n))
		return err_set(e, EXIT_INPUT, "NUL byte in the page");
	buf_clear(&p->text);
	p->n = 0;
	roff_text_init(&r.t);
	man_page_read_lines(&r, s, n);
	man_end(&r);
	roff_text_release(&r.t);
	buf_release(&r.line);
	buf_release(&r.skip_to);
	buf_release(&r.url);
	buf_release(&r.name);
	texts_release(&r.texts);
	return 0;
}
