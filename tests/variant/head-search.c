/*
 * head-search: searches against brute force over all subsets of the twelve heads of a small model,
 * and the Fisher blocks against finite differences.
 */
#include "checks.h"
#include "kept.h"

#include "analysis/head-search.h"
#include "attention/attention-heads.h"
#include "model/model-input.h"

enum { HEADS = 12, ALL = 1 << HEADS };

struct trial {
	struct model *m;
	struct runtime run;
	struct head_search s;
	double loss[ALL];		/* by set of masked heads; NAN if not computed */
};

/* Two batches of two sentences each, as the search has them. */
static void
begin(struct trial *y, uint64_t seed, int kind)
{
	const struct model_config c = setup_config("fairseq");

	y->m = setup_model_of(&c, "fairseq", NULL, 0, seed);
	setup_stir(y->m);
	/* Larger weights, so that heads differ. */
	for (size_t i = 0; i < y->m->params.total; i++)
		y->m->params.x[i] *= 2;
	setup_runtime(&y->run, 1, false);
	head_search_begin(&y->s, y->m, y->run.tape, kind);
	kept_add(&y->s.sample, setup_text, 2);
	kept_add(&y->s.sample, setup_text + 2, 2);
	for (int i = 0; i < ALL; i++)
		y->loss[i] = NAN;
}

static void
end(struct trial *y)
{
	head_search_release(&y->s);
	runtime_close(&y->run);
	model_free(y->m);
}

/* The loss of each sentence, with the gates as they are. */
static int
sentence_losses(struct trial *y, double *of)
{
	int n = 0;

	for (size_t i = 0; i < y->s.sample.n; i++) {
		const struct batch *b = &y->s.sample.batch[i].batch;
		const struct layout *rows = &b->tgt.layout;
		struct node *nll;

		tape_rewind(y->run.tape);
		model_loss(y->m, y->run.tape, b, &nll);
		for (int k = 0; k < b->n; k++) {
			of[n] = 0;
			for (int r = rows->start[k]; r < rows->start[k] + rows->len[k]; r++)
				of[n] += op_cross_entropy_rows(nll)[r];
			n++;
		}
	}
	return n;
}

static double
loss_without(struct trial *y, int masked)
{
	double of[4], sum = 0;

	if (!isnan(y->loss[masked]))
		return y->loss[masked];
	for (int h = 0; h < HEADS; h++)
		y->s.losses.gated.gates[h] = masked >> h & 1 ? 0 : 1;
	for (int i = sentence_losses(y, of); i-- > 0;)
		sum += of[i];
	for (int h = 0; h < HEADS; h++)
		y->s.losses.gated.gates[h] = 1;
	return y->loss[masked] = sum;
}

static int
result(const struct head_search *s)
{
	int set = 0;

	for (int h = 0; h < HEADS; h++)
		set |= s->masked[h] << h;
	return set;
}

static int
size(int set)
{
	int n = 0;

	for (; set; set &= set - 1)
		n++;
	return n;
}

/*
 * The set of n masked heads, a subset of `among`, with the lowest loss of all such sets, or with
 * the highest (sign -1).
 */
static int
best_of_size(struct trial *y, int n, int among, int sign)
{
	int best = -1;

	for (int set = 0; set < ALL; set++)
		if (size(set) == n && !(set & ~among) &&
		    (best < 0 || sign * loss_without(y, set) < sign * loss_without(y, best)))
			best = set;
	return best;
}

/* One more masked head: the best one, by brute force. */
static int
grown(struct trial *y, int set)
{
	int best = -1;

	for (int h = 0; h < HEADS; h++)
		if (!(set >> h & 1) &&
		    (best < 0 || loss_without(y, set | 1 << h) < loss_without(y, best)))
			best = set | 1 << h;
	return best;
}

static int
search(struct trial *y, uint64_t seed, int kind, enum head_search_method how, int keep)
{
	struct err e;

	begin(y, seed, kind);
	if (head_search_run(&y->s, how, keep, &e))
		fail_msg("%s", e.text);
	return result(&y->s);
}

/* Greedy search masks the best head each time, and knows the loss of its result. */
static void
greedy_masks_the_best_each_time(void **state)
{
	static struct trial y;

	(void)state;
	for (uint64_t seed = 1; seed <= 3; seed++) {
		int want = 0;

		for (int keep = HEADS; keep >= 0; keep--) {
			const int found = search(&y, seed, -1, SEARCH_GREEDY, keep);
			const int passes = (HEADS * (HEADS + 1) - keep * (keep + 1)) / 2;

			assert_int_equal(y.s.passes, passes);
			if (keep < HEADS)
				want = grown(&y, want);
			assert_int_equal(found, want);
			assert_true(off_by(y.s.nll, loss_without(&y, found), 1) < 1e-12);
			assert_true(off_by(y.s.whole, loss_without(&y, 0), 1) < 1e-12);
			end(&y);
		}
	}
}

/*
 * No exchange of two heads improves the result of swaps.  Among all subsets, it is the best in most
 * trials, and in the others its loss is within a fifth of the range of losses.
 */
