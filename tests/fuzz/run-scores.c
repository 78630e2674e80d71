/* run-scores: any bytes are the sentences of a run with finite scores, or are refused. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "results/run-scores.h"

#include "fuzz.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct run_scores s;
	struct err e;
	double p;

	if (run_scores_read_memory(&s, "fuzz", data, n, &e)) {
		must(e.status == EXIT_INPUT);
		return 0;
	}
	must(s.n > 0);
	for (enum score_kind k = SCORE_BLEU; k < SCORE_KINDS; k++) {
		const double v = run_scores_value(&s, k);

		must(isfinite(v) && v >= 0);
		must(!run_scores_test(&s, &s, k, PAIRED_SIGN, &p, &e) && p == 1);
	}
	run_scores_release(&s);
	return 0;
}
