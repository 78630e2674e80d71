/*
 * gated-bleu: BLEU of a model's translations under masks of its heads, for a text that is kept in
 * memory.  BLEU is that of piece-bleu.h.
 *
 * As many sentences as there are threads for are translated under all masks before the next ones.
 * The encoder runs again only if gates of its heads have changed, so masks with the same encoder
 * should be adjacent.
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
	struct translate_plan plan;
	real *last;			/* [heads of the encoder] gates of the last translation */
};

struct gated_masks {
	size_t n;
	double *bleu;			/* [n] the results */
	void (*set)(void *arg, size_t mask);	/* sets the gates that model_gate() has */
	void *arg;
	void (*done)(void *done_arg, size_t masks);	/* reports progress; or NULL */
	void *done_arg;
};

/* Adds a copy of the record, with its reference.  Returns -1 with EXIT_INPUT. */
int gated_bleu_keep(struct gated_bleu *g, const struct record *rec, struct err *e) MUST_USE;
/*
 * Prepares translations of the kept records with the recipe's search, but this beam.  With cut,
 * sentences that are too long are truncated.
 */
void gated_bleu_begin(struct gated_bleu *g, struct model *m, struct pass *p, int beam, bool cut);
/*
 * Translates all records under each mask and computes BLEU.  The model must have gates.  Returns -1
 * with EXIT_INPUT as translate_batches().
 */
int gated_bleu_score(struct gated_bleu *g, const struct gated_masks *k, struct err *e) MUST_USE;
/* g may be all zeros. */
void gated_bleu_release(struct gated_bleu *g);

#endif
