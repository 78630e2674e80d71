/*
 * order: in which order a treebank's sentences are taken, by what data/corpus.h knows of batches.
 */
#ifndef ORDER_H
#define ORDER_H

#include "data/corpus.h"
#include "parser/treebank.h"

struct sentence_order {
	struct corpus corpus;		/* only lengths; its words count as both sides */
	struct corpus_order order;
};

void sentence_order_init(struct sentence_order *o, const struct treebank *b);
void sentence_order_release(struct sentence_order *o);

#endif
