/* parses: see parses.h. */
#include "trees/parses.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "stream/cells.h"
#include "trees/ptb.h"
#include "trees/record-deps.h"

enum form { CONLLU, PTB, STREAM, HEADS, NOTHING };

struct parses {
	unsigned has;
	bool tolerant;
	char *name;
	struct conllu_reader *conllu;	/* exactly one of the four readers is not NULL */
	struct ptb_reader *ptb;
	struct reader *stream;
	struct input *heads;
	struct side_fields field;	/* of the stream */
	struct record *record;
	struct dep_sentence deps;
	struct tree tree;
	const char **word;
	int n;
	size_t room;
	const char **surface, **token;	/* of the words of deps */
	size_t surface_room, token_room;
	struct buf where;
	int *head;			/* of the words of deps */
	size_t head_room;
};

/* The format of a file: only trees begin with a bracket.  -1 on error. */
static int
parses_look_at(struct input *input, struct err *e)
{
	const int stream = stream_ahead(input, e);
	int first;

	if (stream)
		return stream < 0 ? -1 : STREAM;
	first = ptb_first(input, e);
	return first < 0 ? -1 : first == '(' ? PTB : first ? CONLLU : NOTHING;
}

static int
parses_open_stream(struct parses *p, struct input *input, const char *side, struct err *e)
{
	const struct field needs[] = { { side, "str", 0 }, { 0 } };
	const struct header *h;
	const struct side_fields *f = &p->field;

	p->stream = reader_open_input(input, "sentence", needs, e);
	if (!p->stream)
		return -1;
	p->field = *side_fields_of(side);
	h = reader_header(p->stream);
	p->has = (header_type(h, f->heads) ? PARSES_DEPS : 0) |
		 (header_type(h, f->tree) ? PARSES_TREES : 0);
	if (p->has)
		return 0;
	err_set(e, EXIT_INPUT, "%s has neither %s nor %s", p->name, f->heads, f->tree);
	err_hint(e, "run parse(1) first");
	return -1;
}

static int
open_as(struct parses *p, enum form form, struct input *input, const char *side, struct err *e)
{
	if (form == STREAM)
		return parses_open_stream(p, input, side, e);
	p->has = (form == PTB ? 0 : PARSES_DEPS) |
		 (form == PTB || form == NOTHING ? PARSES_TREES : 0);
	if (form == PTB)
		p->ptb = ptb_from(input, PTB_KEEP_FUNCTIONS);
	else if (form == HEADS)
		p->heads = input;
	else
		p->conllu = conllu_from(input);
	return 0;
}

struct parses *
parses_from(struct input *input, const char *side, struct err *e)
{
	const int form = side ? parses_look_at(input, e) : HEADS;
	struct parses *p;

	if (form < 0) {
		input_close(input);
		return NULL;
	}
	p = xcalloc(1, sizeof(*p));
	p->name = xstrdup(input_name(input));
	if (!open_as(p, (enum form)form, input, side, e))
		return p;
	parses_close(p);
	return NULL;
}

struct parses *
parses_open(const char *path, const char *side, struct err *e)
{
	struct input *in = input_open(path, INPUT_UTF8, e);

	return in ? parses_from(in, side, e) : NULL;
}

void
parses_tolerate(struct parses *p)
{
	p->tolerant = true;
	if (p->conllu)
		conllu_tolerate(p->conllu);
	if (p->ptb)
		ptb_tolerate(p->ptb);
}

void
parses_close(struct parses *p)
{
	if (!p)
		return;
	input_close(p->heads);
	conllu_close(p->conllu);
	ptb_close(p->ptb);
	reader_close(p->stream);
	dep_sentence_release(&p->deps);
	tree_release(&p->tree);
	buf_release(&p->where);
	free(p->head);
	free(p->word);
	free(p->surface);
	free(p->token);
	free(p->name);
	free(p);
}

unsigned
parses_has(const struct parses *p)
{
	return p->has;
}

bool
parses_is_stream(const struct parses *p)
{
	return p->stream;
}

const char *
parses_name(const struct parses *p)
{
	return p->name;
}

static void
parses_add_word(struct parses *p, const char *s)
{
	p->word = mem_grow(p->word, &p->room, (size_t)p->n + 1, sizeof(*p->word));
	p->word[p->n++] = s;
}

static void
words_of_tree(struct parses *p)
{
	for (int i = 0; i < p->tree.n; i++)
		if (p->tree.node[i].leaf)
			parses_add_word(p, p->tree.node[i].label);
}

static void
words_of_deps(struct parses *p)
{
	const size_t n = (size_t)p->deps.n;

	p->surface = mem_grow(p->surface, &p->surface_room, n, sizeof(*p->surface));
	p->token = mem_grow(p->token, &p->token_room, n, sizeof(*p->token));
	for (int i = 0; i < p->deps.n; i++) {
		parses_add_word(p, p->deps.word[i].form);
		p->surface[i] = p->deps.word[i].surface;
		p->token[i] = p->deps.word[i].token;
	}
}

