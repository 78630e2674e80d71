/*
 * sink-sums: the share of the weights of a head on tokens without content, and how often the head
 * copies.
 *
 * A head that finds nothing to attend to puts its weights on a sink: the end token, a tag, the
 * first position, or punctuation.  Rows and columns are those of head_weights; unlike the measures
 * of attention-sums.h, shares include the keys after the columns, which are end tokens.
 */
#ifndef SINK_SUMS_H
#define SINK_SUMS_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/attention-sums.h"
#include "stream/stream.h"

enum key_kind { KEY_CONTENT, KEY_PUNCTUATION, KEY_SPECIAL };

/*
 * Returns KEY_CONTENT for a token with a letter or digit, apart from the marks of subwords, and
 * KEY_PUNCTUATION for others.
 */
enum key_kind key_kind_of(struct str token);

/* The tokens of a sentence. */
struct sink_tokens {
	enum key_kind *kind;		/* [keys] */
	bool *same;			/* [rows, columns] whether the key is the same token as the
					 * row */
};

/* Sums over sentences.  Initialize it with zeros. */
struct sink_sums {
	int64_t rows;
	/*
	 * Sums of weights over the rows: on special tokens, on punctuation, and on the first token
	 * that is not special.
	 */
	double special, punctuation, first;
	/*
	 * Rows whose largest weight is on a key that is the same token, among the rows with such a
	 * key.
	 */
	int64_t copies, chances;
};

/* Adds the rows of one sentence; t has the tokens of w (sink_tokens_read()). */
void sink_sums_add(struct sink_sums *s, const struct head_weights *w, const struct sink_tokens *t);
/* Adds the sums of other sentences. */
void sink_sums_join(struct sink_sums *s, const struct sink_sums *more);

/* The share of rows that copy, among those that can; NAN if none can. */
double sink_sums_copy(const struct sink_sums *s);

/* The sum of the weights x[keys] of a row on content; `kind` is by key. */
double sink_content(const real *x, const enum key_kind *kind, int keys);

#endif
