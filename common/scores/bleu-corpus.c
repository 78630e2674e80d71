/*
 * bleu-corpus: computes scores from statistics; see bleu-corpus.h.  bleu-sentence.c counts n-grams.
 */
#include <inttypes.h>
#include <math.h>

#include "scores/bleu-sentence.h"
#include "scores/bleu-corpus.h"

#define LOG_OF_ZERO (-9999999999.0)	/* as in all three programs */

const char *const bleu_variants[] = { "sacrebleu", "multi-bleu", "mteval13a", NULL };
const char *const bleu_smooths[] = { "exp", "floor", "add-k", "none", NULL };

static double
safe_log(double x)
{
	return x > 0 ? log(x) : LOG_OF_ZERO;
}

static double
smooth_value(const struct bleu *b)
{
	if (b->smooth_value >= 0)
		return b->smooth_value;
	return b->smooth == BLEU_FLOOR ? 0.1 : 1;
}

/* sacreBLEU's compute_bleu(): stops at the first order for which the hypotheses are too short. */
static void
sacrebleu(const struct bleu *b, const int64_t *sums, struct bleu_score *s)
{
	double sum = 0, halving = 1;
	int order = BLEU_ORDER, any = 0;

	for (int k = 0; k < BLEU_ORDER; k++)
		any |= sums[BLEU_MATCH + k] != 0;
	if (!any)
		return;
	for (int k = 0; k < BLEU_ORDER; k++) {
		const double add = b->smooth == BLEU_ADD_K && k > 0 ? smooth_value(b) : 0;
		const double match = (double)sums[BLEU_MATCH + k] + add;
		const double total = (double)sums[BLEU_TOTAL + k] + add;

		if (total <= 0)
			break;
		if (b->effective_order)
			order = k + 1;
		if (match > 0)
			s->precision[k] = 100 * match / total;
		else if (b->smooth == BLEU_EXP)
			s->precision[k] = 100 / ((halving *= 2) * total);
		else if (b->smooth == BLEU_FLOOR)
			s->precision[k] = 100 * smooth_value(b) / total;
	}
	for (int k = 0; k < order; k++)
		sum += safe_log(s->precision[k]);
	s->score = s->bp * exp(sum / order);
}

/* No smoothing: the score is 0 if an order has no match. */
static void
multi_bleu(const int64_t *sums, struct bleu_score *s)
{
	double sum = 0;

	for (int k = 0; k < BLEU_ORDER; k++) {
		const double match = (double)sums[BLEU_MATCH + k];
		const double total = (double)sums[BLEU_TOTAL + k];
		const double p = total > 0 ? match / total : 0;

		s->precision[k] = 100 * p;
		sum += safe_log(p);
	}
	s->score = 100 * (s->bp * exp(sum / BLEU_ORDER));
}

/*
 * The precision of an order for which the hypotheses are too short is 1.  The k-th order without a
 * match has 1/2^k of a match.
 */
static void
mteval(const int64_t *sums, struct bleu_score *s)
{
	double sum = 0, halving = 1;

	for (int k = 0; k < BLEU_ORDER; k++) {
		const double match = (double)sums[BLEU_MATCH + k];
		const double total = (double)sums[BLEU_TOTAL + k];
		double p = 1;

		if (total > 0)
			p = match > 0 ? match / total : 1 / ((halving *= 2) * total);
		s->precision[k] = 100 * p;
		sum += log(p);
	}
	s->score = 100 * (exp(sum / BLEU_ORDER) * s->bp);
}

void
bleu_compute(const struct bleu *b, const int64_t sums[BLEU_WIDTH], struct bleu_score *s)
{
	const double hyp = (double)sums[BLEU_HYP_LEN], ref = (double)sums[BLEU_REF_LEN];

	*s = (struct bleu_score) {
		.bp = 1, .hyp_len = sums[BLEU_HYP_LEN], .ref_len = sums[BLEU_REF_LEN]
	};
	s->ratio = ref > 0 ? hyp / ref : 0;
	if (hyp < ref)
		s->bp = hyp > 0 ? exp(1 - ref / hyp) : 0;
	if (b->variant == BLEU_MULTI_BLEU)
		multi_bleu(sums, s);
	else if (b->variant == BLEU_MTEVAL13A)
		mteval(sums, s);
	else
		sacrebleu(b, sums, s);
}

static double
bleu_score(const int64_t *sums, const void *settings)
{
	struct bleu_score s;

	bleu_compute(settings, sums, &s);
	return s.score;
}

static void
bleu_name(const void *settings, struct buf *out)
{
	(void)settings;
	buf_add_str(out, "BLEU");
}

static void
bleu_details(const void *settings, const int64_t *sums, struct buf *out)
{
	const struct bleu *b = settings;
	struct bleu_score s;

	bleu_compute(b, sums, &s);
	for (int k = 0; k < BLEU_ORDER; k++)
		buf_printf(out, "%s%.1f", k ? "/" : "", s.precision[k]);
	if (b->variant == BLEU_MULTI_BLEU)
		buf_printf(out, " (BP=%.3f, ratio=%.3f, hyp_len=%" PRId64 ", ref_len=%" PRId64 ")",
			   s.bp, s.ratio, s.hyp_len, s.ref_len);
	else
		buf_printf(out, " (BP = %.3f ratio = %.3f hyp_len = %" PRId64
			   " ref_len = %" PRId64 ")", s.bp, s.ratio, s.hyp_len, s.ref_len);
}

static void
bleu_signature(const void *settings, bool brief, struct buf *out)
{
	const struct bleu *b = settings;

	buf_printf(out, "%s:%s|", brief ? "c" : "case", b->lower ? "lc" : "mixed");
	if (b->variant == BLEU_SACREBLEU)
		buf_printf(out, "%s:%s|", brief ? "e" : "eff", b->effective_order ? "yes" : "no");
	buf_printf(out, "tok:%s|", b->tokenizer);
	if (b->variant != BLEU_SACREBLEU) {
		buf_printf(out, "variant:%s", bleu_variants[b->variant]);
		return;
	}
	buf_printf(out, "%s:%s", brief ? "s" : "smooth", bleu_smooths[b->smooth]);
	if (b->smooth == BLEU_FLOOR || b->smooth == BLEU_ADD_K)
		buf_printf(out, "[%.2f]", smooth_value(b));
}

struct metric
bleu_metric(const struct bleu *b)
{
	static const int decimals[] = { 1, 2, 4 };

	return (struct metric) {
		.how = b, .width = BLEU_WIDTH, .decimals = decimals[b->variant], .is_bleu = true,
		.open = bleu_sentence_open, .close = bleu_sentence_close,
		.reference = bleu_sentence_reference, .hypothesis = bleu_sentence_hypothesis,
		.score = bleu_score, .name = bleu_name, .details = bleu_details,
		.signature = bleu_signature
	};
}
