/*
 * gold: batches of a treebank, and the network's loss on them.
 *
 * Missing annotation, such as constituents or the tag of a word, contributes nothing to the loss.
 */
#ifndef GOLD_H
#define GOLD_H

#include "parser/network.h"

/* CoNLL-U's missing relation, the label of all arcs if no arc of a treebank has a relation. */
#define NO_LABEL "_"

/*
 * Makes a network for a treebank, with all its labels and the forms that occur at least min_count
 * times.  Parameters are not allocated.  Returns NULL and EXIT_USAGE if the settings contradict
 * each other.
 */
struct network *gold_network(const struct treebank *b, const struct network_config *c,
			     int64_t min_count, struct err *e) MUST_USE;

/* A treebank encoded for a network.  Both must outlive it. */
struct gold_bank {
	const struct treebank *bank;
	const struct network *network;
	const struct word_code **code;	/* [forms of the treebank] */
	int *label[LABEL_SETS];		/* [labels of the treebank] the network's index, or -1 */
	struct arena mem;
};

void gold_bank_init(struct gold_bank *g, const struct treebank *b, const struct network *n);
void gold_bank_release(struct gold_bank *g);

/* The random numbers by which word embeddings are hidden in training are a function of these. */
struct gold_noise { uint64_t seed; uint32_t epoch; };

/*
 * The labels to predict; each array has rows.rows elements.  `first` is the row that is labeled,
 * `first` and `second` the two rows of a pair (network_pairs()), and `target` the index of the gold
 * label.
 */
struct gold_labels { struct layout rows; int *first, *second, *target; };

struct gold {
	struct pack pack;
	int words, arcs;		/* numbers of words, and of words with a gold head, in all
					 * sentences */
	int *head;			/* [rows]; see struct arcs */
	struct spans spans;
	struct gold_labels label[LABEL_SETS];
};

/*
 * Makes a batch of n sentences, given by their indices in the bank, in `mem`.  In training, `noise`
 * hides word embeddings and gives rows their keys for dropout; it is NULL for validation.
 */
void gold_make(const struct gold_bank *g, struct gold *b, const uint32_t *sentence, int n,
	       const struct gold_noise *noise, struct arena *mem);
/*
 * The sum of all losses, a scalar; NULL if the batch has no annotation.  The dropout masks depend
 * on the indices of the sentences and on the kinds of losses in the batch.
 */
struct node *gold_loss(struct network *n, struct tape *t, const struct gold *b);

#endif
