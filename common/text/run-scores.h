/*
 * run-scores: what a run's translations came to, sentence by sentence, in its entry of the ledger.
 *
 * The file SCORES_FILE beside a record (facts.h) is a compressed stream of kind sentence, the test
 * set in order:
 *
 *	id        as in the test set
 *	src, tgt  text; of the first few sentences alone, for readers
 *	hyp       the translation, tokenized
 *	nll       negative log-likelihood of the reference by the model, natural log, summed
 *	tokens    target tokens of the reference that it is summed over, end symbol included
 *	bleu, sacrebleu  [int]: hypothesis length, reference length, matches of orders 1 to 4
 *	chrf      [int]: characters of the hypothesis, of the reference, matches of orders 1 to 6
 *
 * The header's meta has the signatures bleu, sacrebleu and chrf; all other statistics follow from
 * these numbers.  With them every score, test and interval is made again without a model or text.
 */
#ifndef RUN_SCORES_H
#define RUN_SCORES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"
#include "base/err.h"
#include "text/bleu.h"
#include "text/chrf.h"
#include "text/paired.h"
#include "text/significance.h"

#define SCORES_FILE "sentences.heed.zst"
#define SCORES_LOG  "log.heed.zst"

/* In the order of score_names[].  NLL is a score of loss: less is better. */
enum score_kind { SCORE_BLEU, SCORE_SACREBLEU, SCORE_CHRF, SCORE_NLL, SCORE_KINDS };
extern const char *const score_names[];		/* "bleu", ...; NULL-terminated */

struct run_scores {
	size_t n;			/* sentences */
	double *nll;			/* [n] */
	int32_t *tokens;		/* [n] */
	struct score_stats {
		int32_t *stats;		/* [n, width], as the metric itself makes them */
		int width;
		char *signature;	/* NULL for SCORE_NLL */
	} score[SCORE_KINDS];
	struct bleu bleu[2];
	struct chrf chrf;
};

/* record: the path of the record that the file is beside.  EXIT_INPUT if it is damaged. */
int run_scores_read(struct run_scores *s, const char *record, struct err *e) MUST_USE;
int run_scores_read_memory(struct run_scores *s, const char *name, const void *p, size_t n,
			   struct err *e) MUST_USE;
void run_scores_release(struct run_scores *s);		/* all zeros are fine */

/* For significance.h; lives as long as s.  SCORE_NLL is nats per token, of sentences to 1e-4. */
struct scored run_scores_of(const struct run_scores *s, enum score_kind kind);
double run_scores_value(const struct run_scores *s, enum score_kind kind);

/*
 * The two-sided p of a run against its baseline by one of paired_tests[], with bleu(1)'s resamples
 * and seed.  -1 and EXIT_INPUT if they are not of the same sentences or scored differently.
 */
int run_scores_test(const struct run_scores *base, const struct run_scores *run,
		    enum score_kind kind, enum paired_test test, double *p, struct err *e) MUST_USE;

/* How the translations of a test set are scored. */
struct scoring {
	const char *test;		/* stream with id, hyp, tgt, and nmt-score's score.tokens */
	const char *reference;		/* text as readers see it, a line a sentence */
	const char *language;		/* of both, for detokenizing hyp */
	bool tokenized;			/* SCORE_BLEU is of hyp and tgt as they are */
	const struct bleu *bleu;	/* how SCORE_BLEU is computed */
	int64_t texts;			/* sentences whose src and tgt are kept */
};

/*
 * Writes the stream to path and appends facts to out: bleu, sacrebleu and chrf, to 100, with their
 * signatures; length, of translations by references in tokens of 13a; test.nll, nats per target token;
 * test.tokens, test.sentences; and test.masked, target tokens of probability 0, which do not count.
 */
int run_scores_write(const struct scoring *how, const char *path, struct buf *out,
		     struct err *e) MUST_USE;

/* Nats per target token of a stream with nmt-score's score.tokens. */
int run_scores_nll(const char *path, double *nll, struct err *e) MUST_USE;

/* Full statistics of a metric, not of the NLL, -> the few numbers of the stream; how many. */
enum { SCORE_MOST = 8 };
int run_scores_pack(enum score_kind kind, const int32_t *stats, int32_t packed[SCORE_MOST]);

#endif
