/* head-curve-bleu: BLEU of a model with some heads masked; see head-curve.h. */
#include "analysis/head-curve.h"

int
head_curve_keep(struct head_curve *c, const struct record *rec, struct err *e)
{
	return gated_bleu_keep(&c->texts, rec, e);
}

int
head_curve_translate(struct head_curve *c, struct pass *p, int beam, bool cut,
		     head_curve_done *done, void *arg, struct err *e)
{
	gated_bleu_begin(&c->texts, c->m, p, beam, cut);
	for (size_t i = 0; i < c->n_masks; i++) {
		head_curve_set(c, i);
		if (gated_bleu_score(&c->texts, &c->bleu[i], e))
			return -1;
		if (done)
			done(arg, i + 1);
	}
	return 0;
}
