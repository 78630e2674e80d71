/*
 * dep-phrases: converts a dependency tree to a constituency tree.
 *
 * The phrase of a word is the longest contiguous span around the word that contains only the word
 * and its descendants.  In a projective tree, the phrase contains all descendants.  In a
 * non-projective tree, a descendant outside the span belongs to the phrase of the nearest ancestor
 * whose span contains the descendant: its arc is lifted, but no further than necessary (Kahane,
 * Nasr and Rambow 1998, Pseudo-projectivity: a polynomially parsable non-projective dependency
 * grammar).  Any two phrases are disjoint or nested, and no two are equal.
 */
#ifndef DEP_PHRASES_H
#define DEP_PHRASES_H

#include "trees/conllu.h"
#include "trees/tree.h"

/*
 * Sets t, which must be initialized, to the tree of the phrases that have more than one word.  Each
 * word is below a node with its tag (UPOS).  t is empty if s is empty.  s must have heads.  If s
 * has several roots, their phrases are in a node labeled ROOT.  The label of a phrase is the tag of
 * its word followed by P: (NOUNP (DET the) (NOUN dog)).  A tag that is "" or "_" becomes X.
 * Whitespace in tags and words becomes _, because bracketed trees cannot contain it.  Time and
 * memory are proportional to the number of words.
 */
void dep_phrases(const struct dep_sentence *s, struct tree *t);

#endif
