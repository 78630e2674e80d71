/*
 * first-piece: the piece that every source or target of a model begins with, such as the token of a
 * language in models of many (first.src and first.tgt of heed-model(5)).
 *
 * batch_make() puts it in front of what a record has.  Programs that write records with a value for
 * each symbol put it into the record itself, so that pieces and symbols are the same.
 */
#ifndef FIRST_PIECE_H
#define FIRST_PIECE_H

#include <stdbool.h>

#include "base/err.h"
#include "model/model.h"
#include "stream/stream.h"

/*
 * Puts the model's first piece in front of src.pieces or tgt.pieces of rec, which become the tokens
 * of its text if it has none, and counts it to the first word (src.word).  Does nothing if they begin
 * with it, if there are none, or if the model has none.  EXIT_INPUT if the record has matrices over
 * these pieces.
 */
int first_piece_put(const struct model *m, struct record *rec, bool target, struct err *e) MUST_USE;

/*
 * --first-src and --first-tgt: replaces the model's own, unless piece is NULL; "" means none.  -1 and
 * EXIT_USAGE if it is not in the vocabulary.
 */
int first_piece_set(struct model *m, bool target, const char *piece, struct err *e) MUST_USE;

#endif
