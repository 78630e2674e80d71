/*
 * gold: sentences with their trees as the network learns from them.
 *
 * What a sentence does not have (no constituents, a word without a part of speech) is left out of
 * the loss.
 */
#ifndef GOLD_H
#define GOLD_H

#include "parser/network.h"

/*
 * A network for a treebank: its labels, and those of its forms that occur min_count times or more.
 * Parameters are not allocated; NULL and EXIT_USAGE if the settings do not fit each other.
 */
struct network *gold_network(const struct treebank *b, const struct network_config *c,
			     int64_t min_count, struct err *e) MUST_USE;

/* A treebank with a network: its forms as numbers, its labels as the network's. */
struct gold_bank {
	const struct treebank *bank;
	const struct network *network;
	const struct word_code **code;	/* [forms] */
	int *label[LABEL_SETS];		/* [labels of the treebank] the network's number, or -1 */
	struct arena mem;
};

void gold_bank_init(struct gold_bank *g, const struct treebank *b, const struct network *n);
void gold_bank_release(struct gold_bank *g);

/*
 * Random words are hidden and rows get keys, while it is trained; seed and step as in struct pass.
 */
struct gold_noise { uint64_t seed; uint32_t epoch; };

/* Labels to choose: rows of a matrix, the second only where there are pairs, and what is right. */
struct gold_labels { struct layout rows; int *first, *second, *right; };

struct gold {
	struct pack pack;
	int words, arcs;		/* of all sentences; arcs that are known */
	int *head;			/* [rows], see struct arcs */
	struct spans spans;
	struct gold_labels label[LABEL_SETS];
};

/* Sentences of the bank as a batch, in mem; noise NULL: none. */
void gold_make(const struct gold_bank *g, struct gold *b, const uint32_t *sentence, int n,
	       const struct gold_noise *noise, struct arena *mem);
/*
 * The sum of all losses, a scalar; NULL if there is nothing to learn.  What dropout hides depends
 * on the sentences' numbers and on which kinds of losses the batch has.
 */
struct node *gold_loss(struct network *n, struct tape *t, const struct gold *b);

#endif
