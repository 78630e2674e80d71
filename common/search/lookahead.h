/*
 * lookahead: sentences that are read ahead, translated together, and written in input order.
 *
 *	while there is input:
 *		until lookahead_full():
 *			fill the record that lookahead_record() returns
 *			lookahead_add()
 *		lookahead_translate()
 *		write sentences 0 to n - 1: lookahead_text() or lookahead_set_fields()
 *		lookahead_clear()
 */
#ifndef LOOKAHEAD_H
#define LOOKAHEAD_H

#include <stdbool.h>

#include "base/output.h"
#include "model/model-input.h"
#include "search/segmenter.h"
#include "search/translate.h"
#include "stream/input.h"
#include "text/joined.h"

struct lookahead {
	/* Set by the caller after lookahead_init(): */
	const char *prefix;		/* text whose tokens are forced first; lookahead_prefix() */
	const char *prefix_field;	/* the field of each record that has this text; or NULL */
	bool flush;			/* translate and write each sentence at once */
	bool quiet;			/* do not warn about untokenized lines */
	void (*show)(const struct lookahead *l);	/* called after each window; or NULL */
	/*
	 * Word alignments of translations: in the field hyp.alignment or, with lookahead_text(),
	 * after " ||| ".  find(arg, l) computes those of a window after its translation, and
	 * links(arg, i) returns those of sentence i.  If `find` is NULL, there are none.
	 */
	struct lookahead_alignment {
		int (*find)(void *arg, struct lookahead *l, struct err *e);
		const char *(*links)(const void *arg, size_t i);
		void *arg;
	} alignment;

	struct translator translator;	/* its search settings may be changed at first */
	struct segmenter segmenter;
	struct audit audit;		/* the caller of lookahead_stream() sets its needs */
	struct audit_tokens others[ENSEMBLE_MAX];	/* for the other models of an ensemble */
	struct joined joined;		/* of lines, if the model has BPE codes */
	struct record **rec;		/* [n] */
	struct translate_job *job;	/* [n] */
	size_t n, room;
	size_t records;			/* records allocated, reused after lookahead_clear() */
	int64_t tokens, read;		/* number of source tokens of these sentences; of all
					 * sentences read so far */
	struct buf line;
	const struct header *from;	/* header of the stream that is translated, or NULL */
};

/*
 * Initializes l for a model; `name` is the name of its file, for messages.  `too_long` is a
 * too_long_action.  Returns -1 as segmenter_init() or audit_begin().
 */
int lookahead_init(struct lookahead *l, struct model *m, struct pass *pass, int too_long,
		   const char *name, struct err *e) MUST_USE;
void lookahead_release(struct lookahead *l);
/*
 * Warns about sentences that were too long, unknown tokens of prefixes, and input that is not like
 * the training data of a model (model-input.h).  h is the header of the input, or NULL, and `name`
 * its name.
 */
void lookahead_warn(const struct lookahead *l, const struct header *h, const char *name);

/*
 * The fields that a stream must have: subwords if the model uses them, and the fields of the
 * attention variants.  The caller frees the array.
 */
struct field *lookahead_needs(const struct lookahead *l) MUST_USE;
/* Returns -1 with EXIT_USAGE if variants need fields that lookahead_add_line() does not make. */
int lookahead_check_text(const struct lookahead *l, struct err *e) MUST_USE;

/*
 * Sets l->prefix to a text.  Fails with EXIT_USAGE if some of its tokens are not in the vocabulary,
 * and EXIT_INPUT if the SentencePiece model fails.
 */
int lookahead_prefix(struct lookahead *l, const char *text, struct err *e) MUST_USE;

/* An empty record for the next sentence. */
struct record *lookahead_record(struct lookahead *l);

/*
 * Adds the record of the last lookahead_record(), now filled.  `where` is its place, such as
 * "in.en: line 3", or with NULL that of the reader, for a warning.  Returns -1 with EXIT_INPUT if
 * it has no source, or is too long with TOO_LONG_FAIL; the message does not name the place.
 */
int lookahead_add(struct lookahead *l, const struct reader *reader, const char *where,
		  struct err *e) MUST_USE;
/*
 * The same for the last line of the input, without lookahead_record(); the message names the line.
 */
int lookahead_add_line(struct lookahead *l, const struct input *input, const char *line, size_t n,
		       struct err *e) MUST_USE;

/*
 * Are there enough tokens for an efficient translation, or as many sentences as can be read ahead?
 */
bool lookahead_full(const struct lookahead *l);

/* Translates the sentences that were added; the error names the sentence. */
int lookahead_translate(struct lookahead *l, struct err *e) MUST_USE;

/*
 * Appends the best translation of sentence i, with subwords joined into words.  Fails with
 * EXIT_INPUT if the SentencePiece model of the target fails.
 */
int lookahead_text(struct lookahead *l, size_t i, struct buf *out, struct err *e) MUST_USE;

/*
 * Sets the fields of the translation in record i, and those of audit_set_cut(); deletes the
 * translation if the sentence was skipped.  Fails as lookahead_text().  lookahead_fields() returns
 * these fields, with those of the n best hypotheses if `n_best` > 1.
 */
int lookahead_set_fields(struct lookahead *l, size_t i, struct err *e) MUST_USE;
const struct field *lookahead_fields(int n_best);

/*
 * Call it before a stream with this header is translated: it drops from the output the fields that
 * depend on other translations, which lookahead_set_fields() removes from the records.
 */
void lookahead_declare(struct lookahead *l, const struct header *header, struct writer *out);

/* Removes the sentences and frees their translations. */
void lookahead_clear(struct lookahead *l);

/*
 * Translate a whole input by the functions above.  The caller opens and finishes input and output.
 */
int lookahead_stream(struct lookahead *l, struct reader *reader, struct writer *out,
		     struct err *e) MUST_USE;
int lookahead_lines(struct lookahead *l, struct input *input, struct output *out,
		    struct err *e) MUST_USE;

#endif
