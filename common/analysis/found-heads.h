/*
 * found-heads: the heads that do one thing, by one measure with its standard error over sentences.
 *
 *	sink		mean weight of a row on special tokens and punctuation (sink-sums.h)
 *	copy		share of the rows whose largest weight is on an equal token, among those
 *			that have one (sink-tokens.h)
 *	position	largest share of rows whose largest weight is at the same offset, as in
 *			attention-sums.h
 *	syntax		accuracy for the relation and direction in which it exceeds its baseline
 *			most (syntax-sums.h); heads of encoder self-attention
 *
 * A head is found as
 *
 *	sink		if the measure is more than 1/2
 *	copy		if the measure is more than 1/2, and at least ROLE_ARCS rows can copy
 *	position	if the measure is at least ROLE_POSITIONAL
 *	syntax		if it is syntactic by head_roles_syntax()
 */
#ifndef FOUND_HEADS_H
#define FOUND_HEADS_H

#include "analysis/head-roles.h"
#include "analysis/sink-sums.h"

enum found_what { FOUND_ALIGN, FOUND_COPY, FOUND_SINK, FOUND_POSITION, FOUND_SYNTAX };
extern const char *const found_whats[];	/* the names by enum found_what, then NULL */

enum { FOUND_MORE = 3 };
/* Zero-initialize it, then set the members of the caller, then call found_heads_begin(). */
struct found_heads {
	/* Set by the caller: */
	enum found_what sought;		/* not FOUND_ALIGN, which aligning-heads.h finds */
	struct head_roles roles;	/* sites; for position and syntax also relations; for syntax
					 * also margin and relative */

	/* Numbers of sentences that were added, and of their target tokens without end tokens. */
	int64_t sentences, target_rows;
	/* [heads of all sites] for FOUND_SINK and FOUND_COPY */
	struct found_sums { struct sink_sums all; struct ratio_error sink, copy; } *sums;
	/*
	 * [n] set by found_heads_rank(): all heads, or those of encoder self-attention for syntax.
	 * Those that were found come first, then the others; both are ordered by descending value,
	 * for syntax by how much they exceed the baseline.  Heads without a value come last.
	 */
	struct found_row {
		const struct site *site;
		int number;			/* index in site->head, among the retained heads */
		size_t at;			/* among the heads of all sites */
		double value, error;		/* NAN: not known */
		/*
		 * Three further measures, NAN if unknown; weights are means over rows.  FOUND_SINK:
		 * the weights on special tokens, on punctuation and on the first token that is not
		 * special.  FOUND_COPY: the number of rows that can copy, and the weights on
		 * special tokens and on content.  FOUND_POSITION: the offset, the confidence and
		 * the mean distance.  FOUND_SYNTAX: the baseline, how much the head exceeds it, and
		 * the number of arcs.
		 */
		double more[FOUND_MORE];
		char relation[128];		/* for FOUND_SYNTAX, such as "nsubj.dep" */
		double rank;		/* private: the key by which rows are sorted */
		bool found;
	} *row;
	size_t n, n_found;		/* numbers of rows, and of those that are found */
};

/*
 * Allocates the sums, and sets errors and trees of f->roles.  Returns -1 with EXIT_USAGE if there
 * are no heads that can be measured.
 */
int found_heads_begin(struct found_heads *f, struct err *e) MUST_USE;
void found_heads_release(struct found_heads *f);	/* accepts a struct of zeros */

/* Adds a sentence to a struct found_heads.  Returns -1 with EXIT_INPUT for a malformed tree. */
sentence_attention_take found_heads_add;

/*
 * Call it once, after the last sentence: fills row, n and n_found.  For syntax, returns -1 with
 * EXIT_INPUT if the trees have no arcs of the relations.
 */
int found_heads_rank(struct found_heads *f, struct err *e) MUST_USE;

#endif
