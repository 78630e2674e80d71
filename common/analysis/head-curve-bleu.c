/* head-curve-bleu: BLEU of a model with some heads masked; see head-curve.h. */
#include <stdlib.h>

#include "analysis/head-curve.h"
#include "base/mem.h"
#include "search/piece-bleu.h"
#include "search/translate.h"

int
head_curve_keep(struct head_curve *c, const struct record *rec, struct err *e)
{
	c->text = mem_grow(c->text, &c->text_room, c->n_texts + 1, sizeof(*c->text));
	c->text[c->n_texts++] = record_new();
	return record_copy(c->text[c->n_texts - 1], rec)
		? err_set(e, EXIT_INPUT, "record %zu: cannot be copied", c->n_texts) : 0;
}

static double
score(const struct head_curve *c, const struct translate_job *job)
{
	struct piece_bleu p;
	double bleu;

	piece_bleu_open(&p);
	for (size_t i = 0; i < c->n_texts; i++)
		piece_bleu_add(&p, c->m, c->text[i], &job[i].out.best[0]);
	bleu = piece_bleu_score(&p);
	piece_bleu_close(&p);
	return bleu;
}

static struct translate_job *
list_jobs(const struct head_curve *c)
{
	struct translate_job *job = xcalloc(c->n_texts + 1, sizeof(*job));

	for (size_t i = 0; i < c->n_texts; i++)
		job[i] = (struct translate_job){ .rec = c->text[i], .number = (int64_t)i,
				       .n_tokens = batch_pieces(c->text[i], false) };
	return job;
}

int
head_curve_translate(struct head_curve *c, struct pass *p, int beam, bool cut,
		     head_curve_done *done, void *arg, struct err *e)
{
	struct translate_job *job = list_jobs(c);
	struct translator t;
	int status = 0;

	translator_init(&t, c->m, p);
	t.cut = cut;
	t.search = piece_bleu_search(&c->m->recipe, beam);
	for (size_t i = 0; !status && i < c->n_masks; i++) {
		head_curve_set(c, i);
		translate_begin(&t);
		status = translate_window(&t, job, (int)c->n_texts, e);
		if (!status)
			c->bleu[i] = score(c, job);
		if (done)
			done(arg, i + 1);
	}
	translator_release(&t);
	free(job);
	return status;
}
