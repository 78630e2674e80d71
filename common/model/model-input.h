/*
 * model-input: sentences as input of a model: batches, first tokens, and warnings about sentences
 * that do not suit the model.  All programs that run a model use it.
 *
 * A model may require a first token in every source or target, such as the language token of a
 * multilingual model (first.src and first.tgt of heed-model(5)).  Where a record lacks the token,
 * batch_make() (data/batch.h) adds it to the batch.  Some attention variants read fields with one
 * value per token, such as its word, or per pair of tokens.  These fields have no value for a token
 * that only the batch has, so the models of such variants need the token in the record itself.
 *
 * Most programs that write records with one value per token add the token to the record, so that
 * values and tokens correspond; nmt-score leaves the records unchanged.
 */
#ifndef MODEL_INPUT_H
#define MODEL_INPUT_H

#include <stdbool.h>

#include "base/err.h"
#include "data/audit.h"
#include "data/side-tokens.h"
#include "model/model.h"
#include "stream/stream.h"

/*
 * Sets *r to the rules for training batches of m.  The caller sets `seed` and `step`, which are 0
 * afterwards.
 */
void model_batch_rules(const struct model *m, struct batch_rules *r);
/*
 * Makes a batch of n records: calls batch_make(), and then the batch hooks of the attention
 * variants.  `number[i]` is the index of record i in its stream, from 0.  If r is NULL, the rules
 * are those of model_batch_rules(), but without targets and without word dropout.  The batch is in
 * `mem`, and the records must outlive it.  model_encode() needs a batch that was made here.
 */
int model_batch(struct model *m, struct batch *b, struct arena *mem,
		const struct record *const *rec, const int64_t *number, int n,
		const struct batch_rules *r, struct err *e) MUST_USE;

/*
 * Begins an audit, which counts the sentences and tokens of an input that do not suit the model:
 * audit_begin() of data/audit.h with the batch rules of the model and the fields that its attention
 * variants read.  The caller has set a->too_long.
 */
int model_audit(const struct model *m, bool with_target, struct audit *a, struct err *e) MUST_USE;
/*
 * Prints the warnings of an audit about lengths, fields and tokens.  Also warns if the languages in
 * the header `h` of the input are not those of the training data.  `name` is the name of the input
 * for messages.
 */
void model_audit_warn(const struct model *m, const struct audit *a, const struct header *h,
		      const char *name);
/*
 * Prints only the warnings about tokens and languages.  `t` has the counts of the whole input.
 * There is no warning about a side in which no tokens were counted.  h is the header of the input,
 * or NULL for text.
 */
void model_audit_warn_tokens(const struct model *m, const struct audit_tokens *t,
			     const struct header *h, const char *name);

/*
 * Adds the first token of the model to the source or target of a record with
 * side_tokens_put_first() (data/side-tokens.h), which lists the errors.  Does nothing if the model
 * has no first token on this side, or if the record already begins with it.  Where the token is
 * added, the matrices over subwords have no row for it: those that the attention variants of the
 * model do not read are deleted, and one that they read is an error.
 */
int model_put_first_token(const struct model *m, struct record *rec, bool target,
			  struct err *e) MUST_USE;
/*
 * Prepares a record for models whose attention variants read fields of records; does nothing for
 * other models.  Adds the first token of the source and, in training, that of the target, as
 * model_put_first_token() does.
 */
int model_put_first_tokens(const struct model *m, struct record *rec, bool training,
			   struct err *e) MUST_USE;
/*
 * Replaces the first token of the source or target, for the options --first-src and --first-tgt.
 * If `token` is NULL, the first token stays; if it is "", the first token is removed.  Returns -1
 * with EXIT_USAGE if the token is not in the vocabulary.
 */
int model_set_first_token(struct model *m, bool target, const char *token,
			  struct err *e) MUST_USE;

#endif
