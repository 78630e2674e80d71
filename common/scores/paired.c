/* paired: see paired.h. */
#include <stdlib.h>

#include "base/mem.h"
#include "scores/paired.h"

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
	bool any = false;

	for (int k = 0; k < PAIRED_TESTS; k++)
		any = any || p->test[k];
	if (resamples) {
		scores = xcalloc(n * resamples, sizeof(*scores));
		bootstrap(system, n, resamples, (uint64_t)p->seed, pool, scores);
	}
	for (size_t k = 1; k < n && any; k++)
		paired_compare(p, &system[0], &system[k], scores, scores ? scores +
			       k * resamples : NULL, pool, &comparison[k]);
	/* Last, because bootstrap_interval() sorts the scores. */
	for (size_t k = 0; k < n && resamples; k++)
		bootstrap_interval(scores + k * resamples, resamples, &ci[k]);
	free(scores);
}
