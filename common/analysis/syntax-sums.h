/*
 * syntax-sums: how often a head attends along dependencies.
 *
 * For each relation and direction, the accuracy is the share of the arcs in which the maximum
 * weight of the row of one end is in the column of the other (Voita et al. 2019, section 5.2).  The
 * baseline is the share of the arcs with the most frequent offset from dependent to head; it is the
 * same for both directions.  Offsets are in words, with UNIT_UNSPLIT in subwords.
 *
 * Subwords are combined into words in one of these ways:
 *
 *	UNIT_WORD	a word's row is the mean of its subwords' rows, its column the sum of theirs
 *	UNIT_FIRST	a word has the row and column of its first subword; the others are ignored
 *	UNIT_LAST	the same with its last subword
 *	UNIT_UNSPLIT	subwords are kept; only arcs between words of a single subword count
 */
#ifndef SYNTAX_SUMS_H
#define SYNTAX_SUMS_H

#include <stdint.h>

#include "analysis/attention-sums.h"
#include "analysis/relation-list.h"
#include "trees/conllu.h"

enum syntax_unit { UNIT_WORD, UNIT_FIRST, UNIT_LAST, UNIT_UNSPLIT };
/*
 * The direction of an arc: whether the row of the dependent attends most to the column of the head,
 * or the reverse.
 */
enum syntax_way { FROM_DEPENDENT, FROM_HEAD, SYNTAX_WAYS };

/*
 * The arcs of a sentence that count.  Words are numbered from 0; `relation` is an index of the list
 * of relations.  Initialize it with zeros.
 */
struct syntax_arcs {
	struct syntax_arc { int relation, dependent, head, offset; } *arc;
	int n;
	size_t room;
	const int32_t *word;		/* [n_pieces] the word of each subword; the caller's */
	int n_pieces, n_words;
};

void syntax_arcs_release(struct syntax_arcs *a);
/*
 * Sets a to the arcs of a sentence with heads and relations.  Its subwords must be those of its
 * words (pieces_check()).  `word` must outlive a.
 */
void syntax_arcs_find(struct syntax_arcs *a, const struct dep_sentence *s,
		      const struct relation_list *l, const int32_t *word, int n_pieces,
		      enum syntax_unit unit);

/* The number of arcs of a relation in the sentence. */
int syntax_arcs_of(const struct syntax_arcs *a, int relation);

/* The number of arcs of a relation at each offset, over a corpus.  Initialize it with zeros. */
struct syntax_counts {
	int64_t arcs;
	int64_t *at;			/* [2 * reach + 1] arcs with offset o at index o + reach */
	int reach;
};

/* Adds the arcs of a sentence.  c is an array with an element for each entry of the list. */
void syntax_counts_add(struct syntax_counts *c, const struct syntax_arcs *a);
/* Releases one element. */
void syntax_counts_release(struct syntax_counts *c);
/*
 * Returns the share of the most frequent offset, and sets *offset to it.  Among equally frequent
 * offsets it is the nearest one, then the negative one.  NAN without arcs.
 */
double syntax_counts_baseline(const struct syntax_counts *c, int *offset);

/*
 * Adds the number of correct arcs of one head in one sentence to `hits[entry * SYNTAX_WAYS + way]`,
 * for each entry of the list of relations.  `best` and `row` are scratch memory, [words].
 */
void syntax_hits_add(int64_t *hits, const struct syntax_arcs *a, const struct head_weights *w,
		     enum syntax_unit unit, int *best, double *row);

#endif
