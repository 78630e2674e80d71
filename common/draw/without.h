/*
 * without: the effect of removing each head on sentences: the translation without the head, and the
 * change of the log-probability of the target.
 */
#ifndef WITHOUT_H
#define WITHOUT_H

#include "analysis/head-table.h"
#include "draw/pick.h"
#include "draw/probe.h"

struct without {
	struct buf *more;		/* [n] JSON members of each sentence, for walk_data.more */
	int n;
};

/*
 * Runs a model, once with all heads and once without each, over the sentences of p, as pick_fit()
 * left them.  Adds the measure `without` to t: the mean loss of log-probability per sentence.  A
 * sentence without a target has the translation of the whole model instead.  `name` is the name of
 * the model, for messages.  Call without_release() in any case.  Returns -1 as probe.h does.
 */
int without_run(struct without *w, struct model *m, struct runtime *run, const char *name,
		const struct pick *p, struct head_table *t, struct err *e) MUST_USE;
void without_release(struct without *w);

#endif
