/* parse-agreement: scores of heads, relations, brackets and tags; see parse-agreement.h. */
#include "scores/parse-agreement.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/near-name.h"
#include "trees/ptb.h"

/* --- dependencies --- */

/* The agreement of a name of n bytes, added with zeros if it is new; valid until the next call. */
static struct agreement *
agreements_of(struct agreements *a, const char *name, size_t n)
{
	const size_t before = a->names.n;
	const int id = strmap_add(&a->names, name, n);

	if (a->names.n > before) {
		a->of = mem_grow(a->of, &a->room, a->names.n, sizeof(*a->of));
		a->of[id] = (struct agreement){ .correct = 0 };
	}
	return &a->of[id];
}

static void
agreements_release(struct agreements *a)
{
	strmap_release(&a->names);
	free(a->of);
	*a = (struct agreements){ .room = 0 };
}

void
dep_score_release(struct dep_score *d)
{
	agreements_release(&d->rels);
}

/* The length of a relation without its subtype: "nsubj" of "nsubj:pass". */
static size_t
universal(const char *rel)
{
	return strcspn(rel, ":");
}

static unsigned
columns(const struct dep_word *w)
{
	return (strcmp(w->upos, "_") ? DEP_HAS_UPOS : 0u) |
	       (strcmp(w->xpos, "_") ? DEP_HAS_XPOS : 0u) |
	       (strcmp(w->rel, "_") ? DEP_HAS_RELS : 0u);
}

static void
count_measures(struct dep_score *d, const struct dep_word *g, const struct dep_word *s)
{
	const size_t n = universal(g->rel);
	const bool head = g->head == s->head;
	const bool rel = n == universal(s->rel) && !memcmp(g->rel, s->rel, n);
	const bool same = !strcmp(g->rel, s->rel), word = strcmp(g->upos, "PUNCT") != 0;
	const bool right[DEP_MEASURES] = { head, head && rel, head && same, rel, same };

	for (int i = 0; i < DEP_MEASURES; i++) {
		d->correct[0][i] += right[i];
		d->correct[1][i] += right[i] && word;
	}
	d->no_punct += word;
	agreements_of(&d->rels, g->rel, n)->correct += head && rel;
}

void
dep_score_add(struct dep_score *d, const struct dep_sentence *gold,
	      const struct dep_sentence *system)
{
	if (gold->n != system->n)
		bug("gold has %d words, the system %d", gold->n, system->n);
	d->words += gold->n;
	for (int i = 0; i < gold->n; i++) {
		const struct dep_word *g = &gold->word[i], *s = &system->word[i];

		count_measures(d, g, s);
		agreements_of(&d->rels, g->rel, universal(g->rel))->gold++;
		agreements_of(&d->rels, s->rel, universal(s->rel))->system++;
		d->upos += !strcmp(g->upos, s->upos);
		d->xpos += !strcmp(g->xpos, s->xpos);
		d->gold_has |= columns(g);
		d->system_has |= columns(s);
	}
}

/* --- brackets --- */

struct bracket { int start, end, label; };	/* words [start, end) after deletion; label id */

struct brackets {
	struct bracket *one;
	size_t n;
};

/* The two trees of a sentence. */
struct bracket_work {
	struct arena mem;
	struct brackets gold, system;
	const char **gold_tag, **system_tag;
	int *kept;			/* [words + 1] words before each one that are not deleted */
	int *inner;			/* see find_inner() */
};

void
bracket_score_init(struct bracket_score *b, bool punctuation)
{
	*b = (struct bracket_score){ .punctuation = punctuation };
	b->work = xcalloc(1, sizeof(*b->work));
	arena_init(&b->work->mem, 0);
}

void
bracket_score_release(struct bracket_score *b)
{
	agreements_release(&b->labels);
	arena_release(&b->work->mem);
	free(b->work);
}

/* The tag of each word; "" for a word that is a direct child of a phrase. */
static const char **
collect_tags(struct arena *mem, const struct tree *t)
{
	const char **tag = ARENA_ARRAY(mem, const char *, t->n_words);
	int n = 0;

	for (int i = 0; i < t->n; i++)
		if (t->node[i].leaf)
			tag[n++] = tree_is_tag(t, i - 1) ? t->node[i - 1].label : "";
	return tag;
}

static void
count_kept(const struct bracket_score *b, int n)
{
	static const char *const punctuation[] = { ",", ":", "``", "''", ".", NULL };
	static const char *const nothing[] = { NULL };
	const char *const *deleted = b->punctuation ? nothing : punctuation;
	struct bracket_work *w = b->work;

	w->kept = ARENA_ARRAY(&w->mem, int, n + 1);
	w->kept[0] = 0;
	for (int i = 0; i < n; i++) {
		const char *tag = w->gold_tag[i];

		w->kept[i + 1] = w->kept[i] + (name_index(deleted, tag, strlen(tag)) < 0);
	}
}

/* The id of a label, or -1 if the label does not count. */
static int
label_number(struct bracket_score *b, const char *label)
{
	static const char *const wrappers[] = { "TOP", "ROOT", "VROOT", NULL };
	size_t n = ptb_category(label, strlen(label));
	const struct agreement *of;

	if (!n || name_index(wrappers, label, n) >= 0)
		return -1;
	if (n == 3 && !memcmp(label, "PRT", n)) {
		label = "ADVP";
		n = 4;
	}
	of = agreements_of(&b->labels, label, n);	/* may move b->labels.of */
	return (int)(of - b->labels.of);
}

