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

/* Sentence k of a side has the words word[start[k]] to word[start[k + 1] - 1]. */
struct bitext_side {
	int n_vocab;
	int *word;
	size_t *start;
	size_t n, room, start_room;
};

struct bitext {
	struct bitext_side src, tgt;
	size_t sentences;
};

/* `n_src` includes the empty word; vocabularies may grow until the models are made. */
void bitext_init(struct bitext *b, int n_src, int n_tgt);
void bitext_release(struct bitext *b);
/* Adds a sentence pair, which takes 4 bytes per word. */
void bitext_add(struct bitext *b, int n_src, const int *src, int n_tgt, const int *tgt);

/* The words of a sentence, and their number. */
const int *bitext_sentence(const struct bitext_side *s, size_t k, int *n);

#endif
