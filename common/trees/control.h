/*
 * control: baseline trees that depend only on the sentence length.
 *
 * A system that gains as much with these trees as with parses does not owe its gain to syntax.
 *
 *	adjacent	Heads: the previous word.  Constituents: adjacent words are joined in
 *			pairs, then the pairs, and so on; the last one of an odd number is joined
 *			later.
 *	right		Heads: the previous word.  Constituents: right-branching, which is the
 *			constituency of these heads.
 *	random		Heads: uniform over all projective trees with one root word.
 *			Constituents: uniform over all binary bracketings.
 */
#ifndef CONTROL_H
#define CONTROL_H

#include <stdint.h>

#include "base/arena.h"
#include "trees/tree.h"

enum control { CONTROL_ADJACENT, CONTROL_RIGHT, CONTROL_RANDOM };

/* The option values: the names above, by enum control, then NULL. */
extern const char *const control_names[];

/* Labels of all arcs (except the root's, which is "root" as in UD), phrases and tags. */
#define CONTROL_RELATION "dep"
#define CONTROL_PHRASE   "X"
#define CONTROL_TAG      "X"

/*
 * Generate a tree over n >= 1 words.  Random trees are a function of `seed`, n and `sentence`, the
 * index of the sentence.  Both functions take temporary memory from `scratch`, and return it.
 *
 * control_heads() sets head[i] to the head of word i+1, 1-based; 0 is the root.  control_tree()
 * replaces `out`, which must be initialized (tree_init()), by the constituency tree, and copies the
 * texts of `word` into it.  This tree always has a phrase over the whole sentence, even for one
 * word.
 */
void control_heads(enum control c, int n, uint64_t seed, uint32_t sentence, int *head,
		   struct arena *scratch);
void control_tree(enum control c, const char *const *word, int n, uint64_t seed,
		  uint32_t sentence, struct tree *out, struct arena *scratch);

#endif
