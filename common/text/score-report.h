/*
 * score-report: scores as text in sacreBLEU's, multi-bleu's and mteval's forms, as JSON
 * and as TSV.
 */
#ifndef SCORE_REPORT_H
#define SCORE_REPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "text/bleu.h"
#include "text/metric.h"
#include "text/paired.h"

struct result {
	const char *system;
	const struct metric *metric;
	const char *signature;
	const int64_t *sums;
	double score;			/* 0 to 100 */
	const struct interval *ci;	/* or NULL */
	const struct comparison *comparison;	/* or NULL: the baseline, or no tests */
};

struct report {
	enum report_format { REPORT_TEXT, REPORT_JSON, REPORT_TSV } format;
	enum bleu_variant variant;	/* the text form of BLEU */
	int decimals;			/* negative: as many as the program whose form it is */
	bool bare;			/* text: only the score */
	bool name_systems;		/* text, JSON: say which system it is */
	bool paired;
};

extern const char *const report_formats[];	/* names of the formats, NULL-terminated */

/* All results of a run, a metric's systems side by side. */
void report_results(const struct report *r, const struct result *result, size_t n, struct buf *out);

/* One line for one sentence; number counts from 1.  TSV begins with report_sentence_head(). */
void report_sentence_head(const struct report *r, struct buf *out);
void report_sentence(const struct report *r, const struct result *one, long long number,
		     struct buf *out);

#endif
