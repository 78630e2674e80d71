/* training: what a parser training makes and frees; see training.h. */
#include "parser/training.h"

#include <stdlib.h>
#include <string.h>

#include "base/lock.h"
#include "base/mem.h"

void
training_prepare(struct training *t)
{
	const struct parser_settings *s = t->set;
	struct network *n = t->parser.network;

	optimizer_init(&t->optimizer, &n->params, 0.9, s->beta2, s->eps, s->weight_decay);
	t->schedule = (struct schedule){
		.kind = SCHEDULE_LINEAR, .lr = s->lr, .warmup = s->warmup, .total = s->updates,
	};
	gold_bank_init(&t->gold, &t->bank, n);
	gold_bank_init(&t->gold_dev, &t->dev, n);
	sentence_order_init(&t->order, &t->bank);
	t->order_epoch = -1;
	t->parts = part_gradients_new(&t->gold, n, &t->run);
	if (s->keep_best)
		t->best = xcalloc(n->params.total, sizeof(real));
	t->prepared = true;
}

void
training_release(struct training *t)
{
	progress_end(&t->progress);
	part_gradients_free(t->parts);
	if (t->running)
		runtime_close(&t->run);
	if (t->prepared) {
		gold_bank_release(&t->gold);
		gold_bank_release(&t->gold_dev);
		sentence_order_release(&t->order);
		optimizer_release(&t->optimizer);
	}
	parser_release(&t->parser);
	treebank_release(&t->bank);
	treebank_release(&t->dev);
	buf_release(&t->settings);
	free(t->best);
	lock_release(t->lock);
}

/* --- order of batches --- */

void
sentence_order_init(struct sentence_order *o, const struct treebank *b)
{
	memset(o, 0, sizeof(*o));
	corpus_order_init(&o->order);
	o->corpus.n = o->corpus.n_used = b->n;
	o->corpus.pair = xcalloc(b->n + 1, sizeof(*o->corpus.pair));
	o->corpus.used = xcalloc(b->n + 1, sizeof(*o->corpus.used));
	for (size_t i = 0; i < b->n; i++) {
		int n = b->sentence[i].n < UINT16_MAX ? b->sentence[i].n : UINT16_MAX;

		o->corpus.used[i] = (uint32_t)i;
		o->corpus.pair[i].src = o->corpus.pair[i].tgt = (uint16_t)n;
	}
}

void
sentence_order_release(struct sentence_order *o)
{
	free(o->corpus.pair);
	free(o->corpus.used);
	corpus_order_release(&o->order);
}
