/* significance: see significance.h. */
#include "scores/significance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/rng.h"
#include "scores/median.h"

#define PIECE 4096	/* sentences of the sign test in a unit of work */

static const int32_t *
significance_row(const struct scored *s, size_t i)
{
	return s->stats + i * (size_t)s->width;
}

static void
significance_add_row(int64_t *sums, const int32_t *stats, int width)
{
	for (int k = 0; k < width; k++)
		sums[k] += stats[k];
}

static void
corpus_sums(const struct scored *s, int64_t *sums)
{
	memset(sums, 0, (size_t)s->width * sizeof(*sums));
	for (size_t i = 0; i < s->n; i++)
		significance_add_row(sums, significance_row(s, i), s->width);
}

double
scored_corpus(const struct scored *s)
{
	int64_t sums[METRIC_MAX_WIDTH];

	corpus_sums(s, sums);
	return s->score(sums, s->how);
}

struct resampling {
	const struct scored *system;
	size_t n_systems, resamples;
	uint64_t seed;
	uint32_t purpose;
	uint32_t *drawn;	/* [threads, n] */
	double *out;
};

/* Computes one resample: draws the sentences once and scores every system on them. */
static void
resample(void *arg, int piece, int thread)
{
	const struct resampling *r = arg;
	const size_t n = r->system->n;
	uint32_t *drawn = r->drawn + (size_t)thread * n;
	struct rng rng;

	rng_init(&rng, r->seed, r->purpose, (uint32_t)piece);
	for (size_t i = 0; i < n; i++)
		drawn[i] = rng_below(&rng, (uint32_t)n);
	for (size_t k = 0; k < r->n_systems; k++) {
		const struct scored *s = &r->system[k];
		int64_t sums[METRIC_MAX_WIDTH] = { 0 };

		for (size_t i = 0; i < n; i++)
			significance_add_row(sums, significance_row(s, drawn[i]), s->width);
		r->out[k * r->resamples + (size_t)piece] = s->score(sums, s->how);
	}
}

void
bootstrap(const struct scored *system, size_t n_systems, size_t resamples, uint64_t seed,
	  struct pool *pool, double *out)
{
	struct resampling r = {
		.system = system, .n_systems = n_systems, .resamples = resamples,
		.seed = seed, .purpose = rng_purpose("bootstrap"), .out = out
	};

	r.drawn = xcalloc((size_t)pool_threads(pool) * system->n, sizeof(*r.drawn));
	pool_run(pool, (int)resamples, resample, &r);
	free(r.drawn);
}

void
bootstrap_interval(double *score, size_t resamples, struct interval *ci)
{
	const size_t low = resamples / 40;
	double sum = 0;

	sort_ascending(score, resamples);
	for (size_t i = 0; i < resamples; i++)
		sum += score[i];
	ci->low = score[low];
	ci->high = score[resamples - low - 1];
	ci->half = 0.5 * (ci->high - ci->low);
	ci->mean = sum / (double)resamples;
}

double
bootstrap_p_koehn(const double *base, const double *system, size_t resamples, double difference)
{
	size_t not_better = 0;

	for (size_t i = 0; i < resamples; i++) {
		const double d = system[i] - base[i];

		not_better += difference > 0 ? !(d > 0) : !(d < 0);
	}
	return (double)not_better / (double)resamples;
}

double
bootstrap_p_centered(const double *base, const double *system, size_t resamples, double difference)
{
	double mean = 0;
	size_t reached = 0;

	for (size_t i = 0; i < resamples; i++)
		mean += fabs(system[i] - base[i]);
	mean /= (double)resamples;
	for (size_t i = 0; i < resamples; i++)
		reached += fabs(system[i] - base[i]) - mean >= fabs(difference);
	return (double)(reached + 1) / (double)(resamples + 1);
}

struct randomization {
	const struct scored *base, *system;
	int64_t base_sums[METRIC_MAX_WIDTH], system_sums[METRIC_MAX_WIDTH];
	double observed;	/* |D| */
	uint64_t seed;
	uint32_t purpose;
	unsigned char *reached;	/* [trials] */
};

/* Computes the change of the sums when each sentence is swapped with probability 1/2. */
static void
swapped(const struct randomization *r, struct rng *rng, int64_t *change)
{
	const int width = r->base->width;
	const int32_t *b = r->base->stats, *s = r->system->stats;
	uint32_t bits = 0;

	for (size_t i = 0; i < r->base->n; i++, b += width, s += width, bits >>= 1) {
		int32_t mask;

		if (i % 32 == 0)
			bits = rng_u32(rng);
		mask = -(int32_t)(bits & 1);
		for (int k = 0; k < width; k++)
			change[k] += (s[k] - b[k]) & mask;
	}
}

static void
trial(void *arg, int piece, int thread)
{
	const struct randomization *r = arg;
	const int width = r->base->width;
	int64_t change[METRIC_MAX_WIDTH] = { 0 }, one[METRIC_MAX_WIDTH], other[METRIC_MAX_WIDTH];
	struct rng rng;

	(void)thread;
	rng_init(&rng, r->seed, r->purpose, (uint32_t)piece);
	swapped(r, &rng, change);
	for (int k = 0; k < width; k++) {
		one[k] = r->base_sums[k] + change[k];
		other[k] = r->system_sums[k] - change[k];
	}
	r->reached[piece] = fabs(r->base->score(one, r->base->how) -
				 r->base->score(other, r->base->how)) >= r->observed;
}

