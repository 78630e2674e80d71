/*
 * head-match: pairs the heads of two models by what they attend to in the same sentences.
 *
 * The distance of two heads is the Jensen-Shannon divergence of their weights, averaged over rows,
 * in nats (Clark et al. 2019, section 6, there summed):
 *
 *	JS(p, q) = H((p + q) / 2) - H(p) / 2 - H(q) / 2,	from 0 to ln 2
 *
 * Rows are as in attention-sums.h, without those of end tokens; the columns of these count.  The
 * heads of each kind of attention, over all layers, are paired one to one so that the sum of the
 * distances is the lowest (scores/assignment.h).  If the models have different numbers of heads,
 * some heads of the larger one have no match.
 *
 * The columns of the table, by head of the first model:
 *
 *	match.layer, match.head		the head of the second model
 *	match				their distance
 *	match.random			mean distance to all heads of the second model of this kind,
 *					which is that of a random match
 *	match.within			distance to the nearest other head of the first model
 *	match.stable			1 if the sentences with odd numbers and those with even
 *					numbers give the same match, else 0
 */
#ifndef HEAD_MATCH_H
#define HEAD_MATCH_H

#include "analysis/head-table.h"

/*
 * Adds the matches of the heads in path[0] with those in path[1] to an initialized table.  Both are
 * streams of sentences with attention weights (stored-attention.h); `flags` as in reader_open().
 * Sentences that have weights in only one stream are left out, with a warning.  Returns -1 with
 * EXIT_INPUT if the streams are not of the same tokens or have no sentence in common, or as
 * stored_attention_open().
 */
int head_match(char *const path[2], unsigned flags, struct head_table *t, struct err *e) MUST_USE;

#endif
