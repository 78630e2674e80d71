/*
 * treebank-words: divides a tokenized sentence into the words of the treebanks of its language.
 *
 * The tokens of Moses and other tokenizers differ from the words of treebanks.  For English, the
 * treebanks are the Penn Treebank and Universal Dependencies v2; for German, UD GSD:
 *
 *	English	isn 't		is n't			boundary moved
 *		don't, cannot	do n't, can not		split
 *		15-year		15 - year		split, except after a prefix as in co-owner
 *		5pm		5 pm			split
 *		10 : 30		10:30			joined: times, dates, fractions, file names
 *		a @ b.org	a@b.org			joined: addresses
 *		! ! !		!!!			joined: marks, emoticons
 *	German	zum		zu dem			two syntactic words of one token
 *		US-Präsident	US - Präsident		split
 *
 * Words of the text that already are words of the treebank do not change.
 */
#ifndef TREEBANK_WORDS_H
#define TREEBANK_WORDS_H

#include <stdbool.h>

#include "base/arena.h"

struct treebank_rules;

/*
 * The n words of the treebank into which a text of n_text words is divided.  Words count from 0.
 */
struct treebank_words {
	const char **form;	/* [n] the words of the treebank */
	int *in_text;		/* [n] for each word of the treebank, the word of the text in
				 * which it begins; for the "n't" of "isn 't", that of "'t" */
	int *in_parse;		/* [n_text] for each word of the text, the word of the treebank in
				 * which it begins */
	int n, n_text;
	bool same;		/* each word of the text is a word of the treebank */
};

/* Returns the rules of the language with this code, "en" or "de"; NULL for other languages. */
const struct treebank_rules *treebank_rules_of(const char *lang);

/*
 * Sets t to the words into which the rules divide the n words of a text.  `word[n]` must be without
 * escapes (form.h).  If no word of the treebank begins in a word of the text, this word is part of
 * a word of the treebank that begins earlier.  All memory of t is allocated in `mem`.
 */
void treebank_words(struct treebank_words *t, const struct treebank_rules *rules,
		    const char *const *word, int n, struct arena *mem);

#endif
