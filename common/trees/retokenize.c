/* retokenize: see retokenize.h. */
#include "trees/retokenize.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "trees/tree-distance.h"

/* A position in a sentence. */
struct place {
	const char *const *word;
	int n, i;
	const char *at;		/* in word i, not at a space; NULL before its first character */
};

void
retokenize_release(struct retokenize *r)
{
	free(r->in_parse);
	free(r->in_text);
	free(r->place);
	free(r->head);
	free(r->depth);
	*r = (struct retokenize){ .n_text = 0 };
}

static const char *
skip_spaces(const char *s)
{
	return s + strspn(s, " ");
}

/* Does a word begin here?  Then p->at is its first character, or the NUL byte of an empty word. */
static bool
begins(struct place *p)
{
	if (p->i == p->n || p->at)
		return false;
	p->at = skip_spaces(p->word[p->i]);
	return true;
}

static void
advance(struct place *p)
{
	p->at = skip_spaces(p->at + 1);
	if (*p->at)
		return;
	p->at = NULL;
	p->i++;
}

/* Skips empty words of the parse, except at the start. */
static void
skip_empty(struct retokenize *r, struct place *p)
{
	for (; p->i && p->i < p->n && !p->at && !*p->word[p->i]; p->i++)
		r->in_text[p->i] = r->in_text[p->i - 1];
}

static bool
retokenize_differ(const struct place *a, const struct place *b)
{
	if (a->i == a->n || b->i == b->n)
		return a->i < a->n || b->i < b->n;
	return !*a->at || *a->at != *b->at;
}

void
retokenize_begin(struct retokenize *r, int n_text, int n_parse)
{
	r->in_parse = mem_grow(r->in_parse, &r->text_room, (size_t)n_text, sizeof(*r->in_parse));
	r->in_text = mem_grow(r->in_text, &r->parse_room, (size_t)n_parse, sizeof(*r->in_text));
	r->place = mem_grow(r->place, &r->place_room, (size_t)n_text, sizeof(*r->place));
	r->n_text = n_text;
	r->n_parse = n_parse;
}

void
retokenize_set(struct retokenize *r, const int *in_parse, int n_text, const int *in_text,
	       int n_parse)
{
	retokenize_begin(r, n_text, n_parse);
	for (int i = 0; i < n_text; i++)
		r->place[i] = r->in_parse[i] = in_parse[i];
	for (int k = 0; k < n_parse; k++)
		r->in_text[k] = in_text[k];
}

bool
retokenize_align(struct retokenize *r, const char *const *text, int n_text,
		 const char *const *parse, int n_parse, int bad[2])
{
	struct place a = { .word = text, .n = n_text }, b = { .word = parse, .n = n_parse };

	retokenize_begin(r, n_text, n_parse);
	while (a.i < n_text || b.i < n_parse) {
		if (begins(&a))
			r->place[a.i] = r->in_parse[a.i] = b.i;
		if (begins(&b))
			r->in_text[b.i] = a.i;
		if (retokenize_differ(&a, &b)) {
			bad[0] = a.i;
			bad[1] = b.i;
			return false;
		}
		advance(&a);
		advance(&b);
		skip_empty(r, &b);
	}
	return true;
}

static void
find_depths(struct retokenize *r, const struct dep_sentence *parse)
{
	const size_t n = (size_t)parse->n;

	r->head = mem_grow(r->head, &r->head_room, n, sizeof(*r->head));
	r->depth = mem_grow(r->depth, &r->depth_room, n + 1, sizeof(*r->depth));
	for (int i = 0; i < parse->n; i++)
		r->head[i] = parse->word[i].head;
	tree_depths(r->head, parse->n, r->depth);
}

/*
 * Of the words of the parse that begin in word i of the text, the one nearest to the root; or -1.
 */
static int
highest(const struct retokenize *r, int i)
{
	int best = -1;

	for (int k = r->in_parse[i]; k < r->n_parse && r->in_text[k] <= i; k++)
		if (r->in_text[k] == i && (best < 0 || r->depth[k + 1] < r->depth[best + 1]))
			best = k;
	return best;
}

/* A word without a head of its own comes after the previous one. */
static void
set_place(struct retokenize *r, int i, int top)
{
	if (top >= 0)
		r->place[i] = top;
	else if (i && r->place[i] < r->place[i - 1])
		r->place[i] = r->place[i - 1];
}

void
retokenize_heads(struct retokenize *r, const struct dep_sentence *parse, struct dep_sentence *text)
{
	find_depths(r, parse);
	for (int i = 0; i < r->n_text; i++) {
		const int k = highest(r, i);
		struct dep_word *w = &text->word[i];

		set_place(r, i, k);
		if (k < 0) {
			w->head = r->in_text[r->in_parse[i]] + 1;
			w->rel = "goeswith";
		} else {
			w->head = parse->word[k].head;
			w->rel = parse->word[k].rel;
			if (w->head)
				w->head = r->in_text[w->head - 1] + 1;
		}
	}
	text->has_heads = true;
}

void
retokenize_tags(const struct retokenize *r, const struct dep_sentence *parse,
		struct dep_sentence *text)
{
	for (int i = 0; i < r->n_text; i++) {
		text->word[i].upos = parse->word[r->place[i]].upos;
		text->word[i].xpos = parse->word[r->place[i]].xpos;
	}
}

/* Closes all phrases of the parse that end with the node; drops those without a word. */
static void
close_phrases(const struct tree *parse, int node, struct tree *tree)
{
	for (int i = node; i >= 0 && parse->node[i].last == node; i = parse->node[i].parent) {
		if (parse->node[i].leaf)
			continue;
		if (tree->open == tree->n - 1)
			tree_drop(tree);
		else
			tree_close(tree);
	}
}

void
retokenize_tree(const struct retokenize *r, const struct tree *parse,
		const struct dep_sentence *text, struct tree *tree)
{
	int i = 0;	/* the next word of the text */

	tree_clear(tree);
	for (int node = 0; node < parse->n; node++) {
		const struct tree_node *p = &parse->node[node];

		if (!p->leaf)
			tree_open(tree, p->label, strlen(p->label));
		for (; p->leaf && i < r->n_text && r->place[i] == p->first; i++)
			tree_leaf(tree, text->word[i].form, strlen(text->word[i].form));
		close_phrases(parse, node, tree);
	}
}
