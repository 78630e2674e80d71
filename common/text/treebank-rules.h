/*
 * treebank-rules: declarations that the rules of all languages share, for the files that implement
 * treebank-words.h.
 */
#ifndef TREEBANK_RULES_H
#define TREEBANK_RULES_H

#include <stddef.h>

#include "text/treebank-words.h"

/*
 * A sentence that is being divided into the words of a treebank.  "The text" is the tokenized
 * sentence that is given, and its words are the tokens.
 */
struct treebank_work {
	struct treebank_words *to;	/* the words of the treebank that were added so far */
	const char *const *word;	/* [n] the words of the text */
	int n, i;			/* i: the current word */
	struct arena *mem;		/* for new strings */
};

struct treebank_rules {
	const char *lang;
	/*
	 * Moves the boundary between two words, as from "isn 't" to "is n't".  Adds the two words
	 * of the treebank, and returns the number of words of the text, from the current one, that
	 * they replace.  Returns 0, and adds nothing, if no boundary is moved at the current word.
	 * NULL if the language moves no boundaries.
	 */
	int (*move)(struct treebank_work *w);
	/*
	 * Each of these functions returns the number of words of the text, from the current one,
	 * that it joins to one word; 1 if it does not apply.  The first one that applies counts.
	 * The word is then given to split().  The list ends with NULL.
	 */
	int (*join[8])(const struct treebank_work *w);
	/*
	 * Adds the words of the treebank into which s is split.  The words that are joined form
	 * s, without spaces between them.
	 */
	void (*split)(struct treebank_work *w, const char *s);
};

extern const struct treebank_rules treebank_en, treebank_de;

/* Adds a copy of a word of the treebank, of n bytes, with i as its `in_text` (treebank-words.h). */
void treebank_add(struct treebank_work *w, const char *s, size_t n, int i);

/* Returns the word of the text that is k places after the current one; "" after the end. */
const char *treebank_word(const struct treebank_work *w, int k);

/* Letters are ASCII letters and all characters outside ASCII. */
bool treebank_is_letter(char c);
bool treebank_is_digit(char c);
bool treebank_is_number(const char *s);		/* only digits, at least one */
bool treebank_is_wordy(const char *s);		/* begins with a letter or digit */
/*
 * Are the n bytes at s one of the words in `list`, which are separated by spaces?  The case of
 * ASCII letters is ignored.
 */
bool treebank_is_one_of(const char *s, size_t n, const char *list);

/*
 * Rules of several languages for `join`.  Each returns the number of words of the text, from the
 * current one, that it joins; 1 if the rule does not apply.  Examples of the words that are joined:
 */
int treebank_join_ends(const struct treebank_work *w);		/* ! ! ?, . ? */
int treebank_join_repeated(const struct treebank_work *w);	/* * * *, ' ' */
int treebank_join_emoticon(const struct treebank_work *w);	/* : - ) */
int treebank_join_address(const struct treebank_work *w);	/* http : / / a.org / b */
int treebank_join_linked(const struct treebank_work *w);	/* 10 : 30, a _ b, a @ b.org */

#endif
