/* train-bleu: BLEU of the development set, translated by the current model. */
#include "search/piece-bleu.h"
#include "stream/stream.h"
#include "train/trainer.h"

static int
train_bleu_translate(struct trainer *t, struct searcher *searcher, struct piece_bleu *s,
		     const uint32_t *record, size_t n, struct err *e)
{
	struct arena mem;
	struct translation *out;
	struct batch b;
	int r;

	arena_init(&mem, 0);
	out = ARENA_ARRAY(&mem, struct translation, n);
	r = records_load(&t->records, t->model, &t->dev, record, n, e) ||
	    model_batch(t->model, &b, &mem, t->records.lent, t->records.number, (int)n, NULL, e) ||
	    search_batch(searcher, &b, NULL, NULL, &mem, out, e);
	for (size_t i = 0; !r && i < n; i++)
		piece_bleu_add(s, t->model, t->records.lent[i], &out[i].best[0]);
	arena_release(&mem);
	return r ? -1 : 0;
}

/* Counts are exact as doubles, in any order of addition. */
static void
sum_over_ranks(const struct trainer *t, int64_t *count)
{
	double sum[BLEU_WIDTH];

	for (int i = 0; i < BLEU_WIDTH; i++)
		sum[i] = (double)count[i];
	ranks_sum(t->ranks, sum, BLEU_WIDTH);
	for (int i = 0; i < BLEU_WIDTH; i++)
		count[i] = (int64_t)sum[i];
}

int
trainer_bleu(struct trainer *t, double *bleu, struct err *e)
{
	const struct search_settings search = piece_bleu_search(&t->recipe, (int)t->set->dev_beam);
	struct searcher *by = searcher_new(t->model, &t->run.pass, &search);
	struct piece_bleu s;
	int r = 0;

	piece_bleu_open(&s);
	for (size_t i = (size_t)t->ranks->me; !r && i < t->dev_order.n_batches;
	     i += (size_t)t->ranks->n) {
		const uint32_t *record;
		size_t n = corpus_order_batch(&t->dev_order, i, &record);

		r = train_bleu_translate(t, by, &s, record, n, e);
	}
	if (!r)
		sum_over_ranks(t, s.sums);
	*bleu = piece_bleu_score(&s);
	piece_bleu_close(&s);
	searcher_free(by);
	if (!r)
		return 0;
	err_wrap(e, "%s", t->set->dev);
	return ranks_fail(t->ranks, e);
}
