/* parse-align: see parse-align.h. */
#include "scores/parse-align.h"

#include <stdlib.h>

#include "base/mem.h"

void
parse_align_release(struct parse_align *a)
{
	dep_sentence_release(&a->gold);
	dep_sentence_release(&a->system);
	dep_sentence_release(&a->parts);
	retokenize_release(&a->cut);
	free(a->text);
	free(a->parse);
	free(a->word);
	free(a->of_gold);
	free(a->of_system);
	free(a->first_gold);
	free(a->first_system);
	*a = (struct parse_align){ .room = { 0 } };
}

static void
parse_make_room(struct parse_align *a, int gold, int system)
{
	const size_t g = (size_t)gold, s = (size_t)system;

	a->text = mem_grow(a->text, &a->room[0], g, sizeof(*a->text));
	a->parse = mem_grow(a->parse, &a->room[1], s, sizeof(*a->parse));
	a->word = mem_grow(a->word, &a->room[2], g + 1, sizeof(*a->word));
	a->of_gold = mem_grow(a->of_gold, &a->room[3], g, sizeof(*a->of_gold));
	a->of_system = mem_grow(a->of_system, &a->room[4], s, sizeof(*a->of_system));
	a->first_gold = mem_grow(a->first_gold, &a->room[5], g, sizeof(*a->first_gold));
	a->first_system = mem_grow(a->first_system, &a->room[6], g, sizeof(*a->first_system));
}

/* The texts of gold that are not empty: their number. */
static int
take_texts(struct parse_align *a, const struct dep_sentence *gold)
{
	int n = 0;

	for (int i = 0; i < gold->n; i++)
		if (*gold->word[i].surface) {
			a->word[n] = i;
			a->text[n++] = gold->word[i].surface;
		}
	a->word[n] = gold->n;
	return n;
}

/* Divides both sentences into parts, n texts of gold; returns the number of parts. */
static int
divide(struct parse_align *a, int n, int n_system)
{
	const struct retokenize *r = &a->cut;
	int parts = 0, s = 0;

	for (int i = 0; i < n; i++) {
		const int at = r->in_parse[i];

		if (r->in_text[at] == i) {	/* each begins in the other: at the same place */
			for (; s < at; s++)
				a->of_system[s] = parts - 1;
			a->first_gold[parts] = a->word[i];
			a->first_system[parts++] = at;
		}
		for (int k = a->word[i]; k < a->word[i + 1]; k++)
			a->of_gold[k] = parts - 1;
	}
	for (; s < n_system; s++)
		a->of_system[s] = parts - 1;
	return parts;
}

/* The sentence of parts for one of the two sentences. */
static void
find_heads(struct parse_align *a, const struct dep_sentence *s, const int *first, int parts,
	   const int *partner)
{
	dep_sentence_clear(&a->parts);
	for (int i = 0; i < parts; i++)
		dep_sentence_add(&a->parts, "", 0);
	retokenize_set(&a->cut, first, parts, partner, s->n);
	retokenize_heads(&a->cut, s, &a->parts);
	retokenize_tags(&a->cut, s, &a->parts);
}

static bool
is_one(const int *first, int i, int parts, int n)
{
	return (i + 1 < parts ? first[i + 1] : n) == first[i] + 1;
}

/* Copies the common words; the texts of the columns are those of the sentence. */
static void
take_common(struct parse_align *a, struct dep_sentence *common, int parts, int n_gold, int n_system)
{
	dep_sentence_clear(common);
	for (int i = 0; i < parts; i++) {
		const struct dep_word *w = &a->parts.word[i];
		struct dep_word *copy;

		if (!is_one(a->first_gold, i, parts, n_gold) ||
		    !is_one(a->first_system, i, parts, n_system))
			continue;
		copy = dep_sentence_add(common, "", 0);
		copy->head = w->head;
		copy->rel = w->rel;
		copy->upos = w->upos;
		copy->xpos = w->xpos;
	}
	common->has_heads = true;
}

bool
parse_align(struct parse_align *a, const struct dep_sentence *gold,
	    const struct dep_sentence *system, int bad[2])
{
	int n, parts;

	parse_make_room(a, gold->n, system->n);
	n = take_texts(a, gold);
	for (int i = 0; i < system->n; i++)
		a->parse[i] = system->word[i].surface;
	if (!retokenize_align(&a->cut, a->text, n, a->parse, system->n, bad)) {
		bad[0] = a->word[bad[0]];
		return false;
	}
	parts = divide(a, n, system->n);
	find_heads(a, gold, a->first_gold, parts, a->of_gold);
	take_common(a, &a->gold, parts, gold->n, system->n);
	find_heads(a, system, a->first_system, parts, a->of_system);
	take_common(a, &a->system, parts, gold->n, system->n);
	return true;
}
