/*
 * audit: counts the sentences and tokens of a stream that do not suit a model, and warns of them.
 *
 * Such input is well-formed, so that a program would compute numbers from it without an error:
 *
 * - sentences that have more tokens than the model accepts.  --too-long fail ends the program, skip
 *   leaves the sentence out, and cut drops its end;
 * - sentences without a field that the model reads.  A header with the field is enough for a model
 *   to accept the stream.  A sentence without its tree is computed as by the plain
 *   Transformer, which is appropriate for a few sentences that a parser left out, and misleading
 *   for many;
 * - tokens that are not in the vocabulary, for example because the text was segmented with other
 *   BPE codes than those of the model;
 * - target tokens that the output mask excludes.  Their probability is 0, so that a target with
 *   such a token has no finite log-probability.
 *
 * model/model-input.h begins an audit for a model.
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
extern const char *const too_long_actions[];

/* A row of the option table.  `usual`: the name of the default, for --help. */
#define OPT_TOO_LONG(v, usual) { .kind = OPT_CHOICE, .long_name = "too-long", .arg = "action", \
	.to = (v), .choice = too_long_actions, \
	.help = "action on sentences longer than the model accepts (" usual ")" }

struct audit_tokens { int64_t all[2], unknown[2]; };	/* of source and target */

enum { AUDIT_FIELDS = 16 };
struct audit {
	int too_long;			/* too_long_action; set by the caller first */
	struct batch_rules rules;	/* the caller may change rules.with_target between
					 * sentences */
	const struct field *needs;	/* what the model reads; ends with {0}; not owned */
	int64_t checked, longer;	/* sentences; those that are too long */
	int64_t sentences, without[AUDIT_FIELDS];	/* sentences; those without a field */
	struct audit_tokens tokens;
	int64_t targets, masked;	/* target tokens, with end-of-sentence; those excluded */
};

/*
 * Begins with the rules of a model.  Returns -1 with EXIT_USAGE if the action is to cut and the
 * model needs a field: its masks or positions would be those of whole sentences.
 */
int audit_begin(struct audit *a, const struct batch_rules *rules, const struct field *needs,
		struct err *e) MUST_USE;

/* --- sentences that are too long --- */

/*
 * Checks a record; `where` is its place, such as "in.heed: line 3", or with NULL that of the
 * reader, for the warning.  Returns 1 if the record must be left out, and 0 if it can be used; if
 * the action is to cut, a->rules.cut makes batches cut it.  Returns -1 with EXIT_INPUT if the
 * action is to fail; the error does not name the place.
 */
int audit_length(struct audit *a, const struct record *rec, const struct reader *reader,
		 const char *where, struct err *e) MUST_USE;

/*
 * Sets the fields src.cut and tgt.cut of the record `written` to the number of retained tokens, and
 * deletes the field of a side that is not cut.  `checked` is the record that audit_length()
 * checked; unlike `written`, it may have the first token that the model adds.
 */
void audit_set_cut(const struct audit *a, const struct record *checked, struct record *written);

/* Declares the fields that audit_set_cut() sets in the header of a stream. */
void audit_declare_cut(const struct audit *a, bool with_target, struct writer *out);

/* The name of the note that counts such sentences: "sentences.skipped" or "sentences.cut". */
const char *audit_length_note(const struct audit *a);

/* --- fields and tokens --- */

/* Counts the needed fields that a record lacks, up to AUDIT_FIELDS of them. */
void audit_fields(struct audit *a, const struct record *rec);

/* Counts the tokens of a record.  `tgt` may be NULL: only the source. */
void audit_tokens(struct audit_tokens *t, const struct record *rec, const struct vocab *src,
		  const struct vocab *tgt);
/* Adds the counts `tokens` of all tokens of a side, 0 or 1, of a stream. */
void audit_token_counts(struct audit_tokens *t, int side, const struct word_count *tokens,
			const struct vocab *v);

/*
 * Counts the target tokens of a batch.  `valid` [V] is the output mask, with 1 for entries that may
 * be predicted; or NULL.
 */
void audit_targets(struct audit *a, const struct batch *b, const unsigned char *valid);

/* --- warnings: each is printed only if it has a reason --- */

void audit_warn_length(const struct audit *a);	/* sentences that were skipped or cut */
void audit_warn_fields(const struct audit *a);
/*
 * Warns about a side of which more than a fifth is unknown, if that is at least ten tokens.
 * `input` is the name of the stream.  `with` names how the model segments text, for the warning, or
 * is NULL.
 */
void audit_warn_tokens(const struct audit_tokens *t, const char *input, const char *with);
/* `effect` is a clause that names the consequence of excluded target tokens. */
void audit_warn_targets(const struct audit *a, const char *input, const char *effect);

#endif
