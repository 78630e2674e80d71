/*
 * link-order: how much word order differs between two languages, by word alignments.
 *
 * The crossing share of a sentence is the fraction of the pairs of its links that cross: links i-j
 * and k-l cross if i < k and j > l.  That of a corpus is the mean over the sentences with at least
 * two links.
 */
#ifndef LINK_ORDER_H
#define LINK_ORDER_H

#include <stddef.h>
#include <stdint.h>

#include "data/links.h"

struct link_order {
	int64_t sentences;		/* number of sentences with at least two links */
	double sum, squares;		/* sums of their crossing shares, and of the squares of
					 * these */

	/* Private. */
	int *source, *sorted;
	size_t source_room, sorted_room;
};

void link_order_release(struct link_order *o);	/* initialize with zeros */
/* Adds the links of a sentence. */
void link_order_add(struct link_order *o, const struct link_set *links);

double link_order_mean(const struct link_order *o);	/* 0 without sentences */
double link_order_error(const struct link_order *o);	/* the standard error of the mean */

#endif
