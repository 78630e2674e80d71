/*
 * control: trees that know nothing of the sentence but its length.
 *
 * What a system gains with them it does not owe to syntax.  As heads and as constituents:
 *
 *	adjacent	each word's head is the word before; neighbours are joined two by two,
 *			the pairs again, and so on; one left over at the end waits for its turn
 *	right		the same heads; every phrase is a word and the rest, which is the
 *			constituency of these heads
 *	random		one of all projective trees with one word under the root, each as probable
 *			as any other; one of all binary bracketings, each as probable as any other
 */
#ifndef CONTROL_H
#define CONTROL_H

#include <stdint.h>

#include "base/arena.h"
#include "text/tree.h"

enum control { CONTROL_ADJACENT, CONTROL_RIGHT, CONTROL_RANDOM };

/* For options: the names above in this order, and NULL. */
extern const char *const control_names[];

/* Of all arcs (the root's is "root", as in UD), phrases and tags. */
#define CONTROL_RELATION "dep"
#define CONTROL_PHRASE   "X"
#define CONTROL_TAG      "X"

/*
 * Both for n >= 1 words; random trees are a function of seed, the sentence's number and n.
 *
 * head[i] is of word i+1, 1-based, 0 the root.  The tree has a phrase over the whole even for one
 * word.
 */
void control_heads(enum control c, int n, uint64_t seed, uint32_t sentence, int *head,
		   struct arena *scratch);
void control_tree(enum control c, const char *const *word, int n, uint64_t seed,
		  uint32_t sentence, struct tree *out, struct arena *scratch);

#endif