double
approximate_randomization(const struct scored *base, const struct scored *system,
			  size_t trials, uint64_t seed, struct pool *pool)
{
	/* The spelling of the purpose determines the random numbers. */
	struct randomization r = {
		.base = base, .system = system, .seed = seed,
		.purpose = rng_purpose("randomisation")
	};
	size_t reached = 0;

	corpus_sums(base, r.base_sums);
	corpus_sums(system, r.system_sums);
	r.observed = fabs(base->score(r.base_sums, base->how) -
			  base->score(r.system_sums, base->how));
	r.reached = xcalloc(trials, 1);
	pool_run(pool, (int)trials, trial, &r);
	for (size_t i = 0; i < trials; i++)
		reached += r.reached[i];
	free(r.reached);
	return (double)(reached + 1) / (double)(trials + 1);
}

struct replacing {
	const struct scored *base, *system;
	int64_t sums[METRIC_MAX_WIDTH];	/* of the baseline */
	double score;
	struct sign_test *part;		/* of each unit of work */
};

static void
replace_piece(void *arg, int piece, int thread)
{
	const struct replacing *r = arg;
	const size_t from = (size_t)piece * PIECE;
	const size_t to = from + PIECE < r->base->n ? from + PIECE : r->base->n;
	struct sign_test *t = &r->part[piece];

	(void)thread;
	for (size_t i = from; i < to; i++) {
		const int32_t *b = significance_row(r->base, i);
		const int32_t *s = significance_row(r->system, i);
		int64_t sums[METRIC_MAX_WIDTH];
		double gain;

		for (int k = 0; k < r->base->width; k++)
			sums[k] = r->sums[k] - b[k] + s[k];
		gain = r->base->score(sums, r->base->how) - r->score;
		if (r->base->lower_is_better)
			gain = -gain;
		t->better += gain > 0;
		t->worse += gain < 0;
		t->equal += gain == 0;
	}
}

/* P(X <= k) for X successes in n fair coin flips, summed from the largest term down. */
static double
binomial_tail(int64_t k, int64_t n)
{
	const double log_half = log(0.5) * (double)n;
	double term = 1, sum = 0, largest;

	largest = exp(lgamma((double)n + 1) - lgamma((double)k + 1) -
		      lgamma((double)(n - k) + 1) + log_half);
	for (int64_t i = k; i >= 0 && term > 0; i--) {
		sum += term;
		term *= (double)i / (double)(n - i + 1);
	}
	return largest * sum;
}

void
sign_test_counts(struct sign_test *t)
{
	const int64_t n = t->better + t->worse, min = t->better < t->worse ? t->better : t->worse;

	t->z = 0;
	t->p = 1;
	if (!n)
		return;
	t->z = fabs((double)t->better - (double)n / 2) / sqrt((double)n / 4);
	t->p = fmin(1, 2 * binomial_tail(min, n));
}

void
sign_test(const struct scored *base, const struct scored *system, struct pool *pool,
	  struct sign_test *t)
{
	struct replacing r = { .base = base, .system = system };
	const size_t pieces = (base->n + PIECE - 1) / PIECE;

	corpus_sums(base, r.sums);
	r.score = base->score(r.sums, base->how);
	r.part = xcalloc(pieces, sizeof(*r.part));
	pool_run(pool, (int)pieces, replace_piece, &r);
	memset(t, 0, sizeof(*t));
	for (size_t i = 0; i < pieces; i++) {
		t->better += r.part[i].better;
		t->worse += r.part[i].worse;
		t->equal += r.part[i].equal;
	}
	free(r.part);
	sign_test_counts(t);
}

/* --- several systems --- */

const char *const paired_tests[] = {
	"bootstrap", "bootstrap-koehn", "randomization", "sign", NULL
};

bool
paired_resamples(const struct paired *p)
{
	return p->confidence || p->test[PAIRED_BOOTSTRAP] || p->test[PAIRED_KOEHN];
}

/* base_scores and scores are for the same resamples; NULL if there are none. */
static void
paired_compare(const struct paired *p, const struct scored *base, const struct scored *system,
	       const double *base_scores, const double *scores, struct pool *pool,
	       struct comparison *c)
{
	const size_t n = (size_t)p->resamples;

	*c = (struct comparison) {
		.difference = scored_corpus(system) - scored_corpus(base),
		.p_centered = -1, .p_koehn = -1, .p_randomization = -1, .sign.p = -1
	};
	if (p->test[PAIRED_BOOTSTRAP])
		c->p_centered = bootstrap_p_centered(base_scores, scores, n, c->difference);
	if (p->test[PAIRED_KOEHN])
		c->p_koehn = bootstrap_p_koehn(base_scores, scores, n, c->difference);
	if (p->test[PAIRED_RANDOMIZATION])
		c->p_randomization = approximate_randomization(base, system, (size_t)p->trials,
							       (uint64_t)p->seed, pool);
	if (p->test[PAIRED_SIGN])
		sign_test(base, system, pool, &c->sign);
}

void
paired_run(const struct paired *p, const struct scored *system, size_t n, struct pool *pool,
	   struct interval *ci, struct comparison *comparison)
{
	const size_t resamples = paired_resamples(p) ? (size_t)p->resamples : 0;
	double *scores = NULL;

	if (resamples) {
		scores = xcalloc(n * resamples, sizeof(*scores));
		bootstrap(system, n, resamples, (uint64_t)p->seed, pool, scores);
	}
	for (size_t k = 1; k < n; k++)
		paired_compare(p, &system[0], &system[k], scores, scores ? scores +
			       k * resamples : NULL, pool, &comparison[k]);
	/* Last, because bootstrap_interval() sorts the scores. */
	for (size_t k = 0; k < n && resamples; k++)
		bootstrap_interval(scores + k * resamples, resamples, &ci[k]);
	free(scores);
}
