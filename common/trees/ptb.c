/* ptb: see ptb.h. */
#include "trees/ptb.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text-line.h"
#include "base/utf8.h"

#define SHOWN 40	/* bytes of a word in a message */

enum { LOOK_AHEAD = 1 << 14 };

/* The text that is parsed: a field, or a line of a file; at is the position. */
struct span {
	const char *s;
	size_t n, at;
};

/* What may come next: a tree; a label; a first child; another child or the end of the phrase. */
enum place { OUTSIDE, LABEL, CHILD, MORE };

struct parser {
	unsigned flags;
	enum place place;
	struct buf word;	/* unescaped */
};

struct ptb_reader {
	struct input *in;
	struct parser p;
	struct span line;
	int64_t began;		/* the first line of the tree */
};

/* The error with the column; the callers add the line. */
static int
error_at(const struct span *l, struct err *e, const char *message, const char *expected)
{
	size_t column = 1;

	for (size_t i = 0; i < l->at; i++)
		column += ((unsigned char)l->s[i] & 0xc0) != 0x80;
	return err_set(e, EXIT_INPUT, "column %zu: %s, expected %s", column, message, expected);
}

static bool
ptb_is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool
ends_token(char c)
{
	return ptb_is_blank(c) || c == '(' || c == ')';
}

static size_t
token_length(const struct span *l)
{
	size_t n = 0;

	while (l->at + n < l->n && !ends_token(l->s[l->at + n]))
		n++;
	return n;
}

/* The bracket that the escape at s stands for, or 0. */
static char
bracket(const char *s, size_t n)
{
	static const char codes[] = "LRB(RRB)LCB{RCB}LSB[RSB]";

	if (n < 5 || s[0] != '-' || s[4] != '-')
		return 0;
	for (const char *c = codes; *c; c += 4)
		if (!memcmp(s + 1, c, 3))
			return c[3];
	return 0;
}

/* Replaces the escapes of brackets and, if `slashes` is true, \/ and \*. */
static void
ptb_replace(const char *s, size_t n, bool slashes, struct buf *out)
{
	buf_clear(out);
	for (size_t i = 0; i < n; i++) {
		const char c = bracket(s + i, n - i);

		if (slashes && s[i] == '\\' && i + 1 < n && (s[i + 1] == '/' || s[i + 1] == '*'))
			i++;
		buf_add_char(out, c ? c : s[i]);
		if (c)
			i += 4;
	}
}

void
ptb_unescape(const char *s, size_t n, struct buf *out)
{
	ptb_replace(s, n, true, out);
}

void
ptb_unescape_brackets(const char *s, size_t n, struct buf *out)
{
	ptb_replace(s, n, false, out);
}

size_t
ptb_category(const char *s, size_t n)
{
	size_t i = 1;

	if (n && s[0] == '-')
		return n;
	while (i < n && s[i] != '-' && s[i] != '=')
		i++;
	return i < n ? i : n;
}

void
ptb_strip(struct tree *t)
{
	for (int i = 0; i < t->n; i++) {
		struct tree_node *p = &t->node[i];
		const size_t n = strlen(p->label), kept = ptb_category(p->label, n);

		if (!p->leaf && kept < n)
			p->label = texts_add(&t->texts, p->label, kept);
	}
}

static bool
label_is(const struct tree *t, int node, const char *label)
{
	return !strcmp(t->node[node].label, label);
}

static int
take_open(struct parser *p, struct tree *t, const struct span *l, struct err *e)
{
	if (p->place == LABEL && t->n)
		return error_at(l, e, "a phrase without a label", "a label after '('");
	if (p->place == LABEL)
		tree_open(t, "", 0);
	p->place = LABEL;
	return 0;
}

static int
ptb_take_word(struct parser *p, struct tree *t, const struct span *l, size_t n, struct err *e)
{
	const char *s = l->s + l->at;
	char what[SHOWN + 32];

	if (memchr(s, '\0', n))
		return error_at(l, e, "a NUL byte", "text");
	if (p->place == OUTSIDE) {
		snprintf(what, sizeof(what), "'%.*s' outside of brackets",
			 n < SHOWN ? (int)n : SHOWN, s);
		return error_at(l, e, what, "'('");
	}
	if (p->place == LABEL) {
		tree_open(t, s, p->flags & PTB_KEEP_FUNCTIONS ? n : ptb_category(s, n));
		p->place = CHILD;
		return 0;
	}
	if (label_is(t, t->open, ""))
		return error_at(l, e, "a word in a phrase without a label", "a phrase");
	ptb_unescape(s, n, &p->word);
	tree_leaf(t, p->word.data, p->word.n);
	p->place = MORE;
	return 0;
}

