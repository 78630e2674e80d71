/* train-batch: forward and backward passes of a batch. */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "model/model-input.h"
#include "ops/ops.h"
#include "stream/store.h"
#include "train/trainer.h"

static void
need_records(struct records *r, size_t n)
{
	if (n <= r->room)
		return;
	r->record = xreallocarray(r->record, n, sizeof(struct record *));
	r->lent = xreallocarray(r->lent, n, sizeof(const struct record *));
	r->number = xreallocarray(r->number, n, sizeof(*r->number));
	for (; r->room < n; r->room++)
		r->lent[r->room] = r->record[r->room] = record_new();
}

int
records_load(struct records *r, const struct model *m, const struct corpus *c,
	     const uint32_t *record, size_t n, struct err *e)
{
	need_records(r, n);
	for (size_t i = 0; i < n; i++) {
		r->number[i] = record[i];
		if (store_record(c->store, record[i], r->record[i], e))
			return -1;
		if (model_put_first_tokens(m, r->record[i], true, e))
			return err_wrap(e, "record %lld", (long long)record[i] + 1);
	}
	return 0;
}

void
records_release(struct records *r)
{
	for (size_t i = 0; i < r->room; i++)
		record_free(r->record[i]);
	free(r->record);
	free(r->lent);
	free(r->number);
}

/* Adds sentence by sentence, so that the sum does not depend on the batches. */
static void
train_batch_add_rows(const struct layout *l, const real *row, struct batch_sums *sums)
{
	for (int i = 0; i < l->n; i++) {
		double sum = 0;

		for (int j = l->start[i]; j < l->start[i] + l->len[i]; j++) {
			if (row[j] > (real)1e30)	/* -log 0: masked, or diverged */
				sums->masked++;
			else
				sum += (double)row[j];
		}
		sums->nll += sum;
	}
}

int
trainer_make_batch(struct trainer *t, struct records *x, const struct corpus *c,
		   const uint32_t *record, size_t n, struct arena *mem, struct batch *b,
		   struct err *e)
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
	r = records_load(x, t->model, c, record, n, e) ||
	    model_batch(t->model, b, mem, x->lent, x->number, (int)n, &rules, e);
	if (t->run.pass.training) {
		b->counts = t->counts;
		b->target = t->target;
	}
	profile_part(t->profile, before);
	return r ? -1 : 0;
}

/* Returns the loss; the tape is not rewound. */
static struct node *
forward(const struct trainer *t, struct tape *tape, const struct batch *b, struct batch_sums *sums)
{
	struct node *nll, *loss = model_loss(t->model, tape, b, &nll);

	sums->loss += (double)loss->x[0];
	sums->target += b->tgt.layout.rows;
	sums->tokens += b->src.layout.rows + b->tgt.layout.rows;
	train_batch_add_rows(&b->tgt.layout, op_cross_entropy_rows(nll), sums);
	return loss;
}

void
trainer_run_batch(const struct trainer *t, struct tape *tape, const struct batch *b, double scale,
		  struct batch_sums *sums)
{
	if (b->n)
		tape_gradient(tape, forward(t, tape, b, sums), (real)scale);
	tape_gradients_end(tape, &t->model->params);
	tape_rewind(tape);
}

int
trainer_batch(struct trainer *t, const struct corpus *c, const uint32_t *record, size_t n,
	      struct batch_sums *sums, struct means *y, struct err *e)
{
	struct tape *tape = t->run.tape;
	struct batch b;
	int r = trainer_make_batch(t, &t->records, c, record, n, tape_arena(tape), &b, e);

	if (!r) {
		forward(t, tape, &b, sums);
		attention_set_report(t->model->attention, tape, &b, y);
	}
	tape_rewind(tape);
	return r;
}

int
trainer_count(struct trainer *t, const uint32_t *record, size_t n, double *counts, struct err *e)
{
	struct batch b;
	int r;

	if (!n)
		return 0;
	r = trainer_make_batch(t, &t->records, &t->corpus, record, n, tape_arena(t->run.tape), &b,
			       e);
	if (!r)
		attention_set_count(t->model->attention, &b, counts);
	tape_rewind(t->run.tape);
	return r;
}
