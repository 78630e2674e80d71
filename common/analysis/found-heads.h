/*
 * found-heads: the heads that do one thing, by one measure with its standard error over sentences.
 *
 *	sink		share of the weights on special tokens and punctuation (sink-sums.h)
 *	copy		share of the rows whose largest weight is on an equal token, among those
 *			that have one (sink-tokens.h)
 *	position	largest share of rows whose largest weight is at the same offset, as in
 *			attention-sums.h
 *	syntax		accuracy for the relation and direction in which it exceeds its baseline
 *			most (syntax-sums.h); heads of encoder self-attention
 *
 * A head is found if its share of sinks is more than one half; if its share of copies is, and at
 * least ROLE_ARCS rows can copy; if its share at one offset is at least ROLE_POSITIONAL; or if it
 * is syntactic by head_roles_syntax().
 */
#ifndef FOUND_HEADS_H
#define FOUND_HEADS_H

#include "analysis/head-roles.h"
#include "analysis/sink-sums.h"

enum found_what { FOUND_ALIGN, FOUND_COPY, FOUND_SINK, FOUND_POSITION, FOUND_SYNTAX };
extern const char *const found_whats[];		/* the names, for an option */

enum { FOUND_MORE = 3 };
struct found_heads {
	/* Set by the caller: */
	enum found_what sought;		/* not FOUND_ALIGN, which aligning-heads.h finds */
	struct head_roles roles;	/* sites; for syntax also relations, margin and relative */

	int64_t sentences, target_rows;
	/* [heads of all sites] for FOUND_SINK and FOUND_COPY */
	struct found_sums { struct sink_sums all; struct ratio_error sink, copy; } *sums;
	/* [n] set by found_heads_rank(): the heads that were measured, the most typical first */
	struct found_row {
		const struct site *site;
		int number;			/* of the head at the site, from 0 */
		size_t at;			/* among the heads of all sites */
		double value, error;		/* NAN: not known */
		/*
		 * Three further measures, NAN if unknown.  FOUND_SINK: the weights on special
		 * tokens, on punctuation and on the first token.  FOUND_COPY: the number of rows
		 * that can copy, and the weights on special tokens and on content.  FOUND_POSITION:
		 * the offset, the confidence and the mean distance.  FOUND_SYNTAX: the baseline,
		 * how much the head exceeds it, and the number of arcs.
		 */
		double more[FOUND_MORE];
		char relation[128];		/* for FOUND_SYNTAX, such as "nsubj.dep" */
		double rank;		/* private: the key by which rows are sorted */
		bool found;
	} *row;
	size_t n, n_found;		/* rows; those that are found, which come first */
};

/*
 * The members that the caller sets must be set.  Returns -1 with EXIT_USAGE if there are no heads
 * that can be measured.
 */
int found_heads_begin(struct found_heads *f, struct err *e) MUST_USE;
void found_heads_release(struct found_heads *f);	/* accepts a struct of zeros */

/* Adds a sentence to a struct found_heads.  Returns -1 with EXIT_INPUT for a malformed tree. */
sentence_attention_take found_heads_add;

/*
 * Fills row, after the last sentence.  Returns -1 with EXIT_INPUT if the trees have no arcs of the
 * relations.
 */
int found_heads_rank(struct found_heads *f, struct err *e) MUST_USE;

#endif
