/*
 * side-tokens: the tokens of one side of a record, source or target.
 *
 * These tokens are the subwords of the side (src.pieces or tgt.pieces) or, in a record without
 * subwords, the tokens of its text (src or tgt), which are separated by spaces.  In all functions,
 * `target` is false for the source and true for the target.
 */
#ifndef SIDE_TOKENS_H
#define SIDE_TOKENS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/err.h"
#include "stream/stream.h"

/*
 * Sets *token to the next token of a text, from byte *at on, and *at to the byte after it.  Returns
 * false at the end of the text.
 */
bool text_token(struct str text, size_t *at, struct str *token);
size_t text_tokens(struct str text);		/* returns the number of tokens of a text */

struct side_tokens {
	const struct str *token;	/* [n]; valid until the record changes */
	size_t n;
	bool pieces;			/* true: subwords; false: tokens of the text */
};

/*
 * Sets t to the tokens of a side.  If they are tokens of the text, their array is allocated in
 * `mem`.  Returns -1 with EXIT_INPUT if the record has neither subwords nor a text.
 */
int side_tokens_of(struct side_tokens *t, const struct record *rec, bool target, struct arena *mem,
		   struct err *e) MUST_USE;

/*
 * Returns the number of tokens of a side, at most INT_MAX; -1 if the record has neither subwords
 * nor a text.
 */
int side_tokens_count(const struct record *rec, bool target);

/* Adds `first` before the tokens, which are copied to `mem`. */
void side_tokens_prepend(struct side_tokens *t, struct str first, struct arena *mem);

/* Is the first of the n tokens equal to `first`? */
bool tokens_begin_with(const struct str *token, size_t n, struct str first);
/* Is the first token of a side of the record equal to `first`? */
bool side_tokens_begin_with(const struct record *rec, bool target, struct str first);

/*
 * Adds the token `first`, such as the language token of a multilingual model, to the start of
 * src.pieces or tgt.pieces.  In src.word or tgt.word, it becomes a part of the first word, so that
 * words keep their numbers.  If the record has no subwords, the tokens of its text become its
 * subwords; if it has no words, each of its tokens becomes a word.  Does nothing if the side
 * already begins with `first`, or if the record lacks the side.  Returns -1 with EXIT_INPUT if the
 * record has matrices over the subwords of the side.
 */
int side_tokens_put_first(struct record *rec, bool target, struct str first,
			  struct err *e) MUST_USE;

/*
 * Sets `name` to the names of the fields of a side that are matrices with a row for each subword.
 */
enum { SIDE_MATRICES = 3 };
void side_matrices(bool target, const char *name[SIDE_MATRICES]);

#endif
