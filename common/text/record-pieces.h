/*
 * record-pieces: the pieces of a sentence that a record holds, and matrices over them.
 *
 * Where a stream has no src.pieces its words are the pieces.  Errors say which field is at fault;
 * where it is the caller knows.
 */
#ifndef RECORD_PIECES_H
#define RECORD_PIECES_H

#include "stream/stream.h"
#include "text/record-deps.h"

/* The word of each piece, from 0; all zeros at first. */
struct piece_words {
	const int32_t *word;	/* [n]; lives as long as the record does not change */
	int n;
	int32_t *own;		/* 0 1 2 ..., where the words are the pieces */
	size_t room;
};

void piece_words_release(struct piece_words *p);

/* A stream with pieces has the word of each: -1 and e with a hint if not. */
int header_words(const struct header *h, const struct dep_fields *f, struct err *e) MUST_USE;
/*
 * The pieces are those of n_words words (pieces_check()), or these words if there are none, which
 * then are as many as the text has, if there is a text.
 */
int record_pieces(const struct record *rec, const struct dep_fields *f, int n_words,
		  struct piece_words *p, struct err *e) MUST_USE;

/* A square matrix on its way into a record; all zeros at first. */
struct matrix {
	enum tensor_type type;	/* TENSOR_BITS or TENSOR_I8 */
	int n;
	uint8_t *cell;
	size_t room;
};

void matrix_release(struct matrix *m);
/* Room for n rows, not cleared.  -1 and e if they are beyond what a record may have. */
int matrix_size(struct matrix *m, enum tensor_type type, int n, struct err *e) MUST_USE;
void record_set_matrix(struct record *rec, const char *field, const struct matrix *m);

/* Says on standard error how many of all sentences have no field `from`, if any, and get no `to`. */
void report_without(const char *program, int64_t without, int64_t all, const char *from,
		    const char *to);

#endif