/* "()", alone or as the only content of a phrase without a label. */
static bool
is_no_tree(const struct parser *p, const struct tree *t)
{
	return p->flags & PTB_NO_TREE && p->place == LABEL &&
	       (t->n == 0 || (t->n == 1 && label_is(t, 0, "")));
}

/* Closes a phrase, or drops it if it is a trace or contains only traces. */
static int
take_close(struct parser *p, struct tree *t, const struct span *l, struct err *e)
{
	if (p->place == OUTSIDE)
		return error_at(l, e, "')' that closes nothing", "'('");
	if (is_no_tree(p, t)) {
		p->place = t->n ? MORE : OUTSIDE;
		return 0;
	}
	if (p->place == LABEL)
		return error_at(l, e, "a phrase without a label", "a label after '('");
	if (p->place == CHILD)
		return error_at(l, e, "a phrase without children",
				"a word or a phrase after its label");
	if (t->open == t->n - 1 || label_is(t, t->open, "-NONE-"))
		tree_drop(t);
	else
		tree_close(t);
	p->place = t->open < 0 ? OUTSIDE : MORE;
	return 0;
}

static bool
is_wrapper(const struct tree *t, int node)
{
	const struct tree_node *child = &t->node[node + 1];

	if (node + 1 == t->n || child->leaf || child->last != t->n - 1)
		return false;
	return label_is(t, node, "") || label_is(t, node, "TOP") || label_is(t, node, "ROOT") ||
	       label_is(t, node, "VROOT");
}

static int
ptb_finish(const struct parser *p, struct tree *t, const struct span *l, struct err *e)
{
	int n = 0;

	if (!t->n_words && p->flags & PTB_NO_TREE)
		return 1;
	if (!t->n_words)
		return error_at(l, e, "a tree without words", "at least one");
	while (is_wrapper(t, n))
		n++;
	tree_unwrap(t, n);
	return 1;
}

/* Continues the tree: 1 when it is complete, 0 at the end of the text, -1 on error. */
static int
ptb_continue(struct parser *p, struct tree *t, struct span *l, struct err *e)
{
	while (l->at < l->n) {
		const char c = l->s[l->at];
		size_t n = 1;
		int bad = 0;

		if (t->n > INT_MAX - 2)
			return error_at(l, e, "a tree of two billion nodes", "fewer");
		if (c == '(')
			bad = take_open(p, t, l, e);
		else if (c == ')')
			bad = take_close(p, t, l, e);
		else if (!ptb_is_blank(c))
			bad = ptb_take_word(p, t, l, n = token_length(l), e);
		if (bad)
			return -1;
		l->at += n;
		if (c == ')' && p->place == OUTSIDE)
			return ptb_finish(p, t, l, e);
	}
	return 0;
}

static int
ptb_n_open(const struct parser *p, const struct tree *t)
{
	int n = p->place == LABEL;

	if (t->n)
		for (int i = t->open; i >= 0; i = t->node[i].parent)
			n++;
	return n;
}

struct ptb_reader *
ptb_from(struct input *input, unsigned flags)
{
	struct ptb_reader *r = xcalloc(1, sizeof(*r));

	r->in = input;
	r->p.flags = flags;
	return r;
}

struct ptb_reader *
ptb_open_memory(const char *name, const void *p, size_t n, unsigned flags, struct err *e)
{
	struct input *in = input_memory(name, p, n, INPUT_UTF8, e);

	return in ? ptb_from(in, flags) : NULL;
}

static bool
is_comment(const char *line, size_t n)
{
	while (n && ptb_is_blank(*line)) {
		line++;
		n--;
	}
	return n && (strchr("#;%", *line) || (n > 2 && !memcmp(line, "*x*", 3)));
}

