/*
 * syntax-sums: does a head look along dependencies?
 *
 * Of each relation and direction the share of the arcs for which the greatest weight of the row of
 * one end is in the column of the other (Voita et al. 2019, section 5.2).  What it is measured
 * against is the most frequent offset of the relation's arcs, from dependent to head: the share of
 * the arcs with it, which is the same for both directions.  Offsets are in words, with UNIT_UNSPLIT
 * in subwords.
 *
 * Words are made of the rows and columns of their pieces:
 *
 *	UNIT_WORD	a word's row is the mean of its pieces' rows, its column the sum of theirs
 *	UNIT_FIRST	its first piece's row and column stand for it, others are not there
 *	UNIT_LAST	its last piece's
 *	UNIT_UNSPLIT	pieces remain; only arcs between two words of one piece each count
 */
#ifndef SYNTAX_SUMS_H
#define SYNTAX_SUMS_H

#include <stdint.h>

#include "analysis/attention-sums.h"
#include "analysis/relation-list.h"
#include "text/conllu.h"

enum syntax_unit { UNIT_WORD, UNIT_FIRST, UNIT_LAST, UNIT_UNSPLIT };
enum syntax_way { FROM_DEPENDENT, FROM_HEAD, SYNTAX_WAYS };

/* The arcs of a sentence that count; words from 0. */
struct syntax_arcs {
	struct syntax_arc { int relation, dependent, head, offset; } *arc;
	int n;
	size_t room;
	const int32_t *word;		/* [n_pieces] of each piece; whoever filled it keeps it */
	int n_pieces, n_words;
};

void syntax_arcs_release(struct syntax_arcs *a);
/* Of a sentence with heads and relations, whose pieces are those of its words (pieces_check()). */
void syntax_arcs_find(struct syntax_arcs *a, const struct dep_sentence *s,
		      const struct relation_list *l, const int32_t *word, int n_pieces,
		      enum syntax_unit unit);

/* How often each relation occurs, and at which offsets: a table for a whole corpus. */
struct syntax_counts {
	int64_t arcs;
	int64_t *at;			/* [2 * reach + 1] */
	int reach;
};

void syntax_counts_add(struct syntax_counts *c,
		       const struct syntax_arcs *a);	/* c: one an entry of the list */
void syntax_counts_release(struct syntax_counts *c);	/* one of them */
/*
 * The most frequent offset (of equal ones the nearest, then the one before) and its share; NAN
 * without arcs.
 */
double syntax_counts_baseline(const struct syntax_counts *c, int *offset);

/* Hits of one head: hits[entry * SYNTAX_WAYS + way]; best has room for a word or piece each. */
void syntax_hits_add(int64_t *hits, const struct syntax_arcs *a, const struct head_weights *w,
		     enum syntax_unit unit, int *best, double *row);

#endif
