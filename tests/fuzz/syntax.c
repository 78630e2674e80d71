/*
 * syntax: the records of any stream have trees over subwords or are refused; masks, relations,
 * positions and sequences made from the trees are consistent.
 */
#include <stdlib.h>
#include <string.h>

#include "trees/dep-mask.h"
#include "trees/linearize.h"
#include "trees/phrase-positions.h"
#include "trees/piece-heads.h"
#include "trees/record-pieces.h"
#include "trees/tree-relations.h"

#include "fuzz.h"

enum { MAX_SUBWORDS = 200 };	/* longer sentences get no matrices */

static bool
bit(const uint8_t *bits, int n, int i, int j)
{
	return bits[(size_t)i * dep_mask_stride(n) + (size_t)j / 8] >> j % 8 & 1;
}

/* Masks are symmetric; that of linked subwords is part of that of all subwords of linked words. */
static void
look_at_masks(const struct piece_words *p, const int32_t *head)
{
	uint8_t *words = calloc(MAX_SUBWORDS, MAX_SUBWORDS / 8);
	uint8_t *links = calloc(MAX_SUBWORDS, MAX_SUBWORDS / 8);
	int32_t arc[MAX_SUBWORDS];

	must(words && links);
	dep_mask_words(p->word, p->n, head, words);
	for (int rule = PIECES_DEGUCHI; rule <= PIECES_LAST; rule++) {
		piece_heads((enum piece_rule)rule, p->word, p->n, head, arc);
		dep_mask_pieces(arc, p->n, links);
		for (int i = 0; i < p->n; i++) {
			must(bit(links, p->n, i, i) && arc[i] >= 0 && arc[i] < p->n);
			for (int j = 0; j < p->n; j++) {
				must(bit(links, p->n, i, j) == bit(links, p->n, j, i));
				must(bit(words, p->n, i, j) || !bit(links, p->n, i, j));
			}
		}
	}
	free(words);
	free(links);
}

static void
take_heads(const struct record *rec, const struct side_fields *f, struct piece_words *p)
{
	const int32_t *head;
	struct err e;
	size_t n;

	if (record_ints(rec, f->heads, &head, &n) || dep_check(head, (int)n, &e) ||
	    record_pieces(rec, f, (int)n, p, &e))
		return;
	must(pieces_check(p->word, p->n, (int)n, &e) == 0);
	if (p->n <= MAX_SUBWORDS)
		look_at_masks(p, head);
}

/* Each relation has an inverse, which holds in the other direction. */
static void
look_at_relations(const int32_t *parent, int n)
{
	static const enum tree_relation turned[TREE_RELATIONS] = {
		TREE_SELF, TREE_CHILD, TREE_PARENT, TREE_RIGHT_SIBLING, TREE_LEFT_SIBLING,
		TREE_DESCENDANT, TREE_ANCESTOR, TREE_RIGHT_OTHER, TREE_LEFT_OTHER
	};
	int8_t *relation = malloc((size_t)n * (size_t)n + 1);
	int32_t last[MAX_SUBWORDS];
	struct err e;

	must(relation && preorder_check(parent, n, &e) == 0);
	preorder_last(parent, n, last);
	tree_relations(parent, last, n, relation);
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			must(relation[j * n + i] == (int8_t)turned[relation[i * n + j]] &&
			     (relation[i * n + j] == TREE_SELF) == (i == j));
	free(relation);
}

static void
look_at_positions(const struct tree *t, const struct piece_words *p)
{
	struct phrase_place *word = calloc((size_t)t->n_words + 1, sizeof(*word));
	struct phrase_place piece[MAX_SUBWORDS];
	int8_t *position = malloc(MAX_SUBWORDS * MAX_SUBWORDS);

	must(word && position);
	for (unsigned how = 0; how < 8; how++) {
		phrase_places(t, how & 3, word);
		phrase_pieces(word, p->word, p->n, how & 4, piece);
		phrase_positions(piece, p->n, PHRASE_COL_ROW, PHRASE_FULL, position);
		for (int i = 0; i < p->n; i++) {
			must(piece[i].first <= i && i < piece[i].end && piece[i].end <= p->n);
			must(position[i * p->n + i] == 0);
			for (int j = 0; j < i; j++)
				must((position[i * p->n + j] == PHRASE_OUTSIDE) ==
				     (position[j * p->n + i] == PHRASE_OUTSIDE));
		}
	}
	free(word);
	free(position);
}

static void
look_at_sequences(const struct tree *t, const struct piece_words *p)
{
	struct linear l = { .n = 0 };
	struct str piece[MAX_SUBWORDS];

	for (int i = 0; i < p->n; i++)
		piece[i] = (struct str){ "x", 1 };
	for (unsigned flags = 0; flags < 4; flags++) {
		linear_set(&l, t, piece, p->word, p->n, flags);
		must(l.n >= p->n && l.n <= t->n - t->n_words + p->n);
		if (l.n <= MAX_SUBWORDS)
			look_at_relations(l.parent, l.n);
		linear_set(&l, t, piece, p->word, p->n, flags | LINEAR_BRACKETS);
		must(l.n <= 2 * (t->n - t->n_words) + p->n);
	}
	linear_release(&l);
}

static void
take_tree(const struct record *rec, const struct side_fields *f, struct piece_words *p,
	  struct tree *t)
{
	struct err e;

	if (record_tree(rec, f->tree, t, &e) || record_pieces(rec, f, t->n_words, p, &e) ||
	    p->n > MAX_SUBWORDS)
		return;
	look_at_positions(t, p);
	look_at_sequences(t, p);
}

static void
take_nodes(const struct record *rec, const struct side_fields *f)
{
	const int32_t *parent;
	struct err e;
	size_t n;

	if (!record_ints(rec, f->parent, &parent, &n) && n <= MAX_SUBWORDS &&
	    !preorder_check(parent, (int)n, &e))
		look_at_relations(parent, (int)n);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct piece_words pieces = { .n = 0 };
	struct tree tree = { .n = 0 };
	struct side_fields f;
	struct record *rec;
	struct err e;
	struct reader *r = reader_memory("fuzz", data, n, NULL, NULL, &e);

	f = side_fields[0];
	while (r && reader_next(r, &rec, &e) > 0) {
		take_heads(rec, &f, &pieces);
		take_tree(rec, &f, &pieces, &tree);
		take_nodes(rec, &f);
	}
	reader_close(r);
	piece_words_release(&pieces);
	tree_release(&tree);
	return 0;
}
