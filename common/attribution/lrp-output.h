/*
 * lrp-output: what head-lrp writes: records of heads, or sentences with the relevance of tokens;
 * the header, the notes and the summary.
 */
#ifndef LRP_OUTPUT_H
#define LRP_OUTPUT_H

#include "attribution/lrp-lookahead.h"
#include "attribution/lrp-sums.h"
#include "stream/stream.h"

struct lrp_output {
	/* Set by the caller, who owns what the pointers point to: */
	bool tokens, quiet;
	const char *name;		/* the name of the measure of heads */
	const struct lrp_lookahead *ahead;
	const struct lrp_sums *sums;
	struct reader *in;
	struct writer *to;		/* set by lrp_output_open(); the caller finishes it */
};

/*
 * Settings in the header: the tokens with which the model begins every source and target.  Absent
 * or "": no such token.
 */
extern const char *const lrp_first_tokens[2];

/* Opens the output and declares its fields and its settings.  Returns -1 as writer_open(). */
int lrp_output_open(struct lrp_output *o, const char *path, unsigned flags,
		    struct err *e) MUST_USE;
/*
 * Call it after the last sentence.  Writes the records of the heads, unless `tokens` is set, and
 * the notes.
 */
int lrp_output_end(struct lrp_output *o, struct err *e) MUST_USE;
/* Prints a warning about large losses and, unless quiet, a summary to standard error. */
void lrp_output_summary(const struct lrp_output *o);

#endif
