/*
 * symmetrize: combines the alignments of a sentence in both directions (Och and Ney 2003; Koehn,
 * Och and Marcu 2003, Statistical phrase-based translation, section 3.1).
 *
 * In one direction each target word has at most one source word; in the other, each source word has
 * at most one target word.  The methods grow-diag start with the links that both directions have.
 * They visit the links of either direction, ordered by source word and then by target word, and add
 * each one that is next to an added link, horizontally, vertically or diagonally, and that has a
 * word without a link; they repeat this until nothing is added.  Then final-and adds the links of
 * the first direction, and after them those of the second, whose words both have no link; final
 * adds those of which at least one word has no link.
 */
#ifndef SYMMETRIZE_H
#define SYMMETRIZE_H

#include "data/links.h"

enum symmetrization {
	SYMMETRIZE_GROW_DIAG_FINAL_AND, SYMMETRIZE_GROW_DIAG_FINAL, SYMMETRIZE_GROW_DIAG,
	SYMMETRIZE_INTERSECTION, SYMMETRIZE_UNION, SYMMETRIZE_FORWARD, SYMMETRIZE_BACKWARD
};
extern const char *const symmetrizations[];	/* their names, NULL-terminated */

/*
 * A sentence pair, aligned in both directions: for each word, the index of the word on the other
 * side with which it is linked, or -1.
 */
struct both_directions {
	int n_src, n_tgt;
	const int *source_of;		/* [n_tgt] */
	const int *target_of;		/* [n_src] */
};

/* Replaces `links` by the combined alignment; all links are sure (data/links.h). */
void symmetrize(const struct both_directions *a, enum symmetrization method,
		struct link_set *links);

#endif
