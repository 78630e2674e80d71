/*
 * head-match: pairs each head of one model with the head of another model whose attention weights
 * in the same sentences are most alike.
 *
 * The distance of two heads is the Jensen-Shannon divergence of their weights p and q for one
 * query, averaged over queries, in nats.  H is the entropy.  Clark et al. 2019, section 6, sum over
 * queries instead.
 *
 *	JS(p, q) = H((p + q) / 2) - H(p) / 2 - H(q) / 2,	from 0 to ln 2
 *
 * As in attention-sums.h, the queries exclude end tokens.  The keys include them.  The heads of
 * each kind of attention, over all layers, are paired one to one so that the sum of the distances
 * is minimal (scores/assignment.h).  If the models have different numbers of heads, some heads of
 * the model with more heads have no match.
 *
 * The result is a table with these columns, and a row for each head of the first model.  Heads of a
 * kind of attention without weights in one of the streams have no row.
 *
 *	match.layer, match.head		the matching head of the second model, from 1
 *	match				the distance of the two heads
 *	match.random			the mean distance of the head to all heads of the second
 *					model of the same kind of attention, which is the expected
 *					distance of a random match
 *	match.within			the distance to the nearest other head of the first model
 *	match.stable			1 if the odd-numbered sentences alone and the even-numbered
 *					sentences alone give the same match, else 0
 */
#ifndef HEAD_MATCH_H
#define HEAD_MATCH_H

#include "analysis/head-table.h"

/*
 * Adds the rows and columns above to an initialized table `t` (head-table.h).  path[0] and path[1]
 * are the files of the two models, streams of sentences with attention weights
 * (stored-attention.h).  `flags` is that of reader_open() (stream/stream.h).  Sentences that have
 * weights in only one stream are left out, with a warning.  Returns -1 with EXIT_INPUT if the
 * tokens of the streams differ or no sentence has weights in both, or as stored_attention_open().
 */
int head_match(char *const path[2], unsigned flags, struct head_table *t, struct err *e) MUST_USE;

#endif
