/* treebank: see treebank.h. */
#include "parser/treebank.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "parser/binary.h"
#include "stream/input.h"

struct adding { struct treebank *bank; struct bank_reader reader; struct arena scratch; };

void
treebank_init(struct treebank *b)
{
	memset(b, 0, sizeof(*b));
	arena_init(&b->mem, 0);
}

void
treebank_release(struct treebank *b)
{
	free(b->sentence);
	strmap_release(&b->form);
	for (int set = 0; set < LABEL_SETS; set++)
		strmap_release(&b->label[set]);
	arena_release(&b->mem);
}

static int
treebank_add_name(struct strmap *map, const char *text)
{
	return strmap_add(map, text, strlen(text));
}

/* The id of a label; -1 for "_" and NULL. */
static int
treebank_id_of(struct strmap *map, const char *text)
{
	return text && strcmp(text, "_") ? treebank_add_name(map, text) : -1;
}

static int *
new_ids(struct treebank *b, int n)
{
	return ARENA_ARRAY(&b->mem, int, n);
}

/* Without XPOS if the sentence also has a bracketed tree, whose tags are used instead. */
static void
take_conllu(struct treebank *b, const struct dep_sentence *d, bool xpos, struct sentence *s)
{
	s->tag[LABEL_UPOS] = new_ids(b, s->n);
	if (xpos)
		s->tag[LABEL_XPOS] = new_ids(b, s->n);
	if (d->has_heads) {
		s->head = new_ids(b, s->n);
		s->rel = new_ids(b, s->n);
	}
	for (int i = 0; i < s->n; i++) {
		const struct dep_word *w = &d->word[i];

		s->form[i] = treebank_add_name(&b->form, w->form);
		s->tag[LABEL_UPOS][i] = treebank_id_of(&b->label[LABEL_UPOS], w->upos);
		if (xpos)
			s->tag[LABEL_XPOS][i] = treebank_id_of(&b->label[LABEL_XPOS], w->xpos);
		if (d->has_heads) {
			s->head[i] = w->head;
			s->rel[i] = treebank_id_of(&b->label[LABEL_REL], w->rel);
		}
	}
}

/* The tags in brackets replace XPOS, because trees are written with them. */
static void
treebank_take_tree(struct adding *a, struct sentence *s)
{
	struct treebank *b = a->bank;
	const struct tree *t = &a->reader.tree;
	int n_spans = 2 * s->n - 1;
	struct binary_span *span = ARENA_ARRAY(&a->scratch, struct binary_span, n_spans);
	const char **tag = ARENA_ARRAY(&a->scratch, const char *, s->n);

	binary_spans(t, &a->scratch, span, tag);
	s->span = ARENA_ARRAY(&b->mem, struct gold_span, n_spans);
	for (int i = 0; i < n_spans; i++)
		s->span[i] = (struct gold_span){
			span[i].first, span[i].end,
			treebank_add_name(&b->label[LABEL_SPAN], span[i].label)
		};
	if (!s->tag[LABEL_XPOS])
		s->tag[LABEL_XPOS] = new_ids(b, s->n);
	for (int i = 0; i < s->n; i++)
		s->tag[LABEL_XPOS][i] = treebank_id_of(&b->label[LABEL_XPOS], tag[i]);
	for (int i = 0; !a->reader.conllu && i < t->n; i++)
		if (t->node[i].leaf)
			s->form[t->node[i].first] = treebank_add_name(&b->form, t->node[i].label);
	arena_rewind(&a->scratch);
}

static void
treebank_take(struct adding *a)
{
	const struct bank_reader *r = &a->reader;
	struct treebank *b = a->bank;
	struct sentence *s;
	int n = r->conllu ? r->dep.n : r->tree.n_words;

	if (!n)
		return;
	if (b->max_words && n > b->max_words) {
		b->too_long++;
		return;
	}
	b->sentence = mem_grow(b->sentence, &b->room, b->n + 1, sizeof(*b->sentence));
	s = &b->sentence[b->n++];
	*s = (struct sentence){ .n = n, .form = new_ids(b, n) };
	b->words += n;
	if (r->conllu)
		take_conllu(b, &r->dep, !r->ptb, s);
	if (r->ptb)
		treebank_take_tree(a, s);
}

/* Treebanks whose text may not be copied have _ in place of each word. */
static int
treebank_check_text(const struct treebank *b, size_t start, const char *files, struct err *e)
{
	const int none = strmap_find(&b->form, "_", 1);

	for (size_t i = start; i < b->n; i++)
		for (int k = 0; k < b->sentence[i].n; k++)
			if (b->sentence[i].form[k] != none)
				return 0;
	if (b->n == start)
		return 0;
	err_set(e, EXIT_INPUT, "%s: each word is _, expected a treebank with its text", files);
	err_hint(e, "the treebank's README says how to add the text");
	return -1;
}

int
treebank_read(struct treebank *b, const char *files, struct leave_out *leave_out, struct err *e)
{
	struct adding a = { .bank = b };
	const size_t from = b->n;
	int status;

	arena_init(&a.scratch, 0);
	status = bank_open(&a.reader, files, leave_out, e) ? -1 : 1;
	while (status > 0 && (status = bank_next(&a.reader, e)) > 0)
		treebank_take(&a);
	bank_close(&a.reader);
	arena_release(&a.scratch);
	return status ? status : treebank_check_text(b, from, files, e);
}

