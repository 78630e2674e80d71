/* train-batch: a few records through the model, and back. */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "model/trainer.h"
#include "ops/ops.h"
#include "stream/store.h"

static void
need_records(struct trainer *t, size_t n)
{
	if (n <= t->n_records)
		return;
	t->record = xreallocarray(t->record, n, sizeof(struct record *));
	t->lent = xreallocarray(t->lent, n, sizeof(const struct record *));
	t->number = xreallocarray(t->number, n, sizeof(*t->number));
	for (; t->n_records < n; t->n_records++)
		t->lent[t->n_records] = t->record[t->n_records] = record_new();
}

int
trainer_records(struct trainer *t, const struct corpus *c, const uint32_t *record, size_t n, struct err *e)
{
	need_records(t, n);
	for (size_t i = 0; i < n; i++) {
		t->number[i] = record[i];
		if (store_record(c->store, record[i], t->record[i], e))
			return -1;
	}
	return 0;
}

/* Sentence by sentence, so that the sum does not know who shared a batch. */
static void
add_rows(const struct layout *l, const real *row, struct batch_sums *sums)
{
	for (int i = 0; i < l->n; i++) {
		double sum = 0;

		for (int j = l->start[i]; j < l->start[i] + l->len[i]; j++) {
			if (row[j] > (real)1e30)	/* -log 0: output_mask, or a model far gone */
				sums->masked++;
			else
				sum += (double)row[j];
		}
		sums->nll += sum;
	}
}

static int
make_batch(struct trainer *t, const struct corpus *c, const uint32_t *record, size_t n, struct batch *b, struct err *e)
{
	enum profile_part before = profile_part(t->profile, PROFILE_DATA);
	struct batch_rules rules;
	int r;

	model_batch_rules(t->model, &rules);
	rules.with_target = true;
	rules.seed = t->run.pass.seed;
	rules.step = t->run.pass.step;
	if (!t->run.pass.training)
		rules.word_dropout = 0;
	r = trainer_records(t, c, record, n, e) ||
	    model_batch(t->model, b, tape_arena(t->run.tape), t->lent, t->number, (int)n, &rules, e);
	profile_part(t->profile, before);
	return r ? -1 : 0;
}

int
trainer_batch(struct trainer *t, const struct corpus *c, const uint32_t *record, size_t n, double scale,
	      struct batch_sums *sums, struct err *e)
{
	struct node *loss, *nll;
	struct batch b;

	if (make_batch(t, c, record, n, &b, e)) {
		tape_rewind(t->run.tape);
		return -1;
	}
	loss = model_loss(t->model, t->run.tape, &b, &nll);
	sums->loss += (double)loss->x[0];
	sums->target += b.tgt.layout.rows;
	sums->tokens += b.src.layout.rows + b.tgt.layout.rows;
	add_rows(&b.tgt.layout, op_cross_entropy_rows(nll), sums);
	if (scale != 0)
		tape_gradient(t->run.tape, loss, (real)scale);
	tape_rewind(t->run.tape);
	return 0;
}

/* A function of the batch alone: neither threads nor a resumed run change a sum. */
static int
parts_of(const struct trainer *t, const uint32_t *record, size_t n)
{
	int64_t src, tgt;

	corpus_tokens(&t->corpus, record, n, &src, &tgt);
	return (int)(((src > tgt ? src : tgt) + TRAINER_PART - 1) / TRAINER_PART);
}

int
trainer_gradients(struct trainer *t, const uint32_t *record, size_t n, double scale, bool last,
		  struct batch_sums *sums, struct err *e)
{
	int parts = n ? parts_of(t, record, n) : 1;

	t->in_memory = mem_grow(t->in_memory, &t->in_memory_room, n + 1, sizeof(*t->in_memory));
	for (int i = 0; i < parts; i++) {
		size_t k = corpus_part(&t->corpus, record, n, i, parts, t->in_memory);

		if (last && i == parts - 1)
			gradient_sum_begin(&t->sum, t->run.tape);
		if (k && trainer_batch(t, &t->corpus, t->in_memory, k, scale, sums, e))
			return -1;
	}
	return 0;
}
