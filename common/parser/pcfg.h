/*
 * pcfg: an unlexicalized probabilistic context-free grammar, read off trees, and its Viterbi
 * parser.
 *
 * It is weak on purpose: rules have no words and no context above a phrase (Charniak 1996,
 * Tree-bank grammars).  Rule probabilities are relative frequencies.  Phrases with more than two
 * children are binarized from the left: A -> B C D becomes A -> B @A|B and @A|B -> C D.  The name
 * of such a part (@) has the parent and the last `order` siblings before it (Klein and Manning
 * 2003, Accurate unlexicalized parsing).
 *
 * A frequent word has the tags that it was seen with.  For a rare word, these are interpolated with
 * the tags of rare words of the same class; an unknown word has only the latter.  See
 * pcfg-lexicon.c.
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
	PCFG_ORDER = 1,			/* the best of 0, 1 and 2 on a development set */
	PCFG_MAX_WORDS = 150,		/* in a parsed sentence; such a sentence takes half a
					 * second */
	PCFG_MAX_LABELS = 400		/* tags and phrases; parts are not limited */
};

struct pcfg;

/*
 * Training: pcfg_new(), pcfg_add() for each tree, then pcfg_finish().  Labels are used as they are;
 * remove function labels when reading.  A unary chain is a chain of rules; a phrase whose only
 * child has the same label does not count.  Labels lose leading @; bytes up to the space character
 * become _.
 */
struct pcfg *pcfg_new(int order);
void pcfg_add(struct pcfg *g, const struct tree *t);
/*
 * Must be called once, before the functions below.  Returns -1 without trees, or with more than
 * PCFG_MAX_LABELS labels.
 */
int pcfg_finish(struct pcfg *g, struct err *e) MUST_USE;
void pcfg_free(struct pcfg *g);		/* g may be NULL */

/*
 * Writes the grammar as text, in lines of tab-separated fields: "heed-pcfg" and 1; root LABEL
 * count; rule PARENT CHILD count; rule PARENT LEFT RIGHT count; word TAG WORD count; and "end" with
 * the number of lines before.  Reading and writing the text gives the same bytes.
 */
void pcfg_write(const struct pcfg *g, struct buf *out);
/* A finished grammar, or NULL and an error that names the line. */
struct pcfg *pcfg_read(const char *text, size_t n, struct err *e) MUST_USE;

/*
 * Sets `out` to the most probable tree over n >= 1 words and returns the natural logarithm of its
 * probability; for rare words, pcfg-lexicon.c defines it.
 *
 * A sentence with more than PCFG_MAX_WORDS words or without a parse gets a right-branching tree
 * with the most frequent tag of each word; then *fallback is true and the result is -INFINITY.  The
 * search is exact.  Time O(n^3); memory O(n^2) of `scratch`, which is released on return.  Any
 * number of threads may parse with one grammar.
 */
double pcfg_parse(const struct pcfg *g, const char *const *word, int n, struct arena *scratch,
		  struct tree *out, bool *fallback);

/*
 * The size of a finished grammar: `labels` are tags and phrases, and `parts` those that
 * binarization makes.
 */
struct pcfg_size { int labels, parts, unary, binary, words; };
struct pcfg_size pcfg_size(const struct pcfg *g);
bool pcfg_knows(const struct pcfg *g, const char *word);	/* is the word in a rule? */

#endif
