/* order: the batches of a treebank in training, by the rules of data/corpus.h. */
#ifndef ORDER_H
#define ORDER_H

#include "data/corpus.h"
#include "parser/treebank.h"

struct sentence_order {
	struct corpus corpus;		/* only lengths, which are those of both sides */
	struct corpus_order order;
};

void sentence_order_init(struct sentence_order *o, const struct treebank *b);
void sentence_order_release(struct sentence_order *o);

#endif
