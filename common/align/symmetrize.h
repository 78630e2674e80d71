/*
 * symmetrize: combines the word alignments of a sentence pair in both directions (Och and Ney 2003,
 * A systematic comparison of various statistical alignment models; Koehn, Och and Marcu 2003,
 * Statistical phrase-based translation, section 3.1).
 *
 * In the forward direction, each target word is linked with at most one source word; in the
 * backward direction, each source word is linked with at most one target word.  The three methods
 * whose names begin with grow-diag first add the links that both directions have.  Then they visit
 * the links of either direction, ordered by source word and then by target word.  A visited link is
 * added if it is next to an added link, horizontally, vertically or diagonally, and if one of its
 * words has no added link.  The visits are repeated until none adds a link.  Then
 * grow-diag-final-and adds the links of the forward direction whose words both have no added link,
 * and after them such links of the backward direction.  grow-diag-final does the same with links of
 * which at least one word has no added link.
 */
#ifndef SYMMETRIZE_H
#define SYMMETRIZE_H

#include "data/links.h"

enum symmetrization {
	SYMMETRIZE_GROW_DIAG_FINAL_AND, SYMMETRIZE_GROW_DIAG_FINAL, SYMMETRIZE_GROW_DIAG,
	SYMMETRIZE_INTERSECTION, SYMMETRIZE_UNION, SYMMETRIZE_FORWARD, SYMMETRIZE_BACKWARD
};
/* The names, such as "grow-diag-final-and", by enum symmetrization; NULL-terminated. */
extern const char *const symmetrizations[];

/*
 * A sentence pair of `n_src` and `n_tgt` words, aligned in both directions.  For each word, the
 * arrays have the position, from 0, of the word on the other side with which it is linked, or -1.
 */
struct both_directions {
	int n_src, n_tgt;
	const int *source_of;		/* [n_tgt] forward direction */
	const int *target_of;		/* [n_src] backward direction */
};

/*
 * Replaces the contents of `links` by the combined alignment; all links are sure links
 * (data/links.h).
 */
void symmetrize(const struct both_directions *a, enum symmetrization method,
		struct link_set *links);

#endif