static void
swaps_find_the_best_subset(void **state)
{
	static const enum head_search_method how[] = { SEARCH_FISHER_SWAP, SEARCH_GREEDY_SWAP };
	static struct trial y;
	int best = 0, trials = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= 4; seed++)
		for (int i = 0; i < 2; i++)
			for (int keep = 2; keep <= 10; keep += 4) {
				const int found = search(&y, seed, -1, how[i], keep);
				const int want = best_of_size(&y, HEADS - keep, ALL - 1, 1);
				const int worst = best_of_size(&y, HEADS - keep, ALL - 1, -1);
				const double loss = loss_without(&y, found);
				const double lowest = loss_without(&y, want);

				assert_true(loss - lowest <=
					    0.2 * (loss_without(&y, worst) - lowest));
				assert_int_equal(size(found), HEADS - keep);
				assert_true(off_by(y.s.nll, loss, 1) < 1e-12);
				for (int a = 0; a < HEADS; a++)
					for (int b = 0; b < HEADS; b++)
						if ((found >> a & 1) && !(found >> b & 1))
							assert_true(loss_without(&y,
								found ^ 1 << a ^ 1 << b) >=
								loss - 1e-12);
				trials++;
				best += found == want;
				end(&y);
			}
	print_message("# the best subset in %d of %d trials\n", best, trials);
	assert_true(best * 2 > trials);
}

/* With --site, only heads of this kind are masked, the best of them. */
static void
other_kinds_are_retained(void **state)
{
	static struct trial y;
	const int cross = 15 << 8;

	(void)state;
	for (int keep = 0; keep <= 4; keep++) {
		const int found = search(&y, 2, DECODER_CROSS, SEARCH_GREEDY_SWAP, keep);

		assert_int_equal(size(found), 4 - keep);
		assert_int_equal(found, best_of_size(&y, 4 - keep, cross, 1));
		end(&y);
	}
}

/* The derivatives of the loss of each sentence with respect to the gates. */
static void
derivatives(struct trial *y, double of[4][HEADS])
{
	const double h = 1e-6;

	for (int i = 0; i < HEADS; i++)
		y->s.losses.gated.gates[i] = 1;
	for (int i = 0; i < HEADS; i++) {
		double up[4], down[4];

		y->s.losses.gated.gates[i] = 1 + h;
		sentence_losses(y, up);
		y->s.losses.gated.gates[i] = 1 - h;
		sentence_losses(y, down);
		y->s.losses.gated.gates[i] = 1;
		for (int k = 0; k < 4; k++)
			of[k][i] = (up[k] - down[k]) / (2 * h);
	}
}

static double
information(double of[4][HEADS], int i, int j)
{
	double sum = 0;

	for (int k = 0; k < 4; k++)
		sum += of[k][i] * of[k][j];
	return sum;
}

static void
blocks_are_those_of_differences(void **state)
{
	static struct trial y;
	double of[4][HEADS];

	(void)state;
	search(&y, 1, -1, SEARCH_FISHER, HEADS);
	derivatives(&y, of);
	for (int site = 0; site < 6; site++)
		for (int i = 0; i < 2; i++)
			for (int j = 0; j < 2; j++) {
				const double want = information(of, 2 * site + i, 2 * site + j);
				const double found =
					head_losses_block(&y.s.losses, (size_t)site)[2 * i + j];

				assert_true(off_by(found, want, 1e-2) < 1e-5);
			}
	end(&y);
}

/* The sum over pairs of masked heads of the same site. */
static double
block_sum(double of[4][HEADS], int set)
{
	double sum = 0;

	for (int i = 0; i < HEADS; i++)
		for (int j = 0; j < HEADS; j++)
			if ((set >> i & 1) && (set >> j & 1) && i / 2 == j / 2)
				sum += information(of, i, j);
	return sum;
}

static bool
same_counts(int a, int b)
{
	bool same = true;

	for (int site = 0; site < 6; site++)
		same &= size(a >> 2 * site & 3) == size(b >> 2 * site & 3);
	return same;
}

/*
 * As many heads of each site are masked as by the diagonal, whose sum is lowest; of all such sets,
 * the sum of the blocks is lowest.
 */
static void
fisher_has_the_lowest_sums(void **state)
{
	static struct trial y;
	double of[4][HEADS];

	(void)state;
	for (uint64_t seed = 1; seed <= 3; seed++)
		for (int keep = 0; keep <= HEADS; keep++) {
			const int found = search(&y, seed, -1, SEARCH_FISHER, keep);
			int by_diagonal = -1, by_block = -1;
			double lowest = INFINITY;

			derivatives(&y, of);
			for (int set = 0; set < ALL; set++) {
				double sum = 0;

				for (int h = 0; size(set) == HEADS - keep && h < HEADS; h++)
					sum += set >> h & 1 ? information(of, h, h) : 0;
				if (size(set) == HEADS - keep && sum < lowest) {
					lowest = sum;
					by_diagonal = set;
				}
			}
			for (int set = 0; set < ALL; set++)
				if (same_counts(set, by_diagonal) &&
				    (by_block < 0 || block_sum(of, set) < block_sum(of, by_block)))
					by_block = set;
			assert_int_equal(found, by_block);
			assert_true(off_by(y.s.nll, loss_without(&y, found), 1) < 1e-12);
			end(&y);
		}
}

static void
too_few_heads_are_refused(void **state)
{
	static struct trial y;
	struct err e;

	(void)state;
	begin(&y, 1, ENCODER_SELF);
	assert_int_equal(head_search_run(&y.s, SEARCH_FISHER, 5, &e), -1);
	assert_int_equal(e.status, EXIT_USAGE);
	end(&y);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(greedy_masks_the_best_each_time),
		cmocka_unit_test(swaps_find_the_best_subset),
		cmocka_unit_test(other_kinds_are_retained),
		cmocka_unit_test(blocks_are_those_of_differences),
		cmocka_unit_test(fisher_has_the_lowest_sums),
		cmocka_unit_test(too_few_heads_are_refused),
	};

	return cmocka_run_group_tests_name("searches for heads", tests, NULL, NULL);
}
