/*
 * pcfg: an unlexicalised probabilistic context-free grammar, read off trees, and the best tree by
 * it.
 *
 * A weak parser on purpose: no words in its rules, no context above a phrase (Charniak 1996,
 * Tree-bank grammars).  Rules have the relative frequencies of the trees.  Long phrases are cut
 * in two, from the left: A -> B C D is A -> B @A|B and @A|B -> C D, where the part of a phrase,
 * @, knows its mother and the last `order` sisters before it (Klein and Manning 2003, Accurate
 * unlexicalized parsing).
 *
 * A word that was seen often has the tags that it was seen with; for a rare one these are mixed
 * with the tags of rare words that look alike, and an unknown one has those alone:
 * pcfg-lexicon.c.
 */
#ifndef PCFG_H
#define PCFG_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "text/tree.h"

enum {
	PCFG_ORDER = 1,			/* best on a development set, of 0, 1 and 2 */
	PCFG_LONGEST = 150,		/* words of a sentence that is parsed: half a second */
	PCFG_MOST_LABELS = 400		/* tags and phrases; parts are not limited */
};

struct pcfg;

/*
 * Trees one by one, then the grammar.  Labels are taken as they are: cut functions when reading.
 * A chain of phrases is a chain of rules; a phrase around nothing but one of its own label does
 * not count.  Labels lose a leading @; bytes up to the blank become _ .
 */
struct pcfg *pcfg_new(int order);
void pcfg_add(struct pcfg *g, const struct tree *t);
/* To be called once, before all that follows.  Fails if there are no trees or too many labels. */
int pcfg_finish(struct pcfg *g, struct err *e) MUST_USE;
void pcfg_free(struct pcfg *g);		/* NULL is fine */

/*
 * As text, a line each with tabs between: "heed-pcfg" and 1; root LABEL count; rule PARENT CHILD
 * count; rule PARENT LEFT RIGHT count; word TAG WORD count; and "end" with the number of lines
 * before.  What it wrote, read and written again, is the same byte for byte.
 */
void pcfg_write(const struct pcfg *g, struct buf *out);
/* A finished grammar, or NULL and an error that names the line. */
struct pcfg *pcfg_read(const char *text, size_t n, struct err *e) MUST_USE;

/*
 * out becomes the most probable tree over n >= 1 words, with the words as they are; returns the
 * natural logarithm of its probability (pcfg-lexicon.c says of what, if words are rare).
 *
 * A sentence of more than PCFG_LONGEST words, or of which the grammar knows no tree, gets a
 * right-branching one with each word's most frequent tag: *fallback is set, the result -INFINITY.
 * Exact; time O(n^3), memory O(n^2) from scratch, which is left as it was found.  Any number of
 * threads may parse with one grammar.
 */
double pcfg_parse(const struct pcfg *g, const char *const *word, int n, struct arena *scratch,
		  struct tree *out, bool *fallback);

/* Of a finished grammar: tags and phrases, parts of phrases, rules, words. */
struct pcfg_size { int labels, parts, unary, binary, words; };
struct pcfg_size pcfg_size(const struct pcfg *g);

#endif
