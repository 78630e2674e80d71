/*
 * record-pieces: the subwords of a sentence in a record, and matrices over subwords.
 *
 * If a record has neither the field of subwords of a side, such as src.pieces, nor that of the word
 * of each subword, the words count as subwords.  Error messages name the field; the caller adds the
 * place of the record.  struct side_fields has the names of the fields of one side
 * (stream/fields.h).
 */
#ifndef RECORD_PIECES_H
#define RECORD_PIECES_H

#include "stream/stream.h"
#include "trees/record-deps.h"

/* The word of each subword of a sentence.  Zero-initialize it. */
struct piece_words {
	const int32_t *word;	/* [n] from 0; valid until the record changes */
	int n;			/* number of subwords */
	int32_t *own;		/* 0 1 2 ...; `word` points here if the words count as subwords */
	size_t room;
};

void piece_words_release(struct piece_words *p);

/*
 * Returns -1 with EXIT_INPUT and a hint if the header h has the field of subwords, but not the
 * field with the word of each subword.
 */
int header_words(const struct header *h, const struct side_fields *f, struct err *e) MUST_USE;
/*
 * Sets p to the word of each subword of a record.  If the record has no subwords, the words count
 * as subwords.  Returns -1 with EXIT_INPUT unless the subwords are those of `n_words` words, in
 * order (pieces_check() in piece-heads.h), or if a record without subwords has a text with another
 * number of words.
 */
int record_pieces(const struct record *rec, const struct side_fields *f, int n_words,
		  struct piece_words *p, struct err *e) MUST_USE;

/*
 * A square matrix over the subwords of a sentence, which is to be stored in a record.
 * Zero-initialize it.
 */
struct matrix {
	enum tensor_type type;	/* TENSOR_BITS or TENSOR_I8 */
	int n;				/* number of rows and of columns */
	uint8_t *cell;			/* the elements, as in struct tensor (stream.h) */
	size_t room;
};

void matrix_release(struct matrix *m);
/*
 * Sets the type of m and its size n, and makes room for the elements, which are not cleared.
 * Returns -1 with EXIT_INPUT if the matrix exceeds stream_max_record (stream.h).
 */
int matrix_size(struct matrix *m, enum tensor_type type, int n, struct err *e) MUST_USE;
/* Sets a field of rec to a copy of the matrix. */
void record_set_matrix(struct record *rec, const char *field, const struct matrix *m);

/*
 * Reports on standard error that `without` of `all` sentences lack the field `source`, and
 * therefore get no field `result`.  Prints nothing if `without` is 0.
 */
void report_without(const char *program, int64_t without, int64_t all, const char *source,
		    const char *result);

#endif