static uint64_t
add_digest(uint64_t h, const void *p, size_t n)
{
	h = hash_fnv1a(h, &(char){ p != NULL }, 1);
	return p ? hash_fnv1a(h, p, n) : h;
}

static uint64_t
treebank_add_sentence(uint64_t h, const struct sentence *s)
{
	size_t n = (size_t)s->n, ints = n * sizeof(int);

	h = hash_fnv1a(h, &s->n, sizeof(s->n));
	h = add_digest(h, s->form, ints);
	for (int set = 0; set < LABEL_TAGS; set++)
		h = add_digest(h, s->tag[set], ints);
	h = add_digest(add_digest(h, s->head, ints), s->rel, ints);
	return add_digest(h, s->span, (2 * n - 1) * sizeof(*s->span));
}

uint64_t
treebank_digest(const struct treebank *b)
{
	uint64_t h = add_digest(HASH_FNV1A, b->form.text, b->form.text_n);

	for (int set = 0; set < LABEL_SETS; set++)
		h = add_digest(h, b->label[set].text, b->label[set].text_n);
	for (size_t i = 0; i < b->n; i++)
		h = treebank_add_sentence(h, &b->sentence[i]);
	return h;
}

bool
treebank_has_heads(const struct treebank *b)
{
	for (size_t i = 0; i < b->n; i++)
		if (b->sentence[i].head)
			return true;
	return false;
}

/* --- reading --- */

void
leave_out_init(struct leave_out *l, const struct opt_list *pattern)
{
	l->pattern = pattern;
	l->matched = xcalloc(pattern->n + 1, sizeof(*l->matched));
}

void
leave_out_warn(const struct leave_out *l)
{
	for (size_t i = 0; i < l->pattern->n; i++)
		if (!l->matched[i])
			warn("--leave-out %s matches no document", l->pattern->v[i]);
}

void
leave_out_release(struct leave_out *l)
{
	free(l->matched);
}

/* The words of both files must be the same. */
static int
bank_reader_check_words(const struct bank_reader *r, struct err *e)
{
	const struct tree *t = &r->tree;
	long long conllu = (long long)r->dep.line, ptb = (long long)ptb_line(r->ptb);

	if (t->n_words != r->dep.n)
		return err_set(e, EXIT_INPUT, "%s: line %lld: %d words, line %lld of %s has %d",
			       r->name[0], conllu, r->dep.n, ptb, r->name[1], t->n_words);
	for (int i = 0; i < t->n; i++)
		if (t->node[i].leaf && strcmp(t->node[i].label, r->dep.word[t->node[i].first].form))
			return err_set(e, EXIT_INPUT,
				       "%s: line %lld: word %d is '%s', line %lld of %s has '%s'",
				       r->name[0], conllu, t->node[i].first + 1,
				       r->dep.word[t->node[i].first].form, ptb, r->name[1],
				       t->node[i].label);
	return 0;
}

static bool
is_left_out(const struct bank_reader *r)
{
	const struct leave_out *l = r->leave_out;
	bool found = false;

	for (size_t i = 0; l && r->conllu && r->dep.doc && i < l->pattern->n; i++)
		if (!fnmatch(l->pattern->v[i], r->dep.doc, 0))
			found = l->matched[i] = true;
	return found;
}

static int
read_one(struct bank_reader *r, struct err *e)
{
	int conllu = r->conllu ? conllu_next(r->conllu, &r->dep, e) : 1;
	int ptb = conllu >= 0 && r->ptb ? ptb_next(r->ptb, &r->tree, e) : 1;

	if (conllu < 0 || ptb < 0)
		return -1;
	if (r->conllu && r->ptb && conllu != ptb)
		return err_set(e, EXIT_INPUT, "%s ends before %s does", r->name[conllu ? 1 : 0],
			       r->name[ptb ? 1 : 0]);
	if (!conllu || !ptb)
		return 0;
	return r->conllu && r->ptb && bank_reader_check_words(r, e) ? -1 : 1;
}

int
bank_next(struct bank_reader *r, struct err *e)
{
	int status;

	do
		status = read_one(r, e);
	while (status > 0 && is_left_out(r));
	return status;
}

static int
open_one(struct bank_reader *r, const char *path, size_t n, struct err *e)
{
	char *name = xstrndup(path, n);
	struct input *in = input_open(name, INPUT_UTF8, e);
	int first = in ? ptb_first(in, e) : -1;
	bool brackets = first == '(';

	if (first < 0 || (brackets ? r->ptb != NULL : r->conllu != NULL)) {
		if (first >= 0)
			err_set(e, EXIT_USAGE, "%s is a second file of %s, expected one",
				name, brackets ? "bracketed trees" : "CoNLL-U");
		input_close(in);
		free(name);
		return -1;
	}
	r->name[brackets] = name;
	if (brackets)
		r->ptb = ptb_from(in, 0);
	else
		r->conllu = conllu_from(in);
	return 0;
}

int
bank_open(struct bank_reader *r, const char *files, struct leave_out *leave_out, struct err *e)
{
	size_t n = strcspn(files, ",");

	*r = (struct bank_reader){ .leave_out = leave_out };
	if (open_one(r, files, n, e))
		return -1;
	return files[n] ? open_one(r, files + n + 1, strlen(files + n + 1), e) : 0;
}

void
bank_close(struct bank_reader *r)
{
	conllu_close(r->conllu);
	ptb_close(r->ptb);
	free(r->name[0]);
	free(r->name[1]);
	dep_sentence_release(&r->dep);
	tree_release(&r->tree);
}
