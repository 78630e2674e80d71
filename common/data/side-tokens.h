/*
 * side-tokens: the tokens of one side of a record, source or target.
 *
 * They are its subwords (src.pieces or tgt.pieces) or, in a record without subwords, the tokens of
 * its text (src or tgt), which are separated by blanks.  In all functions, target is false for the
 * source and true for the target.
 */
#ifndef SIDE_TOKENS_H
#define SIDE_TOKENS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/err.h"
#include "stream/stream.h"

/* Finds the next blank-separated token of a text from *at on.  Returns false at its end. */
bool text_token(struct str text, size_t *at, struct str *token);
size_t text_tokens(struct str text);		/* their number */

struct side_tokens {
	const struct str *token;	/* [n]; valid until the record changes */
	size_t n;
	bool pieces;			/* subwords of the record, not tokens of its text */
};

/*
 * Finds the tokens of a side; the array of those of a text is in `mem`.  Fails with EXIT_INPUT if
 * the record has neither subwords nor a text.
 */
int side_tokens_of(struct side_tokens *t, const struct record *rec, bool target, struct arena *mem,
		   struct err *e) MUST_USE;

/* The number of tokens of a side; -1 if the record has neither subwords nor a text. */
int side_tokens_count(const struct record *rec, bool target);

/* Do the n tokens begin with first? */
bool tokens_begin_with(const struct str *token, size_t n, struct str first);
/* Does a side of the record begin with first? */
bool side_tokens_begin_with(const struct record *rec, bool target, struct str first);

/*
 * Adds a first token, such as the language token of a multilingual model, to src.pieces or
 * tgt.pieces, as a part of the first word (src.word).  A record without subwords gets the tokens of
 * its text; one without words gets words of one token each, so that they keep their numbers.  Does
 * nothing if the side already begins with the token, or the record does not have the side.  Fails
 * with EXIT_INPUT if the record has matrices over its subwords.
 */
int side_tokens_put_first(struct record *rec, bool target, struct str first,
			  struct err *e) MUST_USE;

/* Sets `name` to the fields of a side that are matrices with a row for each subword. */
enum { SIDE_MATRICES = 3 };
void side_matrices(bool target, const char *name[SIDE_MATRICES]);

#endif
