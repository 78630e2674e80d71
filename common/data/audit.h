/*
 * audit: counts the sentences and tokens of a stream that do not suit a model, and warns of them.
 *
 * Such input is well-formed, so that a program would compute numbers from it without an error:
 *
 * - sentences that have more tokens than the model accepts.  The option --too-long chooses the
 *   action: fail ends the program, skip leaves the sentence out, and cut drops its end;
 * - sentences without a field that the model reads, such as a tree.  A program accepts the stream
 *   if its header declares the field.  A sentence without the field is computed as by the plain
 *   Transformer, or is an error (attention variant relation-mask).  The former is appropriate for a
 *   few sentences for which a parser found no tree, and misleading for many;
 * - tokens that are not in the vocabulary, for example because the text was segmented with other
 *   BPE codes than those of the model;
 * - target tokens that the output mask excludes.  Their probability is 0, so that a target with
 *   such a token has no finite log-probability.
 *
 * The functions of model/model-input.h begin an audit for a model.
 */
#ifndef AUDIT_H
#define AUDIT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cli.h"
#include "data/batch.h"
#include "stream/stream.h"
#include "text/vocab.h"
#include "text/word-count.h"

enum too_long_action { TOO_LONG_FAIL, TOO_LONG_SKIP, TOO_LONG_CUT };
extern const char *const too_long_actions[];	/* their names, NULL-terminated */

/*
 * A row of the table of options (cli.h).  `v` is the address of the value, an int.  `usual` is the
 * name of the default, for --help.
 */
#define OPT_TOO_LONG(v, usual) { .kind = OPT_CHOICE, .long_name = "too-long", .arg = "action", \
	.to = (v), .choice = too_long_actions, \
	.help = "action on sentences longer than the model accepts (" usual ")" }

/* Numbers of tokens, and of those that are not in the vocabulary: [0] source, [1] target. */
struct audit_tokens { int64_t all[2], unknown[2]; };

enum { AUDIT_FIELDS = 16 };
struct audit {
	int too_long;			/* too_long_action; set by the caller first */
	struct batch_rules rules;	/* the caller may change rules.with_target between
					 * sentences */
	const struct field *needs;	/* what the model reads; ends with {0}; not owned */
	/* audit_length(): numbers of sentences, and of sentences that are too long. */
	int64_t checked, longer;
	/* audit_fields(): numbers of sentences, and of sentences without field needs[i]. */
	int64_t sentences, without[AUDIT_FIELDS];
	struct audit_tokens tokens;	/* for callers of audit_tokens() */
	/* audit_targets(): target tokens, with end tokens; those that the mask excludes. */
	int64_t targets, masked;
};

/*
 * Begins an audit with the rules of a model, and the fields that it reads.  The struct must be
 * zero-initialized, except for too_long.  Returns -1 with EXIT_USAGE if the action is to cut and
 * the model reads a field: the masks or positions in the field would be those of whole sentences.
 */
int audit_begin(struct audit *a, const struct batch_rules *rules, const struct field *needs,
		struct err *e) MUST_USE;

/* --- sentences that are too long --- */

/*
 * Checks the length of a record, and warns if it is too long and not an error.  `where` is the
 * place of the record for the warning, such as "in.heed: line 3"; NULL means reader_where(reader).
 * Returns 0 if the record can be used.  Of a record that is too long, the result depends on the
 * action: 1, the record must be left out; 0, batch_make() cuts the record if its rules have `cut`;
 * or -1 with EXIT_INPUT and a message that does not name the place.
 */
int audit_length(struct audit *a, const struct record *rec, const struct reader *reader,
		 const char *where, struct err *e) MUST_USE;

/*
 * For each side that is cut, sets the field src.cut or tgt.cut of the record `written` to the
 * number of retained tokens.  For other sides, deletes the field.  `checked` is the record that
 * audit_length() has checked.  `written` is the same sentence, but may lack the first token that
 * the program has added to `checked` for the model.
 */
void audit_set_cut(const struct audit *a, const struct record *checked, struct record *written);

/*
 * Declares the fields that audit_set_cut() sets in the header of a writer, with tgt.cut only if
 * `with_target` is true.
 */
void audit_declare_cut(const struct audit *a, bool with_target, struct writer *out);

/*
 * The name of the note (stream.h) for the number a->longer: "sentences.skipped" or "sentences.cut".
 */
const char *audit_length_note(const struct audit *a);

/* --- fields and tokens --- */

/* Counts, for each of the first AUDIT_FIELDS needed fields, whether a record lacks it. */
void audit_fields(struct audit *a, const struct record *rec);

/*
 * Adds the tokens of a record to the counts in t.  `tgt` NULL means that only the source is
 * counted.
 */
void audit_tokens(struct audit_tokens *t, const struct record *rec, const struct vocab *src,
		  const struct vocab *tgt);
/*
 * The same for all records of a stream at once: `tokens` has the frequencies of the tokens of a
 * side, 0 for the source or 1 for the target, and `v` is the vocabulary of this side.
 */
void audit_token_counts(struct audit_tokens *t, int side, const struct word_count *tokens,
			const struct vocab *v);

/*
 * Counts the target tokens of a batch.  `valid` is the output mask, with 1 for each entry of the
 * target vocabulary that may be predicted; NULL if the model has no mask.
 */
void audit_targets(struct audit *a, const struct batch *b, const unsigned char *valid);

/* --- warnings: each is printed only if it has a reason --- */

void audit_warn_length(const struct audit *a);	/* sentences that were skipped or cut */
void audit_warn_fields(const struct audit *a);
/*
 * Warns about a side if more than a fifth of its tokens, and at least ten tokens, are unknown.
 * `input` is the name of the stream.  The warning advises to segment the text `with`, a phrase such
 * as "with the model's BPE codes", or "like the training data" if `with` is NULL.
 */
void audit_warn_tokens(const struct audit_tokens *t, const char *input, const char *with);
/*
 * Warns if the output mask excluded target tokens.  `input` is the name of the stream, and `effect`
 * a clause that names the consequence.
 */
void audit_warn_targets(const struct audit *a, const char *input, const char *effect);

#endif
