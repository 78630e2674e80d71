/*
 * head-shapley: estimates of Shapley values agree, within their standard errors, with the exact
 * values, which are weighted sums over all sets of heads (Shapley 1953); and they sum to the whole
 * effect for any number of permutations.
 */
#include "setup.h"

#include "analysis/head-shapley.h"
#include "attention/attention-heads.h"

enum { HEADS = 12, SETS = 1 << HEADS };

struct trial {
	struct model *m;
	struct runtime run;
	struct setup_batch batch;
	double loss[SETS];		/* by the set of masked heads */
};

/* The losses of all sets, by gates of the model and a pass of the whole model each. */
static void
begin(struct trial *y, const char *spec)
{
	const struct model_config c = setup_config("fairseq");
	real gates[HEADS];

	y->m = setup_model_of(&c, "fairseq", &spec, spec != NULL, 11);
	setup_stir(y->m);
	assert_int_equal(heads_before(y->m->sites, y->m->n_sites), HEADS);
	setup_runtime(&y->run, 1, false);
	setup_batch(&y->batch, y->m, setup_text, NULL, 3);
	y->m->recipe.label_smoothing = 0;
	model_gate(y->m, gates);
	for (unsigned set = 0; set < SETS; set++) {
		const struct node *nll;

		for (int h = 0; h < HEADS; h++)
			gates[h] = !(set >> h & 1);
		tape_rewind(y->run.tape);
		model_loss(y->m, y->run.tape, &y->batch.b, (struct node **)&nll);
		y->loss[set] = 0;
		for (int r = 0; r < y->batch.b.tgt.layout.rows; r++)
			y->loss[set] += op_cross_entropy_rows(nll)[r];
	}
	model_gate(y->m, NULL);
}

static void
end(struct trial *y)
{
	setup_batch_end(&y->batch);
	runtime_close(&y->run);
	model_free(y->m);
}

static int
count(unsigned set)
{
	int n = 0;

	for (; set; set &= set - 1)
		n++;
	return n;
}

/* The sum over sets S without the head of |S|! (n - |S| - 1)! / n! times its effect after them. */
static double
exact(const struct trial *y, int head)
{
	double sum = 0;

	for (unsigned set = 0; set < SETS; set++) {
		const int size = count(set);

		if (set >> head & 1)
			continue;
		sum += (y->loss[set | 1u << head] - y->loss[set]) *
		       exp(lgamma(size + 1) + lgamma(HEADS - size) - lgamma(HEADS + 1));
	}
	return sum;
}

static void
estimate(struct trial *y, struct head_shapley *x, int64_t permutations, uint64_t seed)
{
	struct gated_loss g;

	gated_loss_begin(&g, y->m);
	head_shapley_begin(x, HEADS, permutations, seed);
	gated_loss_next(&g);
	head_shapley_add(x, &g, y->run.tape, &y->batch.b, y->loss[0]);
	gated_loss_release(&g);
}

/* Of 12 estimates, none is beyond 4.5 standard errors and most are within two. */
static void
estimates_agree(void **state)
{
	static const char *const specs[] = { NULL, "localness:last=2" };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct trial y;
		struct head_shapley x;
		int close = 0;

		begin(&y, specs[i]);
		estimate(&y, &x, 400, 3);
		for (int h = 0; h < HEADS; h++) {
			double error;
			const double found = head_shapley_of(&x, (size_t)h, &error);
			const double off = fabs(found - exact(&y, h));

			if (!(error > 0) || off > 4.5 * error)
				fail_msg("head %d: %.9g with error %.3g, exact %.9g", h, found,
					 error, exact(&y, h));
			close += off < 2 * error;
		}
		assert_true(close >= HEADS - 3);
		head_shapley_release(&x);
		end(&y);
	}
}

static void
they_sum_to_the_whole_effect(void **state)
{
	struct trial y;

	(void)state;
	begin(&y, NULL);
	for (int64_t n = 1; n < 4; n++) {
		struct head_shapley x;
		double sum = 0, error;

		estimate(&y, &x, n, 5);
		for (size_t h = 0; h < HEADS; h++)
			sum += head_shapley_of(&x, h, &error);
		assert_true(fabs(sum - (y.loss[SETS - 1] - y.loss[0])) < 1e-9);
		assert_int_equal(isnan(error), n == 1);
		head_shapley_release(&x);
	}
	end(&y);
}

/* One permutation: each increase is that of two sets. */
static void
increases_are_those_of_sets(void **state)
{
	struct trial y;
	struct head_shapley x, again;
	unsigned set = 0;

	(void)state;
	begin(&y, NULL);
	estimate(&y, &x, 1, 9);
	estimate(&y, &again, 1, 9);
	for (size_t i = 0; i < HEADS; i++) {
		const unsigned next = set | 1u << x.order[i];

		assert_true(fabs(x.increase[x.order[i]] - (y.loss[next] - y.loss[set])) < 1e-10);
		assert_int_equal(x.order[i], again.order[i]);
		set = next;
	}
	assert_int_equal(set, SETS - 1);
	head_shapley_release(&x);
	head_shapley_release(&again);
	end(&y);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(estimates_agree),
		cmocka_unit_test(they_sum_to_the_whole_effect),
		cmocka_unit_test(increases_are_those_of_sets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
