/*
 * link-set: the links of a sentence, sorted and without duplicates, and scores of such sets.
 *
 * Gold alignments have sure links S and possible links P, which include S.  A are the links that
 * are scored (Och and Ney 2003, A systematic comparison of various statistical alignment models,
 * equation 37):
 *
 *	precision = |A and P| / |A|
 *	recall = |A and S| / |S|
 *	alignment error rate = 1 - (|A and S| + |A and P|) / (|A| + |S|)
 *
 * over all sentences.  F1 is the harmonic mean of precision and recall.  The translation score is
 * the fraction of target words with a link in P that have a link in both A and P.  A fraction of
 * nothing is 0.
 */
#ifndef LINK_SET_H
#define LINK_SET_H

#include <stddef.h>
#include <stdint.h>

#include "data/links.h"

/* Sorted by target word, then by source word. */
struct link_set { struct link *v; size_t n, room; };

void link_set_release(struct link_set *s);
/* Empties the set, and adds the links in the order of the set. */
void link_set_clear(struct link_set *s);
void link_set_add(struct link_set *s, struct link link);
/*
 * Replaces the set by the links of a line.  Of duplicates, a sure link is kept.  -1 with EXIT_INPUT
 * as link_next().
 */
int link_set_read(struct link_set *s, const char *line, const struct link_words *w,
		  struct err *e) MUST_USE;

/* Sums over sentences. */
struct link_score {
	int64_t links, sure, possible;	/* |A|, |A and S|, |A and P| */
	int64_t gold_sure;		/* |S| */
	int64_t words, right;		/* target words with a link in P; in both A and P */
};

void link_score_add(struct link_score *s, const struct link_set *gold, const struct link_set *a);

/* The measures precision, recall, f1, aer and translation.  Ends with {0}. */
struct link_measure { const char *name; double (*of)(const struct link_score *s); };
extern const struct link_measure link_measures[];
double link_score_aer(const struct link_score *s);
double link_score_translation(const struct link_score *s);

#endif
