/*
 * train-bleu: BLEU of the development set as the model translates it now.
 *
 * On words as the training saw them (pieces joined, no further tokenization),
 * with sacreBLEU's default smoothing: good for comparing one validation with
 * another, not a number to publish.
 */
#include "model/search.h"
#include "model/trainer.h"
#include "stream/stream.h"
#include "text/bleu.h"
#include "text/bpe.h"

#define LONGEST_RATIO 1.5	/* of source symbols: an untrained model does not stop by itself */
#define LONGEST_EXTRA 10

struct scoring {
	struct metric metric;
	void *scratch;
	int64_t sums[BLEU_WIDTH];
	struct buf pieces, words;
};

static void
join(struct scoring *s, const char *piece, size_t n)
{
	if (s->pieces.n)
		buf_add_char(&s->pieces, ' ');
	buf_add(&s->pieces, piece, n);
}

/* The words of what was joined, in s->words; the pieces are gone. */
static void
restore(struct scoring *s)
{
	buf_clear(&s->words);
	bpe_restore(s->pieces.n ? s->pieces.data : "", s->pieces.n, "@@", &s->words);
	buf_clear(&s->pieces);
	buf_room(&s->words, 1);
}

static void
score_one(struct scoring *s, const struct model *m, const struct record *reference, const struct hypothesis *h)
{
	const struct str *piece;
	int32_t stats[BLEU_WIDTH];
	size_t n = 0;

	if (!record_strs(reference, "tgt.pieces", &piece, &n))
		for (size_t i = 0; i < n; i++)
			join(s, piece[i].s, piece[i].n);
	restore(s);
	s->metric.reference(s->scratch, 0, s->words.data, s->words.n);
	for (int i = 0; i < h->n; i++) {
		const char *text = vocab_text(&m->tgt, h->id[i], &n);

		join(s, text, n);
	}
	restore(s);
	s->metric.hypothesis(s->scratch, s->words.data, s->words.n, stats);
	for (int i = 0; i < BLEU_WIDTH; i++)
		s->sums[i] += stats[i];
}

static struct search_settings
search_settings(const struct trainer *t)
{
	return (struct search_settings){
		.variant = (enum search_variant)t->recipe.search, .beam = (int)t->set->dev_beam, .n_best = 1,
		.length_penalty = t->recipe.length_penalty, .max_ratio = LONGEST_RATIO,
		.max_extra = LONGEST_EXTRA, .min_length = 1,
	};
}

static int
translate(struct trainer *t, struct searcher *by, struct scoring *s, const uint32_t *record, size_t n,
	  struct err *e)
{
	struct arena mem;
	struct translation *out;
	struct batch b;
	int r;

	arena_init(&mem, 0);
	out = ARENA_ARRAY(&mem, struct translation, n);
	r = records_load(&t->records, &t->dev, record, n, e) ||
	    model_batch(t->model, &b, &mem, t->records.lent, t->records.number, (int)n, NULL, e) ||
	    search_batch(by, &b, NULL, NULL, &mem, out, e);
	for (size_t i = 0; !r && i < n; i++)
		score_one(s, t->model, t->records.lent[i], &out[i].best[0]);
	arena_release(&mem);
	return r ? -1 : 0;
}

/* Counts: exact as doubles, in any order. */
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
	const struct bleu how = { .variant = BLEU_SACREBLEU, .tokenizer = "none", .tokenize = tokenize_none,
				  .smooth = BLEU_EXP, .smooth_value = -1 };
	const struct search_settings search = search_settings(t);
	struct searcher *by = searcher_new(t->model, &t->run.pass, &search);
	struct scoring s = { .metric = bleu_metric(&how) };
	int r = 0;

	s.scratch = s.metric.open(s.metric.how);
	for (size_t i = (size_t)t->ranks->me; !r && i < t->dev_order.n_batches; i += (size_t)t->ranks->n) {
		const uint32_t *record;
		size_t n = corpus_order_batch(&t->dev_order, i, &record);

		r = translate(t, by, &s, record, n, e);
	}
	if (!r)
		sum_over_ranks(t, s.sums);
	*bleu = s.metric.score(s.sums, s.metric.how);
	s.metric.close(s.scratch);
	searcher_free(by);
	buf_release(&s.pieces);
	buf_release(&s.words);
	if (!r)
		return 0;
	err_wrap(e, "%s", t->set->dev);
	return ranks_fail(t->ranks, e);
}
