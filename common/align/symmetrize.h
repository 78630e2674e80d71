/*
 * symmetrize: combines the alignments of a sentence in both directions (Och and Ney 2003; Koehn,
 * Och and Marcu 2003, Statistical phrase-based translation, section 3.1).
 *
 * In one direction each target word has at most one source word; in the other, each source word has
 * at most one target word.  Growing starts with the links of both.  It visits the links of either
 * by source word, then by target word, and adds one that is a neighbor of an added link, also
 * diagonally, and has a word without link, until there are none left.  Then the links of the first
 * and of the second direction whose words are both without link (final-and), or of which one is
 * (final), are added.
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

/* Replaces the links; all are sure. */
void symmetrize(const struct both_directions *a, enum symmetrization method,
		struct link_set *links);

#endif
