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
 * Words that already are those of the treebank do not change.
 */
#ifndef TREEBANK_WORDS_H
#define TREEBANK_WORDS_H

#include <stdbool.h>

#include "base/arena.h"

struct treebank_rules;

struct treebank_words {
	const char **form;	/* [n] */
	int *in_text;		/* [n] the word of the text in which each begins */
	int *in_parse;		/* [n_text] the word of the treebank in which each begins */
	int n, n_text;
	bool same;		/* each word of the text is a word of the treebank */
};

/* The rules of a language, or NULL. */
const struct treebank_rules *treebank_rules_of(const char *lang);

/*
 * Overwrites t with the words into which `word[n]` is divided by the rules.  The words are without
 * escapes (form.h).  Each word of the treebank begins in a word of the text; a word of the text in
 * which none begins is part of an earlier one.  All memory is allocated in `mem`.
 */
void treebank_words(struct treebank_words *t, const struct treebank_rules *rules,
		    const char *const *word, int n, struct arena *mem);

#endif
