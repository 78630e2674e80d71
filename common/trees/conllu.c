/* conllu: see conllu.h; the format: https://universaldependencies.org/format.html */
#include "trees/conllu.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "stream/cells.h"

#define SHOWN 40	/* bytes of a text in a message */

enum column { ID, FORM, LEMMA, UPOS, XPOS, FEATS, HEAD, DEPREL, DEPS, MISC, COLUMNS };

static const char *const column_name[COLUMNS] = {
	"ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC"
};

struct conllu_reader {
	struct input *in;
	struct buf doc;
	bool in_doc;
	bool tolerant;
	int range_begin, range_end;	/* words of the last multi-word token; 0 without one */
	const char *range_text;		/* its text; NULL if the file has _ */
	int64_t *line;		/* of each word */
	int *head;
	size_t line_room, head_room;
};

void
dep_sentence_release(struct dep_sentence *s)
{
	free(s->word);
	texts_release(&s->texts);
	*s = (struct dep_sentence){ .n = 0 };
}

void
dep_sentence_clear(struct dep_sentence *s)
{
	texts_clear(&s->texts);
	*s = (struct dep_sentence){ .word = s->word, .room = s->room, .texts = s->texts };
}

struct dep_word *
dep_sentence_add(struct dep_sentence *s, const char *form, size_t n)
{
	struct dep_word *w;

	if (s->n == INT_MAX)
		bug("a sentence of %d words", s->n);
	s->word = mem_grow(s->word, &s->room, (size_t)s->n + 1, sizeof(*s->word));
	w = &s->word[s->n++];
	*w = (struct dep_word){ .upos = "_", .xpos = "_", .rel = "_" };
	w->form = w->surface = texts_add(&s->texts, form, n);
	return w;
}

/* The arguments of "%.*s" for the beginning of a cell in a message. */
#define SHOW(c) ((c).n < SHOWN ? (int)(c).n : SHOWN), (c).s

/* These columns become labels in brackets, which cannot have spaces. */
static int
check_blanks(const struct input *input, const struct str *cell, struct err *e)
{
	static const enum column label[] = { UPOS, XPOS, DEPREL };

	for (size_t i = 0; i < sizeof(label) / sizeof(*label); i++)
		if (memchr(cell[label[i]].s, ' ', cell[label[i]].n))
			return input_error(input, e, "a space in column %d (%s), expected none",
					   label[i] + 1, column_name[label[i]]);
	return 0;
}

static int
conllu_split(const struct input *input, const char *s, size_t n, struct str *cell, struct err *e)
{
	struct str rest = { s, n }, c;
	int i;

	for (i = 0; cell_next(&rest, &c); i++)
		if (i < COLUMNS)
			cell[i] = c;
	if (i != COLUMNS)
		return input_error(input, e, "%d column%s, expected %d separated by tabs", i,
				   i == 1 ? "" : "s", COLUMNS);
	for (i = 0; i < COLUMNS; i++)
		if (!cell[i].n)
			return input_error(input, e, "column %d (%s) is empty, expected at least _",
					   i + 1, column_name[i]);
	return check_blanks(input, cell, e);
}

static bool
conllu_number(const char *s, size_t n, int min, int max, int *v)
{
	struct err e;
	int64_t wide = 0;

	if (!n || *s < '0' || *s > '9' || num_int(s, n, min, max, &wide, &e))
		return false;
	*v = (int)wide;
	return true;
}

/* "3-4" or "8.1": the numbers before and after the mark. */
static bool
two_numbers(struct str c, char mark, int *a, int *b)
{
	const char *at = memchr(c.s, mark, c.n);

	return at && conllu_number(c.s, (size_t)(at - c.s), 0, INT_MAX - 1, a) &&
	       conllu_number(at + 1, (size_t)(c.s + c.n - at) - 1, 1, INT_MAX - 1, b);
}

static int
take_range(struct conllu_reader *r, struct dep_sentence *s, const struct str *c, struct err *e)
{
	const struct str id = c[ID], form = c[FORM];
	int a, b;

	if (!two_numbers(id, '-', &a, &b) || a != s->n + 1 || b < a)
		return input_error(r->in, e, "ID %.*s, expected a range from word %d", SHOW(id),
				   s->n + 1);
	if (a <= r->range_end)
		return input_error(r->in, e, "ID %.*s, but the previous token ends with word %d",
				   SHOW(id), r->range_end);
	r->range_begin = a;
	r->range_end = b;
	r->range_text = str_is(form, "_") ? NULL : texts_add(&s->texts, form.s, form.n);
	s->ranges++;
	return 0;
}

