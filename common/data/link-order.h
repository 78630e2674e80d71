/*
 * link-order: how much word order differs between two languages, by word alignments.
 *
 * A link i-j connects source word i and target word j.  Two links i-j and k-l cross if k is after
 * i, but l is before j.  The crossing share of a sentence is the number of pairs of its links that
 * cross, divided by the number of all pairs of its links.  The crossing share of a corpus is the
 * mean over its sentences with at least two links.
 */
#ifndef LINK_ORDER_H
#define LINK_ORDER_H

#include <stddef.h>
#include <stdint.h>

#include "data/links.h"

struct link_order {
	int64_t sentences;		/* number of sentences with at least two links */
	double sum, squares;		/* sum of their crossing shares; sum of the squares of their
					 * crossing shares */

	/* Private. */
	int *memory;			/* source words, and as much to sort them */
	size_t room;
};

void link_order_release(struct link_order *o);
/* Adds a sentence with these links.  Zero-initialize o before the first sentence. */
void link_order_add(struct link_order *o, const struct link_set *links);

/* The mean, 0 without sentences; its standard error, 0 for fewer than two sentences. */
double link_order_mean(const struct link_order *o);
double link_order_error(const struct link_order *o);

#endif
