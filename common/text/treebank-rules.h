/* treebank-rules: declarations that the rules of all languages share; internal to treebank-*.c. */
#ifndef TREEBANK_RULES_H
#define TREEBANK_RULES_H

#include <stddef.h>

#include "text/treebank-words.h"

/* A sentence, and its words that were added so far. */
struct treebank_work {
	struct treebank_words *to;
	const char *const *word;	/* [n]: the words of the text, the tokenized sentence */
	int n, i;			/* i: the current word */
	struct arena *mem;
};

struct treebank_rules {
	const char *lang;
	/*
	 * Adds two words with a moved boundary between them, and returns the number of words of the
	 * text that they replace, from the current one.  Returns 0, and adds nothing, if no
	 * boundary is moved here.  NULL: no boundary is ever moved.
	 */
	int (*move)(struct treebank_work *w);
	/*
	 * Returns the number of words of the text, from the current one, that form one word: at
	 * least 1.
	 */
	int (*join)(const struct treebank_work *w);
	/*
	 * Adds the words into which s is split: s are the words that join() counted, without
	 * spaces.
	 */
	void (*split)(struct treebank_work *w, const char *s);
};

extern const struct treebank_rules treebank_en, treebank_de;

/* Adds a word of n bytes that begins in word i of the text. */
void treebank_add(struct treebank_work *w, const char *s, size_t n, int i);

/* The word k places after the current one; "" after the end. */
const char *treebank_word(const struct treebank_work *w, int k);

/* Letters are ASCII letters and all characters outside ASCII. */
bool treebank_is_letter(char c);
bool treebank_is_digit(char c);
bool treebank_is_number(const char *s);		/* only digits, at least one */
bool treebank_is_wordy(const char *s);		/* begins with a letter or digit */
/* Is s in the list of words separated by spaces, without regard to the case of ASCII? */
bool treebank_is_one_of(const char *s, size_t n, const char *list);

/* Rules for several languages; each returns a number of words, 1 if it does not apply. */
int treebank_join_ends(const struct treebank_work *w);		/* ! ! ?, . ? */
int treebank_join_repeated(const struct treebank_work *w);	/* * * *, ' ' */
int treebank_join_emoticon(const struct treebank_work *w);	/* : - ) */
int treebank_join_address(const struct treebank_work *w);	/* http : / / a.org / b */
int treebank_join_linked(const struct treebank_work *w);	/* 10 : 30, a _ b, a @ b.org */

#endif
