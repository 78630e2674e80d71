/*
 * first-token: the token that every source or target of a model begins with, such as the language
 * token of a multilingual model (first.src and first.tgt of heed-model(5)).
 *
 * batch_make() adds it before the tokens of a record.  Attention variants that read words or
 * matrices of the record have no value for it then, so their models need the token in the record
 * itself.  Most programs that write records with one value per token add it to the record, so that
 * values and tokens correspond; nmt-score writes the records as they are.
 */
#ifndef FIRST_TOKEN_H
#define FIRST_TOKEN_H

#include <stdbool.h>

#include "base/err.h"
#include "model/model.h"
#include "stream/stream.h"

/*
 * Adds the model's first token to src.pieces or tgt.pieces of rec, as a part of the first word
 * (src.word).  A record without subwords gets the tokens of its text; one without words gets words
 * of one token each, so that they keep their numbers.  Does nothing if the record already begins
 * with the token, has no text, or the model has no first token.  EXIT_INPUT if the record has
 * matrices over its subwords.
 */
int first_token_put(const struct model *m, struct record *rec, bool target, struct err *e) MUST_USE;

/*
 * Adds the first token of the source and, for training, that of the target to a record that is not
 * written, if attention variants of m read the record.  Removes matrices that they do not read.
 * Errors are those of first_token_put().
 */
int first_tokens_put(const struct model *m, struct record *rec, bool training,
		     struct err *e) MUST_USE;

/*
 * --first-src and --first-tgt: replaces the first token of the model.  NULL keeps it, "" removes
 * it. -1 and EXIT_USAGE if the token is not in the vocabulary.
 */
int first_token_set(struct model *m, bool target, const char *token, struct err *e) MUST_USE;

#endif
