/*
 * model-input: sentences as input of a model: batches, first tokens, and warnings about sentences
 * that are not like the training data.  It is the same in all programs that run a model.
 *
 * Every source or target of a model may begin with a first token, such as the language token of a
 * multilingual model (first.src and first.tgt of heed-model(5)).  batch_make() adds it before the
 * tokens of a record.  Attention variants that read fields with a value for each token, such as its
 * word, or for each pair of tokens, have no value for it then, so their models need the token in
 * the record itself.  Most programs that write records with one value per token add it to the
 * record, so that values and tokens correspond; nmt-score writes the records as they are.
 */
#ifndef MODEL_INPUT_H
#define MODEL_INPUT_H

#include <stdbool.h>

#include "base/err.h"
#include "data/audit.h"
#include "data/side-tokens.h"
#include "model/model.h"
#include "stream/stream.h"

/* Sets the rules of training batches: all members of r except seed and step. */
void model_batch_rules(const struct model *m, struct batch_rules *r);
/*
 * Makes a batch: batch_make() by these rules, then the batch hooks of the variants.  `number` has
 * the index of each record in its stream.  With NULL rules, those of the model are used, without
 * target and word dropout.  Required before model_encode().
 */
int model_batch(struct model *m, struct batch *b, struct arena *mem,
		const struct record *const *rec, const int64_t *number, int n,
		const struct batch_rules *r, struct err *e) MUST_USE;

/*
 * Begins to count the sentences and tokens of an input that do not suit the model: audit_begin() of
 * audit.h with the batch rules of the model and the fields that its attention variants need.
 */
int model_audit(const struct model *m, bool with_target, struct audit *a, struct err *e) MUST_USE;
/*
 * Prints the warnings about lengths, fields and tokens of an audit, and about languages.  h is the
 * header of the input, and `name` its name.
 */
void model_audit_warn(const struct model *m, const struct audit *a, const struct header *h,
		      const char *name);
/*
 * Prints only the warnings about tokens and languages.  `t` has the counts over the input; a side
 * without tokens causes no warning.  h: the header of the input, or NULL for text.
 */
void model_audit_warn_tokens(const struct model *m, const struct audit_tokens *t,
			     const struct header *h, const char *name);

/*
 * side_tokens_put_first() with the model's first token.  Does nothing if the model has no first
 * token.
 */
int model_put_first_token(const struct model *m, struct record *rec, bool target,
			  struct err *e) MUST_USE;
/*
 * Adds the first token of the source and, for training, that of the target to a record that only
 * the model reads and that is not output, if attention variants of m read the record.  Removes
 * matrices that they do not read.  Errors are those of side_tokens_put_first().
 */
int model_put_first_tokens(const struct model *m, struct record *rec, bool training,
			   struct err *e) MUST_USE;
/*
 * Replaces the first token of the source or target, for the options --first-src and --first-tgt.
 * NULL keeps it, and "" removes it.  Returns -1 with EXIT_USAGE if the token is not in the
 * vocabulary.
 */
int model_set_first_token(struct model *m, bool target, const char *token,
			  struct err *e) MUST_USE;

#endif
