/*
 * gated-bleu: BLEU of a model's translations with the current gates, for a text that is kept in
 * memory and translated again and again.  BLEU is that of piece-bleu.h.
 */
#ifndef GATED_BLEU_H
#define GATED_BLEU_H

#include "search/piece-bleu.h"
#include "search/translate.h"

struct gated_bleu {
	struct record **text;		/* [n] copies */
	size_t n, room;
	struct model *m;		/* since gated_bleu_begin(), as the rest */
	struct translate_job *job;	/* [n] */
	struct translator translator;
};

/* Adds a copy of the record, with its reference.  Returns -1 with EXIT_INPUT. */
int gated_bleu_keep(struct gated_bleu *g, const struct record *rec, struct err *e) MUST_USE;
/*
 * Prepares translations of the kept records with the recipe's search, but this beam.  With cut,
 * sentences that are too long are truncated.
 */
void gated_bleu_begin(struct gated_bleu *g, struct model *m, struct pass *p, int beam, bool cut);
/* Translates all records and computes BLEU.  Returns -1 with EXIT_INPUT as translate_window(). */
int gated_bleu_score(struct gated_bleu *g, double *bleu, struct err *e) MUST_USE;
/* g may be all zeros. */
void gated_bleu_release(struct gated_bleu *g);

#endif
