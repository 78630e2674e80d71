/* paired: significance tests of several systems against the first of them. */
#ifndef PAIRED_H
#define PAIRED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scores/significance.h"

/* In the order of paired_tests[], their names. */
enum paired_test {
	PAIRED_BOOTSTRAP, PAIRED_KOEHN, PAIRED_RANDOMIZATION, PAIRED_SIGN, PAIRED_TESTS
};
extern const char *const paired_tests[];	/* NULL-terminated */

struct paired {
	bool test[PAIRED_TESTS];
	bool confidence;	/* compute intervals even without a bootstrap test */
	int64_t resamples, trials, seed;
};

/* A system compared with the baseline.  p is negative for a test that was not made. */
struct comparison {
	double difference;		/* system minus baseline */
	double p_centered, p_koehn, p_randomization;
	struct sign_test sign;
};

/* Do these settings need bootstrap resamples? */
bool paired_resamples(const struct paired *p);

/*
 * Runs the tests on n systems; system[0] is the baseline.  Fills ci[n] if there are resamples, and
 * comparison[1 ... n - 1] if there is a test.
 */
void paired_run(const struct paired *p, const struct scored *system, size_t n, struct pool *pool,
		struct interval *ci, struct comparison *comparison);

#endif
