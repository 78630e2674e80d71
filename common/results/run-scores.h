/*
 * run-scores: the scores of each sentence of the test set, a file in the ledger entry of a run
 * (ledger.h).
 *
 * The file SCORES_FILE next to a record (facts.h) is a compressed stream of kind sentence, in the
 * order of the test set:
 *
 *	id        as in the test set
 *	src, tgt  text; in the first sentences only, as examples for readers
 *	hyp       the translation, tokenized
 *	nll       negative log-likelihood of the reference, natural logarithm, summed over tokens
 *	tokens    number of these target tokens, end-of-sentence tokens included
 *	bleu, sacrebleu  [int]: lengths of hypothesis and reference, matches of orders 1 to 4
 *	chrf      [int]: characters of hypothesis and reference, matches of orders 1 to 6
 *
 * The metadata of the header has the signatures bleu, sacrebleu and chrf, which state how these
 * scores were computed.  All other statistics of the metrics follow from the values above, so that
 * every score, test and interval can be recomputed without the model and the text.
 */
#ifndef RUN_SCORES_H
#define RUN_SCORES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"
#include "base/err.h"
#include "scores/bleu-score.h"
#include "scores/chrf.h"
#include "scores/significance.h"

#define SCORES_FILE "sentences.heed.zst"
#define SCORES_LOG  "log.heed.zst"

/* The scores, in the order of score_names[].  A lower SCORE_NLL is better. */
enum score_kind { SCORE_BLEU, SCORE_SACREBLEU, SCORE_CHRF, SCORE_NLL, SCORE_KINDS };
extern const char *const score_names[];		/* "bleu", ...; NULL-terminated */

struct run_scores {
	size_t n;			/* sentences */
	double *nll;			/* [n] */
	int32_t *tokens;		/* [n] */
	struct score_stats {
		int32_t *stats;		/* [n, width] statistics of the metric for each sentence */
		int width;
		char *signature;	/* how the metric was computed; NULL for SCORE_NLL */
	} score[SCORE_KINDS];
	struct bleu bleu[2];		/* settings of SCORE_BLEU and SCORE_SACREBLEU */
	struct chrf chrf;
};

/*
 * Is there a SCORES_FILE next to the record with this path?  Records of other programs may lack the
 * file.
 */
bool run_scores_exist(const char *record);

/*
 * Read the SCORES_FILE next to the record with the path `record`, or n bytes at p, which messages
 * call `name`.  Return 0, or -1, with EXIT_INPUT if the stream is damaged; s is then already
 * released.
 */
int run_scores_read(struct run_scores *s, const char *record, struct err *e) MUST_USE;
int run_scores_read_memory(struct run_scores *s, const char *name, const void *p, size_t n,
			   struct err *e) MUST_USE;
void run_scores_release(struct run_scores *s);		/* *s may be all zeros */

/*
 * run_scores_of() returns the statistics of one metric in the form of scores/significance.h, valid
 * as long as s.  run_scores_value() returns the score of the test set: 0 to 100, or nats per target
 * token for SCORE_NLL, computed from NLLs of sentences that are rounded to 1e-4.
 */
struct scored run_scores_of(const struct run_scores *s, enum score_kind kind);
double run_scores_value(const struct run_scores *s, enum score_kind kind);

/*
 * Appends those facts of run_scores_write() that follow exactly from s: all except the scores and
 * test.masked.
 */
void run_scores_facts(const struct run_scores *s, struct buf *out);

/*
 * Tests the difference between a run and its baseline in one score by one of the tests of
 * scores/significance.h, with the number of resamples and the seed that bleu(1) has by default.  *p
 * becomes the p-value of this test.  Returns 0, or -1 with EXIT_INPUT if the number of sentences or
 * the length of a reference differs, or the scores were computed in different ways.
 */
int run_scores_test(const struct run_scores *base, const struct run_scores *run,
		    enum score_kind kind, enum paired_test test, double *p, struct err *e) MUST_USE;

/* Are two signatures equal, except for the version of the program? */
bool run_scores_alike(const char *a, const char *b);

/* The translations of a test set, and how to score them. */
struct scoring {
	const char *test;		/* path of a stream with the fields id, hyp, tgt, and
					 * score.tokens of nmt-score(1) */
	const char *model;		/* model_digest() of the model */
	const char *reference;		/* path of the reference: detokenized text, one sentence per
					 * line */
	const char *language;		/* target language, for detokenizing hyp */
	bool tokenized;			/* SCORE_BLEU compares hyp and tgt without detokenizing
					 * them */
	const struct bleu *bleu;	/* settings of SCORE_BLEU */
	int64_t texts;			/* number of sentences, from the first, whose src and tgt
					 * are kept */
};

/*
 * Scores the translations, writes the stream described above to `path`, and appends lines with
 * these facts to `out`: bleu, sacrebleu and chrf from 0 to 100, with their signatures; length, the
 * ratio of the length of the translations to that of the references, in 13a tokens; test.nll in
 * nats per target token; test.sentences; test.tokens, the number of target tokens; and, if there
 * are any, test.masked, the number of target tokens with probability 0, which test.nll and
 * test.tokens leave out. Returns 0, or -1, with EXIT_INPUT if stream and reference are malformed or
 * do not match, or if the stream names another model or a precision other than fp32.
 */
int run_scores_write(const struct scoring *scoring, const char *path, struct buf *out,
		     struct err *e) MUST_USE;

/*
 * Sets *nll to the NLL per target token, in nats, of the stream at `path` with the field
 * score.tokens of nmt-score(1).  Returns -1 with EXIT_INPUT if the stream is malformed, or names a
 * model with another digest than `model` or a precision other than fp32.
 */
int run_scores_nll(const char *path, const char *model, double *nll, struct err *e) MUST_USE;

/*
 * Reduces the statistics of a sentence in a metric other than SCORE_NLL to the values that the
 * stream has for it.  Stores them in `packed`, and returns their number.
 */
enum { SCORE_MAX_PACKED = 8 };
int run_scores_pack(enum score_kind kind, const int32_t *stats, int32_t packed[SCORE_MAX_PACKED]);

#endif
