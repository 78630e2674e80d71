/* kept: puts sentences of setup.h into kept batches. */
#ifndef KEPT_H
#define KEPT_H

#include "setup.h"

#include "analysis/kept-batches.h"

/* The rules of batches with targets, without word dropout. */
UNUSED static struct batch_rules
kept_rules(const struct model *m)
{
	struct batch_rules rules;

	model_batch_rules(m, &rules);
	rules.word_dropout = 0;
	return rules;
}

/* Adds n sentences, such as "ab|kl", as one batch. */
UNUSED static void
kept_add(struct kept_batches *k, const char *const *text, int n)
{
	const struct batch_rules rules = kept_rules(k->m);
	struct record *rec[MOST];
	struct err e;

	for (int i = 0; i < n; i++) {
		const char *bar = strchr(text[i], '|');

		rec[i] = record_new();
		set_side(rec[i], "src.pieces", text[i], (size_t)(bar - text[i]));
		set_side(rec[i], "tgt.pieces", bar + 1, strlen(bar + 1));
	}
	if (kept_batches_add(k, (const struct record *const *)rec, n, &rules, &e))
		fail_msg("%s", e.text);
	for (int i = 0; i < n; i++)
		record_free(rec[i]);
}

#endif
