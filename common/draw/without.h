/*
 * without: the effect of removing each head of a model, on given sentences: the translation without
 * the head, and the change of the log-probability of the target.
 */
#ifndef WITHOUT_H
#define WITHOUT_H

#include "analysis/head-table.h"
#include "draw/pick.h"
#include "draw/probe.h"

struct without {
	struct buf *more;		/* [n] the results for each sentence, as JSON members for
					 * walk_data.more (walk-data.h) */
	int n;
};

/*
 * Overwrites *w.  Runs the model on the sentences of `p`, which pick_fit() (pick.h) has prepared:
 * once with all heads, and once without each head.  Adds the column "without" to the table `t`: by
 * how much the log-probability of the target falls without the head, in nats, averaged over the
 * sentences with a target.  `name` is the name of the model, for messages.  Returns -1 as
 * probe_record() and the other functions of probe.h.  Call without_release() also after an error.
 */
int without_run(struct without *w, struct model *m, struct runtime *run, const char *name,
		const struct pick *p, struct head_table *t, struct err *e) MUST_USE;
void without_release(struct without *w);

#endif
