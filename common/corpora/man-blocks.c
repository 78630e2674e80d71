/* man-blocks: see man-blocks.h. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text-line.h"
#include "base/utf8.h"
#include "corpora/man-blocks.h"
#include "corpora/man-reader.h"
#include "text/running-text.h"

void
man_page_init(struct man_page *p)
{
	memset(p, 0, sizeof(*p));
}

void
man_page_release(struct man_page *p)
{
	buf_release(&p->text);
	free(p->block);
	man_page_init(p);
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
	r->t.joined = false;
	r->link_text = true;
}

void
man_end_line(struct man_reader *r)
{
	if (r->one_line && !r->t.joined && r->t.text.n)
		man_end(r);
}

static void
text_line(struct man_reader *r, const char *s, size_t n)
{
	bool indented = n && (*s == ' ' || *s == '\t');

	if (!r->literal && !r->one_line && indented != r->indented) {
		man_end(r);
		r->kind = indented ? MAN_LITERAL : MAN_PARAGRAPH;
		r->indented = indented;
	}
	if (!n) {
		man_break(r);
		return;
	}
	man_begin_line(r);
	if (r->next_font)
		roff_text_font(&r->t, r->next_font);
	roff_text_add(&r->t, s, n);
	if (r->next_font)
		roff_text_font(&r->t, 'R');
	r->next_font = 0;
	man_end_line(r);
}

/* Splits a control line into the name of the macro and its arguments, *s and *n. */
static void
split_macro(const char **s, size_t *n, const char **name, size_t *name_n)
{
	const char *p = *s + 1, *end = *s + *n;

	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	*name = p;
	while (p < end && *p != ' ' && *p != '\t' && *p != '\\')
		p++;
	*name_n = (size_t)(p - *name);
	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	*n = (size_t)(end - p);
	*s = p;
}

/* The number of \{ minus the number of \}. */
static int
braces(const char *s, size_t n)
{
	size_t i;
	int depth = 0;

	for (i = 0; i + 1 < n; i++)
		if (s[i] == '\\') {
			i++;
			depth += (s[i] == '{') - (s[i] == '}');
		}
	return depth;
}

/*
 * Evaluates the condition at the start of *s and moves *s after it.  A test for a terminal (n)
 * and one for groff are true; all others are false.
 */
static bool
roff_condition(const char **s, size_t *n)
{
	const char *p = *s, *end = *s + *n;
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
	if (p > *s && p < end && *p != '\\' && *p != ' ' && *p != '\t' && *p != '.')
		while (p < end && *p != ' ' && *p != '\t')
			p++;
	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	*s = p;
	*n = (size_t)(end - p);
	return yes != no;
}

static bool
man_page_is(const char *name, size_t n, const char *word)
{
	return strlen(word) == n && !memcmp(name, word, n);
}

/* Evaluates .if, .ie and .el at the start of a line; false if nothing of the line remains. */
static bool
decide(struct man_reader *r, const char **s, size_t *n)
{
	for (;;) {
		const char *args = *s, *name;
		size_t args_n = *n, name_n;
		bool yes;

		if (!*n || (**s != '.' && **s != '\''))
			return true;
		split_macro(&args, &args_n, &name, &name_n);
		if (man_page_is(name, name_n, "el"))
			yes = r->otherwise;
		else if (man_page_is(name, name_n, "if") || man_page_is(name, name_n, "ie"))
			yes = roff_condition(&args, &args_n);
		else
			return true;
		if (name[1] == 'e')
			r->otherwise = !yes;
		if (!yes) {
			r->skip_braces = braces(args, args_n);
			return false;
		}
		if (args_n > 1 && args[0] == '\\' && args[1] == '{')
			for (args += 2, args_n -= 2; args_n && *args == ' '; args++)
				args_n--;
		*s = args;
		*n = args_n;
		if (!*n)
			return false;
	}
}

static void
man_page_one_line(struct man_reader *r, const char *s, size_t n)
{
	const char *name;
	size_t name_n, before = n;

	if (r->skip_braces > 0) {
		r->skip_braces += braces(s, n);
		return;
	}
	n = roff_before_comment(s, n);
	if ((before && !n) || !decide(r, &s, &n))
		return;
	if (!n || (*s != '.' && *s != '\'')) {
		text_line(r, s, n);
		return;
	}
	split_macro(&s, &n, &name, &name_n);
	if (name_n)
		man_macro(r, name, name_n, s, n);
}

/* Is the line inside a part that is skipped, such as a table or a macro definition? */
static bool
skipped(struct man_reader *r, const char *s, size_t n)
{
	const char *name;
	size_t name_n;

	if (!r->skip_to)
		return false;
	if (n && (*s == '.' || *s == '\'')) {
		split_macro(&s, &n, &name, &name_n);
		if (man_page_is(name, name_n, r->skip_to))
			r->skip_to = NULL;
	}
	return true;
}

/*
 * Is the line continued: has it an odd number of backslashes at its end and no comment?  s is
 * what the last line of the file added to it; before s is an even number, and no comment.
 */
static bool
is_continued(const char *s, size_t n)
{
	size_t i = n;

	while (i && s[i - 1] == '\\')
		i--;
	return (n - i) % 2 && roff_before_comment(s, n) == n;
}

static void
man_page_read_lines(struct man_reader *r, const char *s, size_t n)
{
	struct text_line line = text_lines(s, n);

	while (text_line_next(&line)) {
		const size_t len = line.n - (line.n && line.s[line.n - 1] == '\r');

		buf_add(&r->line, line.s, len);
		if (line.rest < line.end && is_continued(line.s, len)) {
			r->line.n--;
			continue;
		}
		if (!skipped(r, r->line.data, r->line.n))
			man_page_one_line(r, r->line.n ? r->line.data : "", r->line.n);
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
	buf_release(&r.url);
	buf_release(&r.name);
	return 0;
}
