/*
 * lrp-lookahead: sentences that are read ahead, traced together, and written in input order.
 *
 * The predictions that are explained are those of the record's reference (tgt) or translation
 * (hyp); a missing translation is made first.
 */
#ifndef LRP_LOOKAHEAD_H
#define LRP_LOOKAHEAD_H

#include <stdbool.h>

#include "attribution/lrp.h"
#include "model/model-input.h"
#include "search/forced.h"
#include "search/translate.h"

enum { LRP_SENTENCES = 256 };		/* maximum read ahead */

struct lrp_lookahead {
	struct model *m;
	enum forced_target target;
	struct translator translator;
	struct lrp_tracer tracer;
	struct audit audit;
	int n;				/* sentences */
	struct lrp_ahead {
		struct record *rec;
		struct record *traced;	/* a copy in which tgt is replaced by the target that is
					 * traced */
		struct translate_job *job;	/* in `job` below, if a translation is needed; or
						 * NULL */
		struct lrp_job *lrp;	/* in `lrp` below; NULL: the source is empty */
		bool skipped;
	} ahead[LRP_SENTENCES];
	struct translate_job job[LRP_SENTENCES];
	struct lrp_job lrp[LRP_SENTENCES];
	int n_jobs, n_lrp;
	struct arena mem;		/* until lrp_lookahead_clear() */
};

/* `too_long` is a too_long_action; returns -1 as audit_begin(). */
int lrp_lookahead_init(struct lrp_lookahead *l, struct model *m, struct pass *p,
		       const struct lrp *lrp, enum forced_target target, int too_long,
		       struct err *e) MUST_USE;
void lrp_lookahead_release(struct lrp_lookahead *l);

/*
 * Adds a copy of the current record of a reader; `number` is its number in the stream, from 0.
 * Returns -1 with EXIT_INPUT if it has no source or lacks the target, or is too
 * long; the message does not name the place.
 */
int lrp_lookahead_add(struct lrp_lookahead *l, const struct record *rec, int64_t number,
		      const struct reader *reader, struct err *e) MUST_USE;

/* Translates where necessary, and computes lrp[0] to lrp[n_lrp - 1]; errors name the record. */
int lrp_lookahead_trace(struct lrp_lookahead *l, struct err *e) MUST_USE;

/*
 * Sets lrp_token_fields in record i, and returns it: the contributions of source and target tokens
 * to each target token.  Deletes them if the sentence was skipped.
 */
struct record *lrp_lookahead_tokens(struct lrp_lookahead *l, int i);
extern const struct field lrp_token_fields[];

void lrp_lookahead_clear(struct lrp_lookahead *l);

#endif
