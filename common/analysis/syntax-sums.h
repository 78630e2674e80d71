/*
 * syntax-sums: how often an attention head attends along the arcs of dependency trees.
 *
 * An arc joins a dependent and its syntactic head.  In the direction FROM_DEPENDENT, an arc is
 * correct if the row of the dependent has its maximum weight in the column of the syntactic head;
 * in the direction FROM_HEAD, the roles are exchanged.  The accuracy of an attention head for a
 * relation and a direction is the share of correct arcs (Voita et al. 2019, section 5.2).  The
 * baseline is the share of the arcs that have the most frequent offset from dependent to syntactic
 * head; it is the same for both directions.  Offsets are in words, or with UNIT_UNSPLIT in
 * subwords.
 *
 * The rows and columns of weights are those of subwords.  Words get rows and columns in one of
 * these ways:
 *
 *	UNIT_WORD	the row of a word is the mean of the rows of its subwords, and its column
 *			the sum of their columns
 *	UNIT_FIRST	a word has the row and the column of its first subword; the other subwords
 *			are ignored
 *	UNIT_LAST	a word has the row and the column of its last subword; the other subwords
 *			are ignored
 *	UNIT_UNSPLIT	rows and columns remain those of subwords; only arcs between two words of a
 *			single subword each count
 */
#ifndef SYNTAX_SUMS_H
#define SYNTAX_SUMS_H

#include <stdint.h>

#include "analysis/attention-sums.h"
#include "analysis/relation-list.h"
#include "trees/conllu.h"

enum syntax_unit { UNIT_WORD, UNIT_FIRST, UNIT_LAST, UNIT_UNSPLIT };
/* The directions; SYNTAX_WAYS is their number. */
enum syntax_way { FROM_DEPENDENT, FROM_HEAD, SYNTAX_WAYS };

/*
 * The arcs of a sentence whose relation is in a list of relations (relation-list.h).  `relation` is
 * the index of the entry in the list.  `dependent` and `head` are words, from 0, and `offset` is
 * from dependent to head.  Initialize the struct with zeros.
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
 * Sets `a` to the arcs of the tree `s` whose relation is in `l`.  `word` [n_pieces] has the word of
 * each subword, which the caller has checked with pieces_check() (trees/piece-heads.h); the array
 * must outlive `a`.
 */
void syntax_arcs_find(struct syntax_arcs *a, const struct dep_sentence *s,
		      const struct relation_list *l, const int32_t *word, int n_pieces,
		      enum syntax_unit unit);

/* The number of arcs of a relation, given by its index in the list. */
int syntax_arcs_of(const struct syntax_arcs *a, int relation);

/* The numbers of arcs of one relation over a corpus.  Initialize it with zeros. */
struct syntax_counts {
	int64_t arcs;
	int64_t *at;			/* [2 * reach + 1] element o + reach: number of arcs with
					 * offset o */
	int reach;
};

/*
 * Adds the arcs of a sentence.  `c` is an array with one struct for each entry of the list of
 * relations.
 */
void syntax_counts_add(struct syntax_counts *c, const struct syntax_arcs *a);
/* Releases one struct of such an array. */
void syntax_counts_release(struct syntax_counts *c);
/*
 * Returns the baseline of a relation, and sets *offset to the most frequent offset.  Of equally
 * frequent offsets, the one nearest to 0 is chosen, and of -o and o the negative one.  Returns NAN
 * without arcs.
 */
double syntax_counts_baseline(const struct syntax_counts *c, int *offset);

/*
 * Adds the numbers of correct arcs of one attention head in one sentence to `hits`, an array
 * [entries of the list of relations][SYNTAX_WAYS].  `best` and `row` are scratch memory with room
 * for one element for each word.
 */
void syntax_hits_add(int64_t *hits, const struct syntax_arcs *a, const struct head_weights *w,
		     enum syntax_unit unit, int *best, double *row);

#endif
