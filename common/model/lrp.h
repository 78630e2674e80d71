/*
 * lrp: what made a model predict each symbol of a translation: the relevance of every head, of the
 * source's symbols and of the target's that were read before (methods 6.2).
 *
 * The model reads a sentence with its target once, teacher-forced, nothing random.  Then at every
 * position of the target one of relevance starts at the type the model holds most probable there, and goes
 * back through the whole model to the embeddings, where all of it must arrive.
 */
#ifndef LRP_H
#define LRP_H

#include <stdint.h>

#include "base/arena.h"
#include "model/model.h"
#include "tape/op.h"

struct lrp_sentence {
	int positions, symbols;		/* of the target, its end counted; of the source, with what the model adds */
	int *type;			/* [positions] where relevance starts */
	/*
	 * [positions, heads of all sites]: what flows through a head, those of the first site first
	 * (attention-heads.h): relevance of its output, summed over rows and numbers.
	 */
	double *head;
	double *src, *tgt;		/* [positions, symbols], [positions, positions]: of what each row reads */
	/*
	 * The largest of all positions: what eps took away with the rule epsilon; how far that and what has arrived
	 * are from 1, which is rounding; and the same in units of the sizes under way, see lrp_tolerance().
	 */
	double taken, lost, off;
};

struct lrp_job {
	const struct record *rec;	/* with tgt.pieces or tgt */
	int64_t number;			/* of the record in its stream, from 0 */
	struct lrp_sentence out;
};

struct lrp_stream;

struct lrp_tracer {
	struct model *model;
	const struct pass *pass;
	struct lrp how;
	double tolerance;		/* see lrp_tolerance() */
	bool cut;			/* what is too long loses its end; otherwise an error */
	size_t heads;			/* of all sites */
	real *gates;			/* ones */
	struct lrp_stream *stream;	/* [threads] lrp.c's own */
	int n_streams;
};

/* A rule's usual settings: eps, alpha and beta 1/2, the treatment of norms. */
struct lrp lrp_defaults(int rule);
/*
 * How far from 1 the sum of what arrives and of what eps takes may be, in units of the largest sum of sizes that an
 * op handed on where that is more: with the rule epsilon relevance has both signs, and large ones of both cancel.
 */
double lrp_tolerance(void);

/* From here to lrp_release() m has gates of 1; m and p, whose back end and pool are used, stay the caller's. */
void lrp_init(struct lrp_tracer *t, struct model *m, const struct pass *p, const struct lrp *how);
void lrp_release(struct lrp_tracer *t);
/*
 * All of the jobs, shared by the threads; what comes out lives until the next call.  EXIT_INPUT for a record that
 * does not fit the model; EXIT_SYSTEM if more than the tolerance is off, which is said of the record.
 */
int lrp_trace(struct lrp_tracer *t, struct lrp_job *job, int n, struct err *e) MUST_USE;

#endif
