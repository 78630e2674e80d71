/* training: what a parser training makes and frees; see training.h. */
#include <stdlib.h>

#include "base/lock.h"
#include "base/mem.h"
#include "parser/training.h"

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