static int
parses_take_tree(struct parses *p, struct err *e)
{
	if (record_tree(p->record, p->field.tree, &p->tree, e))
		return -1;
	if (p->tree.n_words != p->deps.n && !(p->tolerant && !p->tree.n))
		return err_set(e, EXIT_INPUT, "%s has %d words, %s has %d", p->field.tree,
			       p->tree.n_words, p->field.text, p->deps.n);
	return 0;
}

/* With parses_tolerate(), a record may lack the field. */
static bool
wanted(const struct parses *p, unsigned kind, const char *field)
{
	return p->has & kind && !(p->tolerant && !record_has(p->record, field));
}

static int
parses_take_record(struct parses *p, struct err *e)
{
	const struct record *rec = p->record;

	if (record_words(rec, p->field.text, &p->deps, e))
		return -1;
	tree_clear(&p->tree);
	if (wanted(p, PARSES_DEPS, p->field.heads) &&
	    (record_heads(rec, p->field.heads, &p->deps, e) ||
	     (record_has(rec, p->field.rels) &&
	      record_column(rec, p->field.rels, DEP_REL, &p->deps, e)) ||
	     (record_has(rec, p->field.upos) &&
	      record_column(rec, p->field.upos, DEP_UPOS, &p->deps, e))))
		return -1;
	return wanted(p, PARSES_TREES, p->field.tree) ? parses_take_tree(p, e) : 0;
}

static int
parses_next_record(struct parses *p, struct err *e)
{
	const int more = reader_next(p->stream, &p->record, e);

	if (more > 0 && parses_take_record(p, e))
		return err_wrap(e, "%s", reader_where(p->stream));
	return more;
}

static int
take_heads(struct dep_sentence *s, const char *line, size_t n, struct err *e)
{
	struct str rest = { line, n }, word;
	struct err bad;
	int64_t head;

	while (word_next(&rest, &word)) {
		if (num_int(word.s, word.n, 0, INT32_MAX - 1, &head, &bad))
			return err_set(e, EXIT_INPUT, "head %d: %s", s->n + 1, bad.text);
		dep_sentence_add(s, "_", 1)->head = (int)head;
	}
	s->has_heads = true;
	return 0;
}

/* With parses_tolerate(), the error becomes the fault of the sentence. */
static int
parses_check_heads(struct parses *p, struct err *e)
{
	struct dep_sentence *s = &p->deps;

	p->head = mem_grow(p->head, &p->head_room, (size_t)s->n, sizeof(*p->head));
	for (int i = 0; i < s->n; i++)
		p->head[i] = s->word[i].head;
	if (!dep_check(p->head, s->n, e))
		return 0;
	err_wrap(e, "%s", parses_where(p));
	if (!p->tolerant)
		return -1;
	s->has_heads = false;
	s->fault = texts_add(&s->texts, e->text, strlen(e->text));
	return 0;
}

static int
next_heads(struct parses *p, struct err *e)
{
	const char *line;
	size_t n;
	const int more = input_line(p->heads, &line, &n, e);

	if (more <= 0)
		return more;
	dep_sentence_clear(&p->deps);
	p->deps.line = input_line_number(p->heads);
	if (take_heads(&p->deps, line, n, e))
		return err_wrap(e, "%s", parses_where(p));
	return parses_check_heads(p, e) ? -1 : 1;
}

int
parses_next(struct parses *p, struct err *e)
{
	int more;

	p->n = 0;
	if (p->heads)
		return next_heads(p, e);
	if (p->ptb)
		more = ptb_next(p->ptb, &p->tree, e);
	else if (p->conllu)
		more = conllu_next(p->conllu, &p->deps, e);
	else
		more = parses_next_record(p, e);
	if (more > 0 && p->ptb)
		words_of_tree(p);
	else if (more > 0)
		words_of_deps(p);
	return more;
}

const struct dep_sentence *
parses_deps(const struct parses *p)
{
	return p->has & PARSES_DEPS && p->deps.has_heads ? &p->deps : NULL;
}

const struct tree *
parses_tree(const struct parses *p)
{
	return p->has & PARSES_TREES && (p->tree.n || !p->tolerant) ? &p->tree : NULL;
}

const char *
parses_fault(const struct parses *p)
{
	return p->deps.fault;
}

const struct record *
parses_record(const struct parses *p)
{
	return p->stream ? p->record : NULL;
}

const char *const *
parses_words(const struct parses *p, int *n)
{
	*n = p->heads ? p->deps.n : p->n;
	return p->heads ? NULL : p->word;
}

const char *const *
parses_surfaces(const struct parses *p, int *n)
{
	const char *const *words = parses_words(p, n);

	return words && p->has & PARSES_DEPS ? p->surface : words;
}

const char *const *
parses_tokens(const struct parses *p)
{
	return p->conllu ? p->token : NULL;
}

static const char *
where_line(struct parses *p, int64_t line)
{
	buf_clear(&p->where);
	buf_printf(&p->where, "%s: line %" PRId64, p->name, line);
	return p->where.data;
}

const char *
parses_where(struct parses *p)
{
	if (p->stream)
		return reader_where(p->stream);
	return where_line(p, p->ptb ? ptb_line(p->ptb) : p->deps.line);
}

const char *
parses_where_word(struct parses *p, int word)
{
	return p->conllu && word < p->n ? where_line(p, conllu_line(p->conllu, word))
					: parses_where(p);
}
