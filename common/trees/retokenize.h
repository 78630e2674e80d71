/*
 * retokenize: transfers the parse of a sentence to another tokenization of it.
 *
 * Both tokenizations have the same text apart from spaces, so that each word begins inside a word
 * of the other one.
 */
#ifndef RETOKENIZE_H
#define RETOKENIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trees/conllu.h"
#include "trees/tree.h"

/* All zeros: empty. */
struct retokenize {
	int *in_parse;			/* [n_text] the word of the parse in which each begins */
	int *in_text;			/* [n_parse] the word of the text in which each begins */
	int *place;			/* [n_text] the word of the parse whose tag each gets */
	int n_text, n_parse;
	int32_t *head;			/* [n_parse] the heads of the parse, from 1; 0: a root */
	int *depth;			/* [n_parse + 1] the depths of its nodes
					 * (tree-distance.h) */
	size_t text_room, place_room, parse_room, head_room, depth_room;
};

void retokenize_release(struct retokenize *r);

/*
 * Aligns the words of the text with those of the parse.  An empty word of the parse is aligned like
 * the word before it.  Returns false if the texts differ, if a word has only spaces, or if the
 * first word is empty.  `bad[0]` and `bad[1]` are then the numbers, from 0, of the differing words
 * of text and `parse`; the number of words means the end of the text.
 */
bool retokenize_align(struct retokenize *r, const char *const *text, int n_text,
		      const char *const *parse, int n_parse, int bad[2]);

/*
 * The same with an alignment that the caller supplies: copies of `in_parse[n_text]` and
 * `in_text[n_parse]`, which must both be monotonic.  A word of the text in which no word of the
 * parse begins is aligned with one that begins before it.
 */
void retokenize_set(struct retokenize *r, const int *in_parse, int n_text, const int *in_text,
		    int n_parse);

/*
 * The next functions are called after retokenize_align() or retokenize_set().  `text` already has
 * the n_text words; it gets pointers to texts of `parse`, which must outlive it.
 */

/*
 * Sets the heads and relations of the text's words, and text->has_heads.
 *
 * If several words of the parse begin in a word, it gets the head of the one nearest to the root.
 * A head is the word of the text in which the head of the parse begins.  If no word of the parse
 * begins in a word, it depends, with relation goeswith, on the word in which its word of the parse
 * begins.
 *
 * If the parse is a tree, or several trees, so is the result, because each head is nearer to the
 * root than its word.
 */
void retokenize_heads(struct retokenize *r, const struct dep_sentence *parse,
		      struct dep_sentence *text);

/*
 * Sets the tags of the text's words.  Each word gets the tags of the word of the parse in which it
 * begins or, after retokenize_heads(), from which it got its head.
 */
void retokenize_tags(const struct retokenize *r, const struct dep_sentence *parse,
		     struct dep_sentence *text);

/*
 * Sets `tree`, which must be initialized, to the constituency tree of the text; it has copies of
 * all texts.  Each word takes the place of the word of the parse in which it begins or, after
 * retokenize_heads(), from which it got its head.  Phrases without a word are dropped.
 */
void retokenize_tree(const struct retokenize *r, const struct tree *parse,
		     const struct dep_sentence *text, struct tree *tree);

#endif
