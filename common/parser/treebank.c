/* treebank: see treebank.h. */
#include "parser/treebank.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "parser/binary.h"
#include "stream/input.h"
#include "text/conllu.h"
#include "text/ptb.h"

/* What is being read: one kind, or both side by side. */
struct reading {
	struct treebank *bank;
	struct conllu_reader *conllu;
	struct ptb_reader *ptb;
	char *name[2];			/* of the two files, NULL for what is not there */
	struct dep_sentence dep;
	struct tree tree;
	struct arena scratch;
};

void
treebank_init(struct treebank *b)
{
	memset(b, 0, sizeof(*b));
	strmap_init(&b->form);
	strmap_init(&b->upos);
	strmap_init(&b->xpos);
	strmap_init(&b->rel);
	strmap_init(&b->label);
	arena_init(&b->mem, 0);
}

void
treebank_release(struct treebank *b)
{
	free(b->sentence);
	strmap_release(&b->form);
	strmap_release(&b->upos);
	strmap_release(&b->xpos);
	strmap_release(&b->rel);
	strmap_release(&b->label);
	arena_release(&b->mem);
}

static int
number(struct strmap *map, const char *text)
{
	return text && strcmp(text, "_") ? strmap_add(map, text, strlen(text)) : -1;
}

static int *
numbers(struct treebank *b, int n)
{
	return ARENA_ARRAY(&b->mem, int, n);
}

static void
take_conllu(struct treebank *b, const struct dep_sentence *d, struct sentence *s)
{
	s->upos = numbers(b, s->n);
	s->xpos = numbers(b, s->n);
	if (d->has_heads) {
		s->head = numbers(b, s->n);
		s->rel = numbers(b, s->n);
	}
	for (int i = 0; i < s->n; i++) {
		const struct dep_word *w = &d->word[i];

		s->form[i] = strmap_add(&b->form, w->form, strlen(w->form));
		s->upos[i] = number(&b->upos, w->upos);
		s->xpos[i] = number(&b->xpos, w->xpos);
		if (d->has_heads) {
			s->head[i] = w->head;
			s->rel[i] = number(&b->rel, w->rel);
		}
	}
}

/* Parts of speech come from the brackets: they are what a tree is written with. */
static void
take_tree(struct reading *r, struct sentence *s)
{
	struct treebank *b = r->bank;
	const struct tree *t = &r->tree;
	int n_spans = 2 * s->n - 1;
	struct binary_span *span = ARENA_ARRAY(&r->scratch, struct binary_span, n_spans);
	const char **tag = ARENA_ARRAY(&r->scratch, const char *, s->n);

	binary_spans(t, &r->scratch, span, tag);
	s->span = ARENA_ARRAY(&b->mem, struct gold_span, n_spans);
	for (int i = 0; i < n_spans; i++)
		s->span[i] = (struct gold_span){ span[i].first, span[i].end, number(&b->label, span[i].label) };
	if (!s->xpos)
		s->xpos = numbers(b, s->n);
	for (int i = 0; i < s->n; i++)
		s->xpos[i] = number(&b->xpos, tag[i]);
	for (int i = 0; !r->conllu && i < t->n; i++)
		if (t->node[i].leaf)
			s->form[t->node[i].first] = strmap_add(&b->form, t->node[i].label, strlen(t->node[i].label));
	arena_rewind(&r->scratch);
}

/* The words of both files must be the same. */
static int
check_words(const struct reading *r, struct err *e)
{
	const struct tree *t = &r->tree;
	long long conllu = (long long)r->dep.line, ptb = (long long)ptb_line(r->ptb);

	if (t->n_words != r->dep.n)
		return err_set(e, EXIT_INPUT, "%s: line %lld: %d words, line %lld of %s has %d", r->name[0], conllu,
			       r->dep.n, ptb, r->name[1], t->n_words);
	for (int i = 0; i < t->n; i++)
		if (t->node[i].leaf && strcmp(t->node[i].label, r->dep.word[t->node[i].first].form))
			return err_set(e, EXIT_INPUT, "%s: line %lld: word %d is '%s', line %lld of %s has '%s'",
				       r->name[0], conllu, t->node[i].first + 1, r->dep.word[t->node[i].first].form,
				       ptb, r->name[1], t->node[i].label);
	return 0;
}

static void
take(struct reading *r)
{
	struct treebank *b = r->bank;
	struct sentence *s;
	int n = r->conllu ? r->dep.n : r->tree.n_words;

	if (!n)
		return;
	b->sentence = mem_grow(b->sentence, &b->room, b->n + 1, sizeof(*b->sentence));
	s = &b->sentence[b->n++];
	*s = (struct sentence){ .n = n, .form = numbers(b, n) };
	b->words += n;
	if (r->conllu)
		take_conllu(b, &r->dep, s);
	if (r->ptb)
		take_tree(r, s);
}

/* 1: there was a sentence, taken; 0: the end of both. */
static int
next(struct reading *r, struct err *e)
{
	int conllu = r->conllu ? conllu_next(r->conllu, &r->dep, true, e) : 1;
	int ptb = conllu >= 0 && r->ptb ? ptb_next(r->ptb, &r->tree, e) : 1;

	if (conllu < 0 || ptb < 0)
		return -1;
	if (r->conllu && r->ptb && conllu != ptb)
		return err_set(e, EXIT_INPUT, "%s ends before %s does", r->name[conllu ? 1 : 0], r->name[ptb ? 1 : 0]);
	if (!conllu || !ptb)
		return 0;
	if (r->conllu && r->ptb && check_words(r, e))
		return -1;
	take(r);
	return 1;
}

static int
open_one(struct reading *r, const char *path, size_t n, struct err *e)
{
	char *name = xstrndup(path, n);
	struct input *in = input_open(name, INPUT_UTF8, e);
	const char *p;
	ptrdiff_t k = in ? input_ahead(in, 1, &p, e) : -1;
	bool brackets = k > 0 && *p == '(';

	if (k < 0 || (brackets ? r->ptb != NULL : r->conllu != NULL)) {
		if (k >= 0)
			err_set(e, EXIT_USAGE, "%s is the second file of its kind", name);
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

static int
open_all(struct reading *r, const char *files, struct err *e)
{
	size_t n = strcspn(files, ",");

	if (open_one(r, files, n, e))
		return -1;
	return files[n] ? open_one(r, files + n + 1, strlen(files + n + 1), e) : 0;
}

int
treebank_read(struct treebank *b, const char *files, struct err *e)
{
	struct reading r = { .bank = b };
	int status;

	dep_sentence_init(&r.dep);
	tree_init(&r.tree);
	arena_init(&r.scratch, 0);
	status = open_all(&r, files, e) ? -1 : 1;
	while (status > 0)
		status = next(&r, e);
	conllu_close(r.conllu);
	ptb_close(r.ptb);
	free(r.name[0]);
	free(r.name[1]);
	dep_sentence_release(&r.dep);
	tree_release(&r.tree);
	arena_release(&r.scratch);
	return status;
}
