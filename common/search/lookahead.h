/*
 * lookahead: reads sentences ahead, translates them together, and writes them in input order.  The
 * sentences that are translated together are a window.
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
	const char *prefix;		/* set by lookahead_prefix(): text with which all
					 * translations begin; or NULL */
	const char *prefix_field;	/* the field with this text in each record, in place of
					 * `prefix`; or NULL */
	bool flush;			/* each window has one sentence, and the output is flushed
					 * after it */
	bool quiet;			/* do not warn about untokenized lines */
	void (*show)(const struct lookahead *l);	/* called after each window is
							 * translated, before it is written;
							 * or NULL */
	/*
	 * Word alignments of the translations, which are written to the field hyp.alignment or, by
	 * lookahead_text(), after " ||| ".  find(arg, l) computes the alignments of a window after
	 * it was translated, and links(arg, i) returns the text of that of sentence i.  If `find`
	 * is NULL, nothing is aligned.
	 */
	struct lookahead_alignment {
		int (*find)(void *arg, struct lookahead *l, struct err *e);
		const char *(*links)(const void *arg, size_t i);
		void *arg;
	} alignment;

	struct translator translator;	/* the caller may change its search settings before the
					 * first window */
	struct segmenter segmenter;
	struct audit audit;		/* for lookahead_stream(), the caller of an ensemble sets
					 * audit.needs (data/audit.h) to lookahead_needs() */
	struct audit_tokens others[ENSEMBLE_MAX];	/* counts for the second and further models
							 * of an ensemble */
	struct joined joined;		/* finds untokenized lines, if the model has BPE codes */
	struct record **rec;		/* [n] records of the sentences of the window */
	struct translate_job *job;	/* [n] the same sentences for translate_window() */
	size_t n, room;
	size_t records;			/* number of allocated records, which lookahead_clear()
					 * keeps for the next window */
	int64_t tokens, read;		/* number of source tokens of the window; number of
					 * sentences read so far */
	struct buf line;
	const struct header *from;	/* header of the stream that is translated, or NULL */
};

/*
 * Initializes *l for a model.  `name` is the name of the model file, for messages, and `too_long`
 * an enum too_long_action (data/audit.h).  Fails like segmenter_init() and audit_begin().  m and
 * `pass` must outlive l.
 */
int lookahead_init(struct lookahead *l, struct model *m, struct pass *pass, int too_long,
		   const char *name, struct err *e) MUST_USE;
void lookahead_release(struct lookahead *l);
/*
 * Warns about sentences that were too long, about unknown tokens in prefixes, and about tokens and
 * languages that do not suit a model (model_audit_warn_tokens()).  h is the header of the input, or
 * NULL for text, and `name` is the name of the input.
 */
void lookahead_warn(const struct lookahead *l, const struct header *h, const char *name);

/*
 * Returns the fields that a stream must have: subwords if the model uses them, and the fields that
 * the attention variants of all models read.  The caller frees the array, which ends with {0}.
 */
struct field *lookahead_needs(const struct lookahead *l) MUST_USE;
/*
 * Returns -1 with EXIT_USAGE if attention variants read fields that lines of text do not have, such
 * as trees.
 */
int lookahead_check_text(const struct lookahead *l, struct err *e) MUST_USE;

/*
 * Sets l->prefix to a text, which must outlive l.  Fails with EXIT_USAGE if a token of the text is
 * not in the vocabulary, and with EXIT_INPUT if SentencePiece cannot segment the text.
 */
int lookahead_prefix(struct lookahead *l, const char *text, struct err *e) MUST_USE;

/* Returns an empty record for the next sentence, which l owns. */
struct record *lookahead_record(struct lookahead *l);

/*
 * Adds the record that the last call of lookahead_record() returned and the caller has filled.
 * `where` is the place of the sentence for a warning, such as "in.en: line 3"; if it is NULL, the
 * place is that of the reader.  Returns -1 with EXIT_INPUT if the record has no source, has an
 * invalid prefix, or is too long with TOO_LONG_FAIL.  The message does not name the place.
 */
int lookahead_add(struct lookahead *l, const struct reader *reader, const char *where,
		  struct err *e) MUST_USE;
/*
 * Adds a line of n bytes, the last one that was read from `input`, as a sentence.
 * lookahead_record() is not called before.  Fails like lookahead_add(), but the message names the
 * line.
 */
int lookahead_add_line(struct lookahead *l, const struct input *input, const char *line, size_t n,
		       struct err *e) MUST_USE;

/* Does the window have enough tokens for efficient batches, or the maximum number of sentences? */
bool lookahead_full(const struct lookahead *l);

/* Translates and aligns the sentences of the window.  The error names the sentence. */
int lookahead_translate(struct lookahead *l, struct err *e) MUST_USE;

/*
 * Appends the best translation of sentence i of the window, with subwords joined into words, and
 * its alignment.  Fails with EXIT_INPUT if SentencePiece cannot join the subwords.
 */
int lookahead_text(struct lookahead *l, size_t i, struct buf *out, struct err *e) MUST_USE;

/*
 * Sets the fields of the translation and those of audit_set_cut() in record i of the window.  If
 * the sentence was skipped, deletes a translation that the record already had.  Fails like
 * lookahead_text().  lookahead_fields() returns the fields of a translation, including those of the
 * n best hypotheses if `n_best` > 1.
 */
int lookahead_set_fields(struct lookahead *l, size_t i, struct err *e) MUST_USE;
const struct field *lookahead_fields(int n_best);

/*
 * Must be called before a stream with this header is translated.  Drops from the header of `out`
 * the fields that depend on an earlier translation, such as its scores, because
 * lookahead_set_fields() deletes these fields from the records.
 */
void lookahead_declare(struct lookahead *l, const struct header *header, struct writer *out);

/* Ends a window: removes its sentences and frees their translations. */
void lookahead_clear(struct lookahead *l);

/*
 * Translate a whole input by the functions above: a stream, or lines of text.  The caller opens and
 * finishes input and output.  Return 0 or -1.
 */
int lookahead_stream(struct lookahead *l, struct reader *reader, struct writer *out,
		     struct err *e) MUST_USE;
int lookahead_lines(struct lookahead *l, struct input *input, struct output *out,
		    struct err *e) MUST_USE;

#endif
