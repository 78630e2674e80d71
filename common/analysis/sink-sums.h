/*
 * sink-sums: how much of the attention weights of a head is on tokens without content, and how
 * often the head attends to a copy of a token.
 *
 * A head that finds nothing to attend to puts its weights on a sink: the end token, a tag, the
 * first position, or punctuation.  Rows and columns are those of struct head_weights
 * (attention-sums.h).  Unlike the measures of attention-sums.h, the sums of weights here include
 * the keys after the columns, which are end tokens.
 */
#ifndef SINK_SUMS_H
#define SINK_SUMS_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/attention-sums.h"
#include "stream/stream.h"

enum key_kind { KEY_CONTENT, KEY_PUNCTUATION, KEY_SPECIAL };

/*
 * Returns KEY_CONTENT if the token has a letter or digit, and KEY_PUNCTUATION if not.  Marks of
 * subwords do not count.  KEY_SPECIAL, for end tokens and tags, does not depend on the text
 * (sink-tokens.h).
 */
enum key_kind key_kind_of(struct str token);

/* The tokens of a sentence, as sink_tokens_read() (sink-tokens.h) sets them. */
struct sink_tokens {
	enum key_kind *kind;		/* [keys] what each key is */
	bool *same;			/* [rows, columns] whether the token of the key equals that
					 * of the row */
};

/* Sums over sentences.  Initialize it with zeros. */
struct sink_sums {
	int64_t rows;
	/*
	 * Sums over the rows of the weight on special tokens, of that on punctuation, and of that
	 * on the first token that is not special.
	 */
	double special, punctuation, first;
	/*
	 * `chances` is the number of rows that have a key with the same token, and `copies` the
	 * number of rows whose largest weight is on such a key.
	 */
	int64_t copies, chances;
};

/* Adds the rows of one sentence.  `t` has the tokens of the keys and rows of `w`. */
void sink_sums_add(struct sink_sums *s, const struct head_weights *w, const struct sink_tokens *t);
/* Adds the sums `more` of other sentences to `s`. */
void sink_sums_join(struct sink_sums *s, const struct sink_sums *more);

/*
 * copies / chances: the share of the rows that attend most to the same token, among those that have
 * such a key; NAN if there are none.
 */
double sink_sums_copy(const struct sink_sums *s);

/*
 * The sum of those weights of a row `x` [keys] whose key is of KEY_CONTENT; `kind` [keys] has the
 * kind of each key.
 */
double sink_content(const real *x, const enum key_kind *kind, int keys);

#endif