/* Lists brackets in preorder, without those whose words are all deleted. */
static void
collect_brackets(struct bracket_score *b, const struct tree *t, struct brackets *list)
{
	const int *kept = b->work->kept;

	*list = (struct brackets){ ARENA_ARRAY(&b->work->mem, struct bracket, t->n), 0 };
	for (int i = 0; i < t->n; i++) {
		const struct tree_node *p = &t->node[i];
		struct bracket x = { kept[p->first], kept[p->end], -1 };

		if (p->leaf || tree_is_tag(t, i) || x.start == x.end)
			continue;
		x.label = label_number(b, p->label);
		if (x.label >= 0)
			list->one[list->n++] = x;
	}
}

/*
 * Sets inner[i] to the innermost gold bracket with words on both sides of the border before word i,
 * or -1.  In preorder, the starts of brackets increase, and the last open bracket is the innermost.
 */
static void
find_inner(struct bracket_work *w, int n_words)
{
	const struct bracket *g = w->gold.one;
	size_t k = 0, n = 0;
	int *open = ARENA_ARRAY(&w->mem, int, w->gold.n);	/* a stack of n brackets */

	w->inner = ARENA_ARRAY(&w->mem, int, n_words + 1);
	w->inner[n_words] = -1;
	for (int i = 0; i < n_words; i++) {
		while (n && g[open[n - 1]].end <= i)
			n--;
		w->inner[i] = n ? open[n - 1] : -1;
		while (k < w->gold.n && g[k].start == i)
			open[n++] = (int)k++;
	}
}

/*
 * A bracket crosses a gold bracket if exactly one end of the latter is strictly inside the former.
 * If any gold bracket crosses it at a border, the innermost one there does.
 */
static int
count_crossing(const struct bracket_work *w)
{
	const struct bracket *g = w->gold.one;
	int n = 0;

	for (size_t i = 0; i < w->system.n; i++) {
		const struct bracket x = w->system.one[i];
		const int first = w->inner[x.start], last = w->inner[x.end];

		n += (first >= 0 && g[first].end < x.end) || (last >= 0 && g[last].start > x.start);
	}
	return n;
}

typedef int bracket_compare(const void *pa, const void *pb);

static int
compare_spans(const void *pa, const void *pb)
{
	const struct bracket *a = pa, *b = pb;

	return a->start != b->start ? (a->start > b->start) - (a->start < b->start) :
				      (a->end > b->end) - (a->end < b->end);
}

static int
compare_all(const void *pa, const void *pb)
{
	const struct bracket *a = pa, *b = pb;
	const int c = compare_spans(a, b);

	return c ? c : (a->label > b->label) - (a->label < b->label);
}

/* The size of the multiset intersection of the two lists, which are sorted. */
static int64_t
count_common(const struct bracket_work *w, bracket_compare *compare, struct agreement *counts)
{
	int64_t n = 0;

	for (size_t i = 0, j = 0; i < w->gold.n && j < w->system.n; ) {
		const int c = compare(&w->gold.one[i], &w->system.one[j]);

		if (!c) {
			n++;
			if (counts)
				counts[w->gold.one[i].label].correct++;
		}
		i += c <= 0;
		j += c >= 0;
	}
	return n;
}

static void
count_labels(struct bracket_score *b)
{
	struct bracket_work *w = b->work;

	for (size_t i = 0; i < w->gold.n; i++)
		b->labels.of[w->gold.one[i].label].gold++;
	for (size_t i = 0; i < w->system.n; i++)
		b->labels.of[w->system.one[i].label].system++;
}

static void
score_brackets(struct bracket_score *b, int n_words)
{
	struct bracket_work *w = b->work;
	int64_t both;
	int crossing;

	find_inner(w, n_words);
	crossing = count_crossing(w);
	qsort(w->gold.one, w->gold.n, sizeof(*w->gold.one), compare_all);
	qsort(w->system.one, w->system.n, sizeof(*w->system.one), compare_all);
	both = count_common(w, compare_all, b->labels.of);
	count_labels(b);
	b->labeled.correct += both;
	b->unlabeled.correct += count_common(w, compare_spans, NULL);
	b->labeled.gold = b->unlabeled.gold += (int64_t)w->gold.n;
	b->labeled.system = b->unlabeled.system += (int64_t)w->system.n;
	b->crossing += crossing;
	b->none_crossing += !crossing;
	b->complete += (size_t)both == w->gold.n && (size_t)both == w->system.n;
}

static void
score_tags(struct bracket_score *b, int n_words)
{
	struct bracket_work *w = b->work;

	for (int i = 0; i < n_words; i++) {
		if (w->kept[i + 1] == w->kept[i])
			continue;
		b->words++;
		b->tags += !strcmp(w->gold_tag[i], w->system_tag[i]);
	}
}

void
bracket_score_add(struct bracket_score *b, const struct tree *gold, const struct tree *system)
{
	struct bracket_work *w = b->work;

	if (gold->n_words != system->n_words)
		bug("gold has %d words, the system %d", gold->n_words, system->n_words);
	arena_rewind(&w->mem);
	w->gold_tag = collect_tags(&w->mem, gold);
	w->system_tag = collect_tags(&w->mem, system);
	count_kept(b, gold->n_words);
	collect_brackets(b, gold, &w->gold);
	collect_brackets(b, system, &w->system);
	b->sentences++;
	score_tags(b, gold->n_words);
	score_brackets(b, w->kept[gold->n_words]);
}
