/*
 * pcfg: an unlexicalized probabilistic context-free grammar that is counted in trees, and its
 * Viterbi parser.
 *
 * The grammar is meant as a weak parser: its rules have no words and no context above a phrase
 * (Charniak 1996, Tree-Bank Grammars).  Rule probabilities are relative frequencies.  Phrases with
 * more than two children are binarized from the left: A -> B C D becomes A -> B @A|B and @A|B -> C
 * D.  The new symbol, @A|B, is called a part.  Its name has the parent and the last `order`
 * siblings before it (Klein and Manning 2003, Accurate Unlexicalized Parsing).
 *
 * A frequent word has the tags that it has in the trees.  For a rare word, these are interpolated
 * with the tags of rare words of the same class, that is, with the same shape and ending.  An
 * unknown word has the tags of its class.  pcfg-lexicon.c has the formulas.
 */
#ifndef PCFG_H
#define PCFG_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "trees/tree.h"

enum {
	PCFG_ORDER = 1,			/* the order that was best of 0, 1 and 2 on a development
					 * set */
	PCFG_MAX_WORDS = 150,		/* maximum number of words of a parsed sentence; such a
					 * sentence takes half a second */
	PCFG_MAX_LABELS = 400		/* maximum number of labels of tags and phrases; parts are
					 * not limited */
};

struct pcfg;

/*
 * To train a grammar, call pcfg_new(), pcfg_add() for each tree, then pcfg_finish().  Labels are
 * counted as they are in the tree, so function labels must be removed before.  A unary chain is
 * counted as unary rules, except a phrase whose only child has the same label.  Leading @ are
 * removed from labels, and control characters and spaces become _.
 */
struct pcfg *pcfg_new(int order);
void pcfg_add(struct pcfg *g, const struct tree *t);
/*
 * Computes the probabilities.  Must be called once, before the functions below.  Returns -1 if no
 * tree was added, or if there are more than PCFG_MAX_LABELS labels.
 */
int pcfg_finish(struct pcfg *g, struct err *e) MUST_USE;
void pcfg_free(struct pcfg *g);		/* g may be NULL */

/*
 * Appends the grammar as text, in lines of tab-separated fields: first "heed-pcfg" and 1; then
 * lines root LABEL count, rule PARENT CHILD count, rule PARENT LEFT RIGHT count, and word TAG WORD
 * count; last "end" and the number of lines before it.  A grammar that was read is written with the
 * same bytes.
 */
void pcfg_write(const struct pcfg *g, struct buf *out);
/*
 * Reads the text of a grammar of n bytes.  Returns a finished grammar, or NULL with an error that
 * names the line.
 */
struct pcfg *pcfg_read(const char *text, size_t n, struct err *e) MUST_USE;

/*
 * Overwrites `out` with the most probable tree over n >= 1 words, and returns the natural logarithm
 * of its probability.  The probabilities of rare and unknown words are estimates (pcfg-lexicon.c).
 *
 * A sentence with more than PCFG_MAX_WORDS words, or without a parse, gets a right-branching tree
 * with the most probable tag of each word; *fallback is then true, and the result is -INFINITY.
 * The search is exact.  Takes time O(n^3), and memory O(n^2) of `scratch`, which is released on
 * return.  Any number of threads may parse with one grammar.
 */
double pcfg_parse(const struct pcfg *g, const char *const *word, int n, struct arena *scratch,
		  struct tree *out, bool *fallback);

/*
 * The size of a finished grammar: numbers of labels of tags and phrases, of parts, of unary and
 * binary rules, and of words.
 */
struct pcfg_size { int labels, parts, unary, binary, words; };
struct pcfg_size pcfg_size(const struct pcfg *g);
bool pcfg_knows(const struct pcfg *g, const char *word);	/* is the word in the trees of the
								 * grammar? */

#endif
