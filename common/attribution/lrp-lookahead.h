/*
 * lrp-lookahead: computes token attributions (lrp.h) of many sentences at a time, so that all
 * threads are busy, and keeps their order.
 *
 * The attributions explain predictions for a target, the reference (tgt) or the translation (hyp)
 * of the record.  If the translation is to be explained and is missing, the model translates the
 * source first.
 *
 * The caller adds up to LRP_SENTENCES records, calls lrp_lookahead_trace(), writes the results of
 * ahead[0] ... ahead[n - 1], and calls lrp_lookahead_clear().
 */
#ifndef LRP_LOOKAHEAD_H
#define LRP_LOOKAHEAD_H

#include <stdbool.h>

#include "attribution/lrp.h"
#include "model/model-input.h"
#include "search/forced.h"
#include "search/translate.h"

enum { LRP_SENTENCES = 256 };		/* maximum number of sentences at a time */

struct lrp_lookahead {
	struct model *m;
	enum forced_target target;
	struct translator translator;
	struct lrp_tracer tracer;
	struct audit audit;
	int n;				/* number of sentences so far */
	struct lrp_ahead {
		struct record *rec;
		struct record *traced;	/* a copy of `rec` in which tgt is the target that is
					 * explained */
		struct translate_job *job;	/* an element of `job` below if a translation is
						 * needed; or NULL */
		struct lrp_job *lrp;	/* an element of `lrp` below, with the result; NULL: the
					 * source is empty, or the sentence was skipped */
		bool skipped;
	} ahead[LRP_SENTENCES];
	struct translate_job job[LRP_SENTENCES];
	struct lrp_job lrp[LRP_SENTENCES];
	int n_jobs, n_lrp;
	struct arena mem;		/* of the sentences, freed by lrp_lookahead_clear() */
};

/*
 * Overwrites *l.  `lrp` has the settings of the method; `m` and `p` must outlive `l`.  `too_long`
 * tells what to do with sentences that are too long for the model, an enum too_long_action
 * (data/audit.h).  Returns -1 as audit_begin().
 */
int lrp_lookahead_init(struct lrp_lookahead *l, struct model *m, struct pass *p,
		       const struct lrp *lrp, enum forced_target target, int too_long,
		       struct err *e) MUST_USE;
void lrp_lookahead_release(struct lrp_lookahead *l);

/*
 * Adds a copy of `rec`, the current record of `reader`; `number` is the number of the record in the
 * stream, from 0.  Returns -1 with EXIT_INPUT if the record has no source or no target that is
 * needed, or is too long with TOO_LONG_FAIL; the message does not name the record.
 */
int lrp_lookahead_add(struct lrp_lookahead *l, const struct record *rec, int64_t number,
		      const struct reader *reader, struct err *e) MUST_USE;

/*
 * Translates sources whose translation is needed, and computes the results, l->lrp[0] ...
 * l->lrp[n_lrp - 1].  Returns -1 as translate_batches() or lrp_trace(); the message names the
 * record.
 */
int lrp_lookahead_trace(struct lrp_lookahead *l, struct err *e) MUST_USE;

/*
 * Returns record `i` of l->ahead with the fields of lrp_token_fields set: the predicted token of
 * each target position, and the contributions of source and target tokens to this prediction.  If
 * the sentence was skipped, these fields are deleted.  The record belongs to `l`.
 */
struct record *lrp_lookahead_tokens(struct lrp_lookahead *l, int i);
extern const struct field lrp_token_fields[];

void lrp_lookahead_clear(struct lrp_lookahead *l);

#endif
