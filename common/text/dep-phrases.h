/*
 * dep-phrases: a constituency tree from a dependency tree.
 *
 * The phrase of a word is the longest stretch of words around it that it governs, directly or
 * through others, itself included.  Where the tree is projective this is the word with its
 * dependents, each with theirs; where it is not, what lies outside of the stretch belongs to the
 * phrase of the nearest ancestor whose stretch has it: its arc is lifted (Kahane, Nasr and Rambow
 * 1998), and no further than it must be.  Two phrases are disjoint or one is inside of the other,
 * and no two are the same.
 */
#ifndef DEP_PHRASES_H
#define DEP_PHRASES_H

#include "text/conllu.h"
#include "text/tree.h"

/*
 * t becomes the tree of the phrases of more than one word; a phrase has the part of speech (UPOS)
 * of its head and a P for its label: (NOUNP (DET the) (NOUN dog)).  One that is "" or "_" is X;
 * blanks in it and in words become _, for brackets cannot have any.  s has heads, with one
 * root.  Empty if s is.  Time and memory grow as the sentence.
 */
void dep_phrases(const struct dep_sentence *s, struct tree *t);

#endif
