/*
 * gold: batches of sentences of a treebank with gold trees and tags, and the loss of a network on
 * them.
 *
 * Missing annotation, such as constituents or the tag of a word, contributes nothing to the loss.
 */
#ifndef GOLD_H
#define GOLD_H

#include "parser/network.h"

/*
 * "_" marks a missing relation in CoNLL-U.  It is the label of all arcs if no arc of a treebank has
 * a relation.
 */
#define NO_LABEL "_"

/*
 * Makes a network that predicts all kinds of labels of a treebank, and has word embeddings for the
 * forms that occur at least min_count times.  Its parameters are not allocated.  The caller frees
 * it with network_free().  Returns NULL with EXIT_USAGE if the settings contradict each other.
 */
struct network *gold_network(const struct treebank *b, const struct network_config *c,
			     int64_t min_count, struct err *e) MUST_USE;

/*
 * A treebank whose forms and labels are encoded for a network.  Treebank and network must outlive
 * it.
 */
struct gold_bank {
	const struct treebank *bank;
	const struct network *network;
	const struct word_code **code;	/* [bank->form.n] the input of each form */
	int *label[LABEL_SETS];		/* for each label of the treebank, its index in
					 * network->labels, or -1 */
	struct arena mem;
};

void gold_bank_init(struct gold_bank *g, const struct treebank *b, const struct network *n);
void gold_bank_release(struct gold_bank *g);

/*
 * Word dropout hides the embeddings of random words in training.  Which ones is a function of seed,
 * epoch and sentence.
 */
struct gold_noise { uint64_t seed; uint32_t epoch; };

/*
 * The n gold labels of one kind, and for each a key (rng_key() in base/rng.h): the dropout mask of
 * the label is a function of it, whatever the batch.  For a tag, `first` is the row of its word,
 * and `second` is not used.  For a relation or the label of a span, `first` and `second` are the
 * two rows of the pair (network_pairs()).  `target` is the index of the gold label in the network.
 */
struct gold_labels { int n; uint32_t *key; int *first, *second, *target; };

struct gold {
	struct pack pack;
	int words, arcs;		/* number of words, and of words with a gold head, in the
					 * batch */
	int *head;			/* [rows] gold heads, as in struct arcs of ops/ops.h */
	struct spans spans;		/* gold spans of at least two words (ops/ops.h) */
	struct gold_labels label[LABEL_SETS];
};

/*
 * Makes a batch b, in `mem`, of the n sentences whose indices in the treebank are `sentence`.  In
 * training, `noise` determines word dropout, and rows get the keys of their random numbers; in
 * validation `noise` is NULL.
 */
void gold_make(const struct gold_bank *g, struct gold *b, const uint32_t *sentence, int n,
	       const struct gold_noise *noise, struct arena *mem);
/*
 * Returns the sum of all losses over the batch, a scalar; NULL if the batch has no annotation
 * that the network can predict.
 * Dropout masks depend on the indices of the sentences and on which kinds of loss the batch has.
 */
struct node *gold_loss(struct network *n, struct tape *t, const struct gold *b);

#endif
