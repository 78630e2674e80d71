/*
 * retokenize: a parse of a sentence that was cut into other words.
 *
 * The texts are the same but for blanks, so that each word begins somewhere inside of a word of the
 * other cut.
 */
#ifndef RETOKENIZE_H
#define RETOKENIZE_H

#include <stdbool.h>
#include <stddef.h>

#include "text/conllu.h"
#include "text/tree.h"

/* All zeros: empty. */
struct retokenize {
	int *in_parse;			/* [n_text] in which word of the parse each begins */
	int *in_text;			/* [n_parse] the other way round */
	int n_text, n_parse;
	int *depth;			/* [n_parse] arcs up to the root */
	size_t text_room, parse_room, depth_room;
};

void retokenize_release(struct retokenize *r);

/*
 * An empty word of the parse belongs to the word of the text that the one before it begins in.
 * False if the texts differ, or a word has no characters but blanks, or the first one is empty;
 * then bad has the numbers of both words, or that of the end.
 */
bool retokenize_align(struct retokenize *r, const char *const *text, int n_text,
		      const char *const *parse, int n_parse, int bad[2]);

/*
 * Gives the text's words heads and relations.  A word of several words of the parse has the head of
 * that one of them that is nearest to the root; a head is the word of the text in which it begins.
 * One that begins inside of a word of the parse depends, as goeswith, on the word in which that
 * begins.  These heads are a tree, perhaps with many roots, if those of the parse are: from word to
 * head the way to the root gets shorter.
 */
void retokenize_heads(struct retokenize *r, const struct dep_sentence *parse,
		      struct dep_sentence *text);

/*
 * Each word of the text stands where the word of the parse stood in which it begins; phrases in
 * which no word begins are not there.
 */
void retokenize_tree(const struct retokenize *r, const struct tree *parse,
		     const struct dep_sentence *text, struct tree *tree);

#endif
