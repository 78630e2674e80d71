/* paper-test: see paper-test.h. */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "results/ledger-check.h"
#include "results/paper-test.h"
#include "scores/median.h"

/* Sentences of another run are refused. */
static int
read_scores(struct run_scores *s, const struct facts *run, struct err *e)
{
	return run_scores_read(s, run->path, e) ? -1 : ledger_check_scores(run, s, e);
}

/* *p is NAN if one of the runs has no sentence scores. */
static int
paper_test_of(enum grid_test test, const struct facts *run, const struct facts *base, double *p,
	      struct err *e)
{
	static const enum paired_test tests[] = { PAIRED_BOOTSTRAP, PAIRED_SIGN };
	struct run_scores a = { 0 }, b = { 0 };
	int r;

	*p = NAN;
	if (!run_scores_exist(run->path) || !run_scores_exist(base->path))
		return 0;
	r = read_scores(&a, base, e);
	if (!r)
		r = read_scores(&b, run, e);
	if (!r && run_scores_test(&a, &b, SCORE_BLEU, tests[test], p, e))
		r = err_wrap(e, "%s and %s", run->path, base->path);
	run_scores_release(&a);
	run_scores_release(&b);
	return r;
}

int
paper_test(enum grid_test test, const struct run_pair *pair, size_t n, double mean, double *p,
	   struct buf *seeds, struct err *e)
{
	double *of_seed = xcalloc(n + 1, sizeof(*of_seed));
	size_t n_tested = 0;
	int status = 0;

	for (size_t i = 0; i < n && !status; i++) {
		double v;

		status = paper_test_of(test, pair[i].run, pair[i].base, &v, e);
		if (status || isnan(v))
			continue;
		buf_printf(seeds, "%s%.4f", seeds->n ? " " : "", v);
		of_seed[n_tested++] = pair[i].d * mean < 0 ? 1 : v;
	}
	*p = median_high(of_seed, n_tested);
	free(of_seed);
	return status;
}