/* Sets the texts of the words of a multi-word token, after its last word was read. */
static void
end_range(const struct conllu_reader *r, struct dep_sentence *s)
{
	struct dep_word *w = &s->word[r->range_begin - 1];
	const char *left = r->range_text;

	for (int i = 0; i <= r->range_end - r->range_begin; i++) {
		const size_t n = strlen(w[i].form);

		w[i].token = i ? "" : r->range_text;
		left = left && !strncmp(left, w[i].form, n) ? left + n : NULL;
	}
	if (left && !*left)
		return;
	for (int i = 0; i <= r->range_end - r->range_begin; i++)
		w[i].surface = i ? "" : r->range_text;
}

static int
take_empty(struct conllu_reader *r, struct dep_sentence *s, struct str id, struct err *e)
{
	int a, b;

	if (!two_numbers(id, '.', &a, &b) || a != s->n)
		return input_error(r->in, e,
				   "ID %.*s, expected an empty node after word %d, such as %d.1",
				   SHOW(id), s->n, s->n);
	s->empties++;
	return 0;
}

static int
conllu_take_head(struct conllu_reader *r, struct dep_sentence *s, struct str head, struct err *e)
{
	const bool has = !str_is(head, "_");
	int v = 0;

	if (has && !conllu_number(head.s, head.n, 0, INT_MAX - 1, &v))
		return input_error(r->in, e, "HEAD %.*s, expected a number or _", SHOW(head));
	if (s->n > 1 && has != s->has_heads && !s->fault) {
		input_error(r->in, e, "HEAD %.*s, but the previous words have %s", SHOW(head),
			    has ? "no heads" : "one");
		if (!r->tolerant)
			return -1;
		s->fault = texts_add(&s->texts, e->text, strlen(e->text));
	}
	s->has_heads = has && !s->fault;
	s->word[s->n - 1].head = v;
	return 0;
}

static int
take_word(struct conllu_reader *r, struct dep_sentence *s, const struct str *c, struct err *e)
{
	const size_t i = (size_t)s->n;
	struct dep_word *w;
	int id;

	if (!conllu_number(c[ID].s, c[ID].n, 1, INT_MAX - 1, &id) || id != s->n + 1)
		return input_error(r->in, e, "ID %.*s, expected %d", SHOW(c[ID]), s->n + 1);
	w = dep_sentence_add(s, c[FORM].s, c[FORM].n);
	w->upos = texts_add(&s->texts, c[UPOS].s, c[UPOS].n);
	w->xpos = texts_add(&s->texts, c[XPOS].s, c[XPOS].n);
	w->rel = texts_add(&s->texts, c[DEPREL].s, c[DEPREL].n);
	r->line = mem_grow(r->line, &r->line_room, i + 1, sizeof(*r->line));
	r->line[i] = input_line_number(r->in);
	if (s->n == r->range_end && r->range_text)
		end_range(r, s);
	return conllu_take_head(r, s, c[HEAD], e);
}

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* The text at s without surrounding whitespace. */
static struct str
trim(const char *s)
{
	struct str c;

	while (is_blank(*s))
		s++;
	c = (struct str){ s, strlen(s) };
	while (c.n && is_blank(s[c.n - 1]))
		c.n--;
	return c;
}

/* Is the comment "key = value", with any whitespace around the parts? */
static bool
comment_value(struct str comment, const char *key, struct str *value)
{
	const size_t n = strlen(key);
	struct str rest;

	if (strncmp(comment.s, key, n))
		return false;
	rest = trim(comment.s + n);
	if (*rest.s != '=')
		return false;
	*value = trim(rest.s + 1);
	return true;
}

static void
take_comment(struct conllu_reader *r, struct dep_sentence *s, const char *line)
{
	const struct str comment = trim(line + 1);
	struct str value;

	if (comment_value(comment, "sent_id", &value))
		s->id = texts_add(&s->texts, value.s, value.n);
	if (comment_value(comment, "newdoc id", &value)) {
		buf_clear(&r->doc);
		buf_add(&r->doc, value.s, value.n);
		r->in_doc = s->new_doc = true;
	} else if (str_is(comment, "newdoc")) {
		r->in_doc = false;
		s->new_doc = true;
	}
}

