/*
 * bitext: the sentence pairs of a corpus, as ids of words, for word alignment.
 *
 * The caller chooses the ids.  On each side they run from 0 to n_vocab - 1.  Id 0 of the source
 * side, ALIGN_NULL, is the empty word, which no sentence contains.
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
	size_t *start;			/* [sentences + 1] index in word of each first word */
	size_t n, room, start_room;	/* n: number of words of all sentences */
};

struct bitext {
	struct bitext_side src, tgt;
	size_t sentences;		/* number of sentence pairs */
};

/*
 * Makes an empty bitext.  `n_src` and `n_tgt` are the numbers of vocabulary entries of the two
 * sides; `n_src` includes the empty word.  The caller may still raise src.n_vocab and tgt.n_vocab
 * until a model is trained.
 */
void bitext_init(struct bitext *b, int n_src, int n_tgt);
void bitext_release(struct bitext *b);
/*
 * Adds a copy of a sentence pair: `src` has the ids of `n_src` words, `tgt` those of `n_tgt` words.
 * The copy takes 4 bytes per word.
 */
void bitext_add(struct bitext *b, int n_src, const int *src, int n_tgt, const int *tgt);

/*
 * Returns the ids of the words of sentence k, from 0, and sets *n to their number.  The array
 * belongs to the bitext, and is valid until the next bitext_add().
 */
const int *bitext_sentence(const struct bitext_side *s, size_t k, int *n);

#endif
