/*
 * bitext: the sentence pairs of a corpus as ids of words, for models of translation.
 *
 * Ids of each side run from 0 to its n_vocab - 1.  Id 0 of the source, ALIGN_NULL, is the empty
 * word, which sentences do not contain.
 */
#ifndef BITEXT_H
#define BITEXT_H

#include <stddef.h>

enum { ALIGN_NULL = 0 };

/* One side of all sentence pairs.  Sentence k is word[start[k]] to word[start[k + 1] - 1]. */
struct bitext_side {
	int n_vocab;			/* number of vocabulary entries */
	int *word;			/* [n] ids of the words of all sentences, one after the
					 * other */
	size_t *start;			/* [sentences + 1] */
	size_t n, room, start_room;	/* n: words of all sentences */
};

struct bitext {
	struct bitext_side src, tgt;
	size_t sentences;
};

/*
 * Makes an empty bitext.  `n_src` and `n_tgt` are the numbers of vocabulary entries; `n_src` counts
 * the empty word.  The caller may still raise src.n_vocab and tgt.n_vocab until a model is made.
 */
void bitext_init(struct bitext *b, int n_src, int n_tgt);
void bitext_release(struct bitext *b);
/* Adds a copy of a sentence pair, of `n_src` and `n_tgt` words; it takes 4 bytes per word. */
void bitext_add(struct bitext *b, int n_src, const int *src, int n_tgt, const int *tgt);

/* Returns the words of sentence k, which remain the bitext's, and sets *n to their number. */
const int *bitext_sentence(const struct bitext_side *s, size_t k, int *n);

#endif
