/*
 * dep-phrases: converts a dependency tree to a constituency tree.
 *
 * The phrase of a word is the longest contiguous span around it that contains only its descendants
 * and itself.  In a projective tree, these are all its descendants.  In a non-projective tree,
 * descendants outside the span belong to the phrase of the nearest ancestor whose span contains
 * them: their arc is lifted, but no further than necessary (Kahane, Nasr and Rambow 1998).  Any two
 * phrases are disjoint or nested, and no two are equal.
 */
#ifndef DEP_PHRASES_H
#define DEP_PHRASES_H

#include "trees/conllu.h"
#include "trees/tree.h"

/*
 * Sets t, which must be initialized, to the tree of the phrases with more than one word; empty if s
 * is empty.  s must have heads.  If it has several roots, their phrases are in a node labeled ROOT.
 * The label of a phrase is the tag (UPOS) of its head followed by P:  (NOUNP (DET the) (NOUN dog)).
 * A tag that is "" or "_" becomes X.  Whitespace in tags and words becomes _, because brackets
 * cannot have any.  Time and memory O(n).
 */
void dep_phrases(const struct dep_sentence *s, struct tree *t);

#endif
