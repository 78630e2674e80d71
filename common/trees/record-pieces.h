/*
 * record-pieces: the subwords of a sentence in a record, and matrices over subwords.
 *
 * In a stream without src.pieces, the words count as subwords.  Error messages name the field;
 * the caller adds the record.
 */
#ifndef RECORD_PIECES_H
#define RECORD_PIECES_H

#include "stream/stream.h"
#include "trees/record-deps.h"

/* The word of each subword, from 0.  Initialize it with zeros. */
struct piece_words {
	const int32_t *word;	/* [n]; valid until the record changes */
	int n;
	int32_t *own;		/* 0 1 2 ..., if the words are the subwords */
	size_t room;
};

void piece_words_release(struct piece_words *p);

/* Returns -1 with EXIT_INPUT and a hint if a stream has subwords, but not the word of each. */
int header_words(const struct header *h, const struct side_fields *f, struct err *e) MUST_USE;
/*
 * Fills p and checks it: the subwords must be those of n_words words, see pieces_check().  If the
 * record has no subwords, the words count as subwords, and the text, if any, must have n_words
 * words.  Returns -1 with EXIT_INPUT otherwise.
 */
int record_pieces(const struct record *rec, const struct side_fields *f, int n_words,
		  struct piece_words *p, struct err *e) MUST_USE;

/* A square matrix that is to be stored in a record.  Initialize it with zeros. */
struct matrix {
	enum tensor_type type;	/* TENSOR_BITS or TENSOR_I8 */
	int n;
	uint8_t *cell;			/* the elements, as in struct tensor */
	size_t room;
};

void matrix_release(struct matrix *m);
/*
 * Sets type and size, and makes room for the elements, which are not cleared.  Returns -1 with
 * EXIT_INPUT if the matrix exceeds stream_max_record.
 */
int matrix_size(struct matrix *m, enum tensor_type type, int n, struct err *e) MUST_USE;
/* Sets a field to a copy of the matrix. */
void record_set_matrix(struct record *rec, const char *field, const struct matrix *m);

/*
 * Reports on standard error that `without` sentences of `all` lack the field `source`, and
 * therefore get no field `result`; nothing if `without` is 0.
 */
void report_without(const char *program, int64_t without, int64_t all, const char *source,
		    const char *result);

#endif
