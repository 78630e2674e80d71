/* subwords: the subwords of a text, and the word of the text that each of them belongs to. */
#ifndef SUBWORDS_H
#define SUBWORDS_H

#include "bpe/bpe.h"
#include "bpe/spm.h"

#define SUBWORD_MARK "\xe2\x96\x81"	/* U+2581, which begins the words of SentencePiece */

/* Does a subword of n bytes begin with SUBWORD_MARK? */
bool subword_begins_with_mark(const char *s, size_t n);
/* Does a subword of n bytes end with BPE_SEPARATOR (bpe.h): does its word continue? */
bool subword_continues(const char *s, size_t n);

/* Empty if zero-initialized. */
struct subwords {
	struct str *v;		/* [n] the subwords; they point into `text` */
	int32_t *word;		/* [n] number of its word in the text, from 0 */
	size_t n;
	struct buf text;	/* the subwords, each with a space after it */
	size_t v_room, word_room;
};

void subwords_release(struct subwords *p);

/*
 * The following three functions replace the contents of p by the subwords of a text of n bytes, in
 * which words are separated by spaces (U+0020).  The subwords are the words themselves
 * (subwords_words()), or those by the BPE codes of a coder (subwords_bpe()), or those by a
 * SentencePiece model (subwords_spm()).
 */
void subwords_words(struct subwords *p, const char *s, size_t n);
void subwords_bpe(struct subwords *p, struct bpe_coder *c, const char *s, size_t n);
/*
 * A subword of SentencePiece belongs to the word of its first character that normalization neither
 * removes nor turns into a space.  If the text has no other spaces than U+0020, that is the word
 * which begins at the last U+2581.  With the segmentation of bytes.h, a space belongs to the word
 * after it, or at the end of the text to the last word.  `sampling` is that of spm_cut() (spm.h).
 * Returns -1 if spm_cut() fails.
 */
int subwords_spm(struct subwords *p, const struct spm *m, const char *s, size_t n,
		 const struct spm_sampling *sampling, struct err *e) MUST_USE;

/*
 * Does each word of the text, n bytes at s, have a subword in p?  Words that the normalization of a
 * SentencePiece model removes have none.
 */
bool subwords_of_all_words(const struct subwords *p, const char *s, size_t n);

/*
 * Sets `word[n]` to the number of the word of each of n subwords, from 0.  If `marks` is true, a
 * word begins with each subword that begins with U+2581, as in SentencePiece.  Otherwise, a word
 * ends with each subword that does not end with "@@".
 */
void subwords_words_of(const struct str *piece, size_t n, bool marks, int32_t *word);

/* Appends the subwords in p to `out`, separated by spaces. */
void subwords_join(const struct subwords *p, struct buf *out);

/*
 * Appends the text of n subwords of SentencePiece to `out`: the subwords one after the other, with
 * a space for each U+2581, but not for a U+2581 at the start.  Unlike spm_restore(), the function
 * needs no model, and leaves subwords such as <0x0A> as they are.
 */
void subwords_merge(const struct str *piece, size_t n, struct buf *out);

#endif