/*
 * The first character of a line that is not a comment; 0 if there is none yet.  The last line may
 * be incomplete, unless the text has ended.
 */
static int
first_in_lines(const char *p, size_t n, bool ended)
{
	struct text_line line = text_lines(p, n);

	while (text_line_next(&line) && (line.ended || ended)) {
		size_t i = 0;

		while (i < line.n && ptb_is_blank(line.s[i]))
			i++;
		if (i < line.n && !is_comment(line.s, line.n))
			return (unsigned char)line.s[i];
	}
	return 0;
}

int
ptb_first(struct input *input, struct err *e)
{
	const int first = input_first(input, e);

	if (first <= 0 || !strchr("*#;%", first))
		return first;
	/* Doubles the distance each time, so as not to wait for bytes that are not needed. */
	for (size_t want = 64; want <= LOOK_AHEAD; want *= 2) {
		const char *p;
		const ptrdiff_t n = input_ahead(input, want, &p, e);
		const int after = n < 0 ? -1 : first_in_lines(p, (size_t)n, (size_t)n < want);

		if (after)
			return after;
		if ((size_t)n < want)
			break;
	}
	return first;
}

/* Reads the next line, and skips comments between trees: 1, 0 at the end, -1 on error. */
static int
ptb_next_line(struct ptb_reader *r, struct err *e)
{
	const bool between = r->p.place == OUTSIDE;
	int more;

	r->line.at = 0;
	do {
		if (between)
			input_unit(r->in, "tree");
		more = input_line(r->in, &r->line.s, &r->line.n, e);
	} while (more > 0 && between && is_comment(r->line.s, r->line.n));
	return more;
}

static int
ptb_at_end(struct ptb_reader *r, const struct tree *t, struct err *e)
{
	if (r->p.place == OUTSIDE)
		return 0;
	return err_set(e, EXIT_INPUT, "%s: line %" PRId64 ": the tree that begins here is not "
		       "closed at the end of the file, expected %d more ')'", input_name(r->in),
		       r->began, ptb_n_open(&r->p, t));
}

int
ptb_next(struct ptb_reader *r, struct tree *t, struct err *e)
{
	int done, more = 1;

	tree_clear(t);
	do {
		const bool fresh = r->p.place == OUTSIDE;

		done = ptb_continue(&r->p, t, &r->line, e);
		if (fresh)
			r->began = input_line_number(r->in);
		if (done < 0)
			return err_wrap(e, "%s: line %" PRId64, input_name(r->in),
					input_line_number(r->in));
	} while (!done && (more = ptb_next_line(r, e)) > 0);
	if (!more)
		return ptb_at_end(r, t, e);
	return done ? 1 : -1;
}

void
ptb_tolerate(struct ptb_reader *r)
{
	r->p.flags |= PTB_NO_TREE;
}

int64_t
ptb_line(const struct ptb_reader *r)
{
	return r->began;
}

void
ptb_close(struct ptb_reader *r)
{
	if (!r)
		return;
	input_close(r->in);
	buf_release(&r->p.word);
	free(r);
}

static int
parse_alone(struct parser *p, struct tree *t, struct span *l, struct err *e)
{
	const size_t valid = utf8_check(l->s, l->n);
	int done;

	if (valid < l->n)
		return err_set(e, EXIT_INPUT, "byte %zu (0x%02x) is not UTF-8", valid + 1,
			       (unsigned)(unsigned char)l->s[valid]);
	done = ptb_continue(p, t, l, e);
	if (done < 0)
		return -1;
	if (!done && p->place == OUTSIDE)
		return err_set(e, EXIT_INPUT, "no tree, expected '('");
	if (!done)
		return err_set(e, EXIT_INPUT, "a tree that is not closed, expected %d more ')'",
			       ptb_n_open(p, t));
	while (l->at < l->n && ptb_is_blank(l->s[l->at]))
		l->at++;
	return l->at == l->n ? 0 : error_at(l, e, "text after the tree", "the end");
}

int
ptb_parse(struct tree *t, const char *text, size_t n, unsigned flags, struct err *e)
{
	struct parser p = { .flags = flags };
	struct span l = { .s = text, .n = n };
	int bad;

	tree_clear(t);
	bad = parse_alone(&p, t, &l, e);
	buf_release(&p.word);
	return bad;
}
