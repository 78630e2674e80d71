/* parse-agreement-deps: scores of heads and relations; see parse-agreement.h. */
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "scores/parse-agreement.h"

struct agreement *
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

void
agreements_release(struct agreements *a)
{
	strmap_release(&a->names);
	free(a->of);
	*a = (struct agreements){ .room = 0 };
}

void
dep_score_init(struct dep_score *d)
{
	*d = (struct dep_score){ .words = 0 };
	strmap_init(&d->rels.names);
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
