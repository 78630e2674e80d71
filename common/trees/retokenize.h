/*
 * retokenize: transfers the parse of a sentence to another tokenization of the sentence, called the
 * text.
 *
 * The words of the parse and the words of the text have the same characters apart from spaces.  So
 * each word of the text begins in a word of the parse, and each word of the parse in a word of the
 * text.
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
	int *in_parse;			/* [n_text] for each word of the text, the word of the parse
					 * in which it begins */
	int *in_text;			/* [n_parse] for each word of the parse, the word of the
					 * text in which it begins */
	int *place;			/* [n_text] for each word of the text, the word of the parse
					 * whose tag it gets */
	int n_text, n_parse;
	int32_t *head;			/* [n_parse] the heads of the parse, from 1; 0: a root */
	int *depth;			/* [n_parse + 1] the depths of nodes of the parse
					 * (tree-distance.h) */
	size_t text_room, place_room, parse_room, head_room, depth_room;
};

void retokenize_release(struct retokenize *r);

/*
 * Aligns the words `text[n_text]` of the text with the words `parse[n_parse]` of the parse.  An
 * empty word of the parse is aligned like the word before it.  Returns false if the characters
 * differ, if a word has only spaces, or if a word of the text or the first word of the parse is
 * empty.  `bad[0]` and `bad[1]` are then the first differing words of the text and of the parse,
 * from 0; n_text or n_parse stands for the end.
 */
bool retokenize_align(struct retokenize *r, const char *const *text, int n_text,
		      const char *const *parse, int n_parse, int bad[2]);

/*
 * Makes room for an alignment that the caller sets: the members in_parse and in_text, with values
 * as for retokenize_set(), and place, with the values of in_parse.
 */
void retokenize_begin(struct retokenize *r, int n_text, int n_parse);
/*
 * Sets the alignment to copies of `in_parse[n_text]` and `in_text[n_parse]`, which must both be
 * monotonic.  If no word of the parse begins in word i of the text, in_text[in_parse[i]] must be
 * less than i.
 */
void retokenize_set(struct retokenize *r, const int *in_parse, int n_text, const int *in_text,
		    int n_parse);

/*
 * The following functions are called after retokenize_align() or retokenize_set(), or when the
 * members of retokenize_begin() have been set.  `text` must already have the n_text words.  Its
 * relations and tags become pointers to texts of `parse`, which must outlive `text`.
 */

/*
 * Sets the heads and relations of the words of the text, and text->has_heads.
 *
 * If words of the parse begin in a word of the text, let p be the one nearest to the root.  The
 * word of the text gets the relation of p, and as its head the word of the text in which the head
 * of p begins.  If no word of the parse begins in a word of the text, this word is inside a word p
 * of the parse.  Its head is the word of the text in which p begins, with the relation goeswith.
 *
 * The parse must be a tree, or several trees, and so is the result, because each head is nearer to
 * the root than its dependent.
 */
void retokenize_heads(struct retokenize *r, const struct dep_sentence *parse,
		      struct dep_sentence *text);

/*
 * Sets the tags upos and xpos of the words of the text.  Each word gets the tags of the word of the
 * parse in which it begins or, after retokenize_heads(), of the word p of the parse that gave it
 * its head.
 */
void retokenize_tags(const struct retokenize *r, const struct dep_sentence *parse,
		     struct dep_sentence *text);

/*
 * Sets `tree`, which must be initialized, to the constituency tree of the text, with copies of all
 * strings.  `parse` is the tree of the parse.  Each word of the text takes the place of the word of
 * the parse in which it begins or, after retokenize_heads(), of the word p of the parse that gave
 * it its head.  Phrases without words are dropped.
 */
void retokenize_tree(const struct retokenize *r, const struct tree *parse,
		     const struct dep_sentence *text, struct tree *tree);

#endif
