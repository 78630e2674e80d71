/*
 * lrp-output: the output of head-lrp(1).  This is a stream of heads with their relevance, or of
 * sentences with the relevance of their tokens; and a summary for the user.
 */
#ifndef LRP_OUTPUT_H
#define LRP_OUTPUT_H

#include "attribution/lrp-lookahead.h"
#include "attribution/lrp-sums.h"
#include "stream/stream.h"

struct lrp_output {
	/* Set by the caller, who owns what the pointers point to: */
	bool tokens, quiet;		/* write sentences with the relevance of tokens, not heads;
					 * print no summary */
	const char *name;		/* name of the measure of heads, as in lrp_sums_fill() */
	const struct lrp_lookahead *ahead;
	const struct lrp_sums *sums;
	struct reader *in;
	struct writer *to;		/* set by lrp_output_open(); the caller finishes it */
};

/*
 * Keys of the header of a stream of sentences: the first token that the model adds to every source,
 * and to every target.  If the key is absent or its value is "", the model adds none.  Streams of
 * heads do not have these keys.
 */
extern const char *const lrp_first_tokens[2];

/*
 * Opens the file `path` and writes its header; `path` and `flags` are those of writer_open().
 * Returns -1 as writer_open().
 */
int lrp_output_open(struct lrp_output *o, const char *path, unsigned flags,
		    struct err *e) MUST_USE;
/*
 * Writes the records of the heads, unless o->tokens is true, and the notes of the stream, such as
 * numbers of sentences.  Call it after the last sentence.  Returns -1 if the output cannot be
 * written.
 */
int lrp_output_end(struct lrp_output *o, struct err *e) MUST_USE;
/*
 * Prints a warning to standard error if sentences lost more than LRP_LARGE_LOSS of relevance
 * (lrp-sums.h), and a summary unless o->quiet is true.
 */
void lrp_output_summary(const struct lrp_output *o);

#endif
