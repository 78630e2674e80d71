/* paired: all tests that are asked for, of several systems against the first of them. */
#ifndef PAIRED_H
#define PAIRED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "text/significance.h"

/* In the order of paired_tests[], their names. */
enum paired_test {
	PAIRED_BOOTSTRAP, PAIRED_KOEHN, PAIRED_RANDOMISATION, PAIRED_SIGN, PAIRED_TESTS
};
extern const char *const paired_tests[];	/* NULL-terminated */

struct paired {
	bool test[PAIRED_TESTS];
	bool confidence;	/* intervals are wanted even without a bootstrap test */
	int64_t resamples, trials, seed;
};

/* A system against the baseline; a test that was not made has p below 0. */
struct comparison {
	double difference;		/* system minus baseline */
	double p_centred, p_koehn, p_randomisation;
	struct sign_test sign;		/* sign.p below 0: not made */
};

bool paired_resamples(const struct paired *p);	/* is there a bootstrap at all? */

/*
 * Fills ci[n] if there is a bootstrap, and comparison[1 ... n - 1] if there is a
 * test; system[0] is the baseline.
 */
void paired_run(const struct paired *p, const struct scored *system, size_t n, struct pool *pool,
		struct interval *ci, struct comparison *comparison);

#endif
