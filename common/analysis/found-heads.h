/*
 * found-heads: finds the heads of a model that have a given function, such as copying.  For each
 * function, a measure decides which heads have it; the measure has a standard error over sentences.
 *
 *	sink		the mean over queries of the weight on special tokens and punctuation
 *			(sink-sums.h)
 *	copy		the share of queries whose largest weight is on a key with the same token,
 *			among the queries that have such a key (sink-tokens.h)
 *	position	the share of queries whose largest weight is at the head's most frequent
 *			offset (attention-sums.h)
 *	syntax		only in encoder self-attention: the accuracy along dependency arcs
 *			(syntax-sums.h), for the relation and direction whose accuracy exceeds the
 *			baseline most; if the head is syntactic for some of them, among these only
 *
 * A head is found as
 *
 *	sink		if the measure is more than 1/2
 *	copy		if the measure is more than 1/2, and at least ROLE_ARCS queries have a key
 *			with the same token
 *	position	if the measure is at least ROLE_POSITIONAL
 *	syntax		if role_syntax.syntactic is true for any relation and direction
 *			(head_roles_syntax() in head-roles.h)
 */
#ifndef FOUND_HEADS_H
#define FOUND_HEADS_H

#include "analysis/head-roles.h"
#include "analysis/sink-sums.h"

enum found_what { FOUND_ALIGN, FOUND_COPY, FOUND_SINK, FOUND_POSITION, FOUND_SYNTAX };
extern const char *const found_whats[];	/* the names by enum found_what, then NULL */

enum { FOUND_MORE = 3 };
/* Initialize it with zeros, set the members of the caller, then call found_heads_begin(). */
struct found_heads {
	/* Set by the caller: */
	enum found_what sought;		/* which function; not FOUND_ALIGN, which is that of
					 * aligning-heads.h */
	struct head_roles roles;	/* the caller sets its member sites; for position and syntax
					 * also relations; for syntax also margin and relative
					 * (head-roles.h) */

	/* The number of sentences so far, and of their target tokens, without end tokens. */
	int64_t sentences, target_rows;
	/* Private: [heads of all sites] sums for FOUND_SINK and FOUND_COPY; else NULL. */
	struct found_sums { struct sink_sums all; struct ratio_error sink, copy; } *sums;
	/*
	 * [n] The heads of all sites, or for FOUND_SYNTAX those of encoder self-attention.
	 * found_heads_rank() measures and sorts them: the found heads come first, then the others.
	 * Within both groups, the order is by descending value, or for FOUND_SYNTAX by how much the
	 * value exceeds the baseline; heads without a value come last.
	 */
	struct found_row {
		size_t at;			/* index among the heads of all sites
						 * (attention/attention-heads.h) */
		double value, error;		/* the measure and its standard error; NAN if it is
						 * undefined */
		/*
		 * Three further measures, NAN if undefined; weights are means over queries.
		 * FOUND_SINK: the weights on special tokens, on punctuation, and on the first token
		 * that is not special.  FOUND_COPY: the number of queries with a key of the same
		 * token, the weight on special tokens, and the weight on content.  FOUND_POSITION:
		 * the most frequent offset, the confidence, and the mean distance.  FOUND_SYNTAX:
		 * the baseline, by how much the accuracy exceeds the baseline, and the number of
		 * arcs.
		 */
		double more[FOUND_MORE];
		char relation[128];		/* for FOUND_SYNTAX: the relation and the direction,
						 * such as "nsubj.dep"; else empty */
		double rank;		/* private: the key by which rows are sorted */
		bool found;
	} *row;
	size_t n, n_found;		/* number of elements of `row`, and of the found heads among
					 * them */
};

/*
 * Prepares `f` for sentences; also sets f->roles.errors and f->roles.trees.  Returns -1 with
 * EXIT_USAGE if the model has no heads that can be measured.
 */
int found_heads_begin(struct found_heads *f, struct err *e) MUST_USE;
void found_heads_release(struct found_heads *f);	/* accepts a struct of zeros */

/*
 * Adds a sentence; `arg` is a struct found_heads.  Returns -1 with EXIT_INPUT if the record lacks
 * tokens that the measure needs, or if its tree does not fit.
 */
sentence_attention_take found_heads_add;

/*
 * Sets `row`, `n` and `n_found`.  Call it once, after the last sentence.  For FOUND_SYNTAX, returns
 * -1 with EXIT_INPUT if no tree has an arc of any of the relations.
 */
int found_heads_rank(struct found_heads *f, struct err *e) MUST_USE;

#endif