static int
conllu_take_line(struct conllu_reader *r, struct dep_sentence *s, const char *line, size_t n,
		 struct err *e)
{
	struct str cell[COLUMNS];

	if (!s->line)
		s->line = input_line_number(r->in);
	if (line[0] == '#') {
		take_comment(r, s, line);
		return 0;
	}
	if (conllu_split(r->in, line, n, cell, e))
		return -1;
	if (memchr(cell[ID].s, '-', cell[ID].n))
		return take_range(r, s, cell, e);
	if (memchr(cell[ID].s, '.', cell[ID].n))
		return take_empty(r, s, cell[ID], e);
	return take_word(r, s, cell, e);
}

static int
check_tree(struct conllu_reader *r, const struct dep_sentence *s, struct err *e)
{
	int bad;

	r->head = mem_grow(r->head, &r->head_room, (size_t)s->n, sizeof(*r->head));
	for (int i = 0; i < s->n; i++)
		r->head[i] = s->word[i].head;
	bad = dep_fault(r->head, s->n, e);
	if (!bad)
		return 0;
	if (bad > 0)
		err_wrap(e, "word %d", bad);
	return err_wrap(e, "%s: line %" PRId64, input_name(r->in), r->line[bad > 0 ? bad - 1 : 0]);
}

static int
conllu_finish(struct conllu_reader *r, struct dep_sentence *s, struct err *e)
{
	if (r->range_end > s->n)
		return input_error(r->in, e, "the sentence ends with word %d, but its last "
				   "multi-word token with word %d", s->n, r->range_end);
	if (r->in_doc)
		s->doc = texts_add(&s->texts, r->doc.data, r->doc.n);
	if (s->fault || !s->has_heads || !check_tree(r, s, e))
		return 0;
	if (!r->tolerant)
		return -1;
	s->has_heads = false;
	s->fault = texts_add(&s->texts, e->text, strlen(e->text));
	return 0;
}

/* Reads the lines up to the next empty line: 1, 0 at the end, -1 on error. */
static int
conllu_read_block(struct conllu_reader *r, struct dep_sentence *s, struct err *e)
{
	const char *line;
	size_t n;
	int more;

	input_unit(r->in, "sentence");
	while ((more = input_line(r->in, &line, &n, e)) > 0 && n)
		if (conllu_take_line(r, s, line, n, e))
			return -1;
	return more;
}

/* A block of comments only is not a sentence. */
int
conllu_next(struct conllu_reader *r, struct dep_sentence *s, struct err *e)
{
	int more;

	do {
		dep_sentence_clear(s);
		r->range_end = 0;
		more = conllu_read_block(r, s, e);
		if (more < 0)
			return -1;
	} while (more && !s->n && !s->ranges && !s->empties);
	if (s->n)
		return conllu_finish(r, s, e) ? -1 : 1;
	return s->ranges || s->empties ? input_error(r->in, e, "a sentence without words") : 0;
}

struct conllu_reader *
conllu_from(struct input *input)
{
	struct conllu_reader *r = xcalloc(1, sizeof(*r));

	r->in = input;
	return r;
}

struct conllu_reader *
conllu_open_memory(const char *name, const void *p, size_t n, struct err *e)
{
	struct input *in = input_memory(name, p, n, INPUT_UTF8, e);

	return in ? conllu_from(in) : NULL;
}

void
conllu_tolerate(struct conllu_reader *r)
{
	r->tolerant = true;
}

int64_t
conllu_line(const struct conllu_reader *r, int word)
{
	return r->line[word];
}

void
conllu_close(struct conllu_reader *r)
{
	if (!r)
		return;
	input_close(r->in);
	buf_release(&r->doc);
	free(r->line);
	free(r->head);
	free(r);
}

void
conllu_write(const struct dep_sentence *s, struct buf *out)
{
	if (s->new_doc)
		buf_printf(out, "# newdoc%s%s\n", s->doc ? " id = " : "", s->doc ? s->doc : "");
	if (s->id)
		buf_printf(out, "# sent_id = %s\n", s->id);
	for (int i = 0; i < s->n; i++) {
		const struct dep_word *w = &s->word[i];

		buf_printf(out, "%d\t%s\t_\t%s\t%s\t_\t", i + 1, w->form, w->upos, w->xpos);
		if (s->has_heads)
			buf_printf(out, "%d\t%s\t_\t_\n", w->head, w->rel);
		else
			buf_add_str(out, "_\t_\t_\t_\n");
	}
	buf_add_char(out, '\n');
}
