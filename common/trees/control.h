/*
 * control: baseline trees that depend only on the sentence length.
 *
 * If a system gains as much with these trees as with parses, syntax is not the reason for its gain.
 *
 *	adjacent	Heads: the previous word.  Constituents: adjacent words are joined in
 *			pairs, adjacent pairs are joined in pairs, and so on.  In a round with an
 *			odd number of constituents, the last one is joined in a later round.
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

/* The names above, which are values of options, by enum control; NULL-terminated. */
extern const char *const control_names[];

/*
 * The relation of all words except the root, which has "root" as in Universal Dependencies; the
 * label of all phrases; the part-of-speech tag of all words.
 */
#define CONTROL_RELATION "dep"
#define CONTROL_PHRASE   "X"
#define CONTROL_TAG      "X"

/*
 * Generate a tree over n >= 1 words.  Random trees are a function of `seed`, n and `sentence`, the
 * index of the sentence in its corpus.  Both functions allocate temporary memory in `scratch`, and
 * free it.
 *
 * control_heads() sets `head[i]` to the head of word i+1, from 1, or to 0 for the root.
 * control_tree() replaces the contents of `out`, which must be initialized (tree_init()), by the
 * constituency tree over `word[n]`, whose texts are copied.  The root of this tree is a phrase,
 * even for one word.
 */
void control_heads(enum control c, int n, uint64_t seed, uint32_t sentence, int *head,
		   struct arena *scratch);
void control_tree(enum control c, const char *const *word, int n, uint64_t seed,
		  uint32_t sentence, struct tree *out, struct arena *scratch);

#endif
