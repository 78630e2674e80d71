/*
 * bleu: any text as hypothesis and references, for all tokenizers and metrics.
 *
 * The first line is the hypothesis, the others are references.  Text that is not UTF-8 is
 * skipped, because input.h and side.c refuse it.
 */
#include <stdint.h>
#include <string.h>

#include "base/err.h"
#include "base/utf8.h"
#include "scores/bleu-score.h"
#include "scores/chrf.h"
#include "scores/ter.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static const char *
line_end(const char *s, const char *end)
{
	const char *lf = s < end ? memchr(s, '\n', (size_t)(end - s)) : NULL;

	return lf ? lf : end;
}

static void
check(const struct metric *m, const char *s, size_t n)
{
	const char *const end = s + n, *const hyp_end = line_end(s, end);
	void *scratch = m->open(m->how);
	int32_t stats[METRIC_MAX_WIDTH];
	int64_t sums[METRIC_MAX_WIDTH];
	double score;
	size_t k = 0;

	for (const char *p = hyp_end; p < end || !k; p = line_end(p, end)) {
		p += p < end;
		m->reference(scratch, k++, p, (size_t)(line_end(p, end) - p));
	}
	m->hypothesis(scratch, s, (size_t)(hyp_end - s), stats);
	for (int i = 0; i < m->width; i++)
		sums[i] = stats[i];
	for (int i = 0; i < BLEU_ORDER && m->is_bleu; i++)
		if (sums[BLEU_MATCH + i] < 0 || sums[BLEU_MATCH + i] > sums[BLEU_TOTAL + i])
			bug("%d of %d n-grams match", (int)sums[BLEU_MATCH + i],
			    (int)sums[BLEU_TOTAL + i]);
	score = m->score(sums, m->how);
	if (!(score >= 0 && (score <= 100 + 1e-9 || m->lower_is_better)))
		bug("score %g", score);
	m->close(scratch);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	const struct chrf chrf = { .char_order = 6, .word_order = 2, .beta = 2, .lower = true };
	const struct metric c = chrf_metric(&chrf);
	const char *s = (const char *)data;
	struct err e;

	if (utf8_check(s, n) < n)
		return 0;
	for (int i = TOKENIZER_13A; i <= TOKENIZER_NONE; i++) {
		const struct bleu b = {
			.tokenizer = tokenizer_names[i], .tokenize = tokenizer_find(i, &e),
			.lower = n % 2, .smooth_value = -1, .variant = (enum bleu_variant)(n % 3)
		};
		const struct metric m = bleu_metric(&b);

		check(&m, s, n);
	}
	check(&c, s, n);
	for (unsigned i = 0; i < 4; i++) {
		const struct ter ter = { .tokens = { i & 1, i & 2, i, n % 2 }, .n_refs = 1 };
		const struct metric m = ter_metric(&ter);

		check(&m, s, n);
	}
	return 0;
}
