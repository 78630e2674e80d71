/* parses: any bytes are an error or trees, which score 100 against themselves and have phrases. */
#include <stdlib.h>

#include "scores/parse-agreement.h"
#include "trees/dep-phrases.h"
#include "trees/parses.h"

#include "fuzz.h"

static void
look_at_deps(const struct dep_sentence *s)
{
	struct dep_score d = { .words = 0 };
	int n_roots = 0;

	dep_score_add(&d, s, s);
	must(d.words == s->n && d.correct[0][DEP_LAS_SUBTYPES] == s->n);
	dep_score_release(&d);
	for (int i = 0; i < s->n; i++)
		n_roots += s->word[i].head == 0;
	if (n_roots == 1) {
		struct tree t = { .n = 0 };

		dep_phrases(s, &t);
		must(t.n_words == s->n && t.node[0].last == t.n - 1);
		tree_release(&t);
	}
}

static void
look_at_tree(const struct tree *t, bool punctuation)
{
	struct bracket_score b;

	bracket_score_init(&b, punctuation);
	bracket_score_add(&b, t, t);
	must(b.labeled.correct == b.labeled.gold && b.labeled.gold == b.labeled.system);
	must(b.complete == 1 && b.crossing == 0 && b.tags == b.words && b.words <= t->n_words);
	bracket_score_release(&b);
}

/* Heads are a tree, also after parses_tolerate(). */
static void
look_at_heads(const struct dep_sentence *s)
{
	int *head = calloc((size_t)s->n + 1, sizeof(*head));
	struct err e;

	must(head);
	for (int i = 0; i < s->n; i++)
		head[i] = s->word[i].head;
	must(!dep_check(head, s->n, &e));
	free(head);
}

static void
read_all(struct parses *p)
{
	const char *const *word;
	struct err e;
	int more, n_words;

	while ((more = parses_next(p, &e)) > 0) {
		word = parses_words(p, &n_words);
		must(word || !n_words || parses_deps(p) || parses_fault(p));
		must(parses_where(p) && parses_where_word(p, n_words - (n_words > 0)));
		must(!parses_fault(p) || !parses_deps(p));
		if (parses_deps(p)) {
			look_at_heads(parses_deps(p));
			if (word)
				look_at_deps(parses_deps(p));
		}
		if (parses_tree(p)) {
			must(parses_tree(p)->n_words == n_words);
			look_at_tree(parses_tree(p), false);
			look_at_tree(parses_tree(p), true);
		}
	}
	must(!more || e.status == EXIT_INPUT);
	parses_close(p);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	for (int how = 0; how < 4; how++) {
		const bool heads = how & 2;
		struct parses *p = NULL;
		struct err e;
		struct input *in = input_memory("fuzz", data, n, INPUT_UTF8, &e);

		if (in)
			p = parses_from(in, heads ? NULL : "src", &e);
		if (p && how & 1)
			parses_tolerate(p);
		if (p)
			read_all(p);
	}
	return 0;
}
