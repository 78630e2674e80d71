/* dbsa: weights and losses of dependency-based self-attention, against their equations. */
#include "syntax-case.h"

#include "data/means.h"

/* The settings of the model under test. */
static struct { int heads; bool bias; } dbsa;

/* (W q_i / sqrt(d)) . k_j + b . k_j in the first heads. */
static double
bilinear_score(const struct run *r, int head, int i, int j)
{
	char weight[32], bias[32];
	double sum = 0;

	if (head >= dbsa.heads)
		return plain_score(r, head, i, j);
	snprintf(weight, sizeof(weight), "dbsa.%d.weight", head + 1);
	snprintf(bias, sizeof(bias), "dbsa.%d.bias", head + 1);
	for (int e = 0; e < HEAD_WIDTH; e++) {
		double wq = 0;

		for (int f = 0; f < HEAD_WIDTH; f++)
			wq += own_number(r, weight, e, f) * projected(r, 0, head, i, f);
		sum += (wq / sqrt(HEAD_WIDTH) + (dbsa.bias ? own_number(r, bias, 0, e) : 0)) *
			projected(r, 1, head, j, e);
	}
	return sum;
}

static void
weights_are_bilinear(void **state)
{
	static const struct { const char *spec; int heads; bool bias; } tries[] = {
		{ "dbsa", 1, true }, { "dbsa:heads=2", 2, true }, { "dbsa:bias=off", 1, false }
	};

	(void)state;
	for (size_t i = 0; i < sizeof(tries) / sizeof(*tries); i++) {
		dbsa.heads = tries[i].heads;
		dbsa.bias = tries[i].bias;
		check_scores(tries[i].spec, true, "enc.1.self", bilinear_score);
		check_scores(tries[i].spec, false, "enc.1.self", bilinear_score);
		check_scores(tries[i].spec, true, "dec.1.self", bilinear_score);
	}
}

/* --- losses, of two sentences of six and three subwords --- */

enum { SENTENCES = 2, LONGEST = 7 };
static const char *const text[SENTENCES] = { "abcdef|klmnop", "abc|klm" };
static const int rows[SENTENCES] = { 7, 4 };	/* on both sides, with the end */

/* "He likes neural networks" in six subwords, and "Networks like" in three. */
static void
annotate_deguchi(struct record *rec, int64_t number, int src, int tgt)
{
	static const int32_t head[][4] = { { 2, 0, 4, 2 }, { 2, 0 } };
	static const int32_t word[][6] = { { 0, 1, 1, 2, 2, 3 }, { 0, 0, 1 } };
	const size_t words = number ? 2 : 4;

	record_set_ints(rec, "src.heads", head[number], words);
	record_set_ints(rec, "src.word", word[number], (size_t)src);
	record_set_ints(rec, "tgt.heads", head[number], words);
	record_set_ints(rec, "tgt.word", word[number], (size_t)tgt);
}

/* The column of each row's dependency, or -1. */
typedef const int columns[SENTENCES][LONGEST];
static columns encoder = { { 1, 2, 2, 4, 5, 1, -1 }, { 1, 2, 2, -1 } };
static columns output = { { -1, -1, 2, -1, -1, 1, -1 }, { -1, -1, 2, -1 } };
static columns input = { { -1, -1, -1, 3, -1, -1, 2 }, { -1, -1, -1, 3 } };

/* The mean loss of a dependency over heads, and what the first head has right. */
struct supervised { double loss; int pairs, right; };

static bool
is_largest(const real *row, int n, int column)
{
	for (int j = 0; j < n; j++)
		if (row[j] > row[column])
			return false;
	return true;
}

static struct supervised
supervised(const struct run *r, const char *site, int heads, columns of)
{
	struct supervised s = { 0 };

	for (int i = 0; i < SENTENCES; i++) {
		const real *w = weights_of(r, site, i);
		const int n = rows[i];

		for (int t = 0; t < n; t++) {
			if (of[i][t] < 0)
				continue;
			for (int h = 0; h < heads; h++)
				s.loss -= log(w[(h * n + t) * n + of[i][t]]) / heads;
			s.right += is_largest(w + t * n, n, of[i][t]);
			s.pairs++;
		}
	}
	s.loss /= s.pairs;
	return s;
}

static void
check_share(const struct means *y, const char *name, const struct supervised *s)
{
	assert_true(s->right > 0);
	assert_true(off_by(means_get(y, name), s->right / (double)s->pairs, 1) < 1e-15);
}

/* The losses are added to the sum of the losses of all target tokens. */
static void
check_loss(const char *settings, int heads, columns target)
{
	char *spec = xasprintf("dbsa:%ssrc_weight=0.5,tgt_weight=2", settings);
	char *off = xasprintf("dbsa:%ssrc_weight=0,tgt_weight=0", settings);
	double counts[64] = { 0 };
	struct supervised src, tgt;
	struct means y = { 0 };
	struct run r, base;

	setup_annotate = annotate_deguchi;
	start_batch(&r, (const char *const *)&spec, 1, true, text, SENTENCES);
	start_batch(&base, (const char *const *)&off, 1, true, text, SENTENCES);
	forward(&r);
	src = supervised(&r, "enc.1.self", heads, encoder);
	tgt = supervised(&r, "dec.1.self", heads, target);
	assert_true(off_by(r.loss - base.loss, (rows[0] + rows[1]) *
			   (0.5 * src.loss + 2 * tgt.loss), 1) < 1e-12);
	attention_set_count(r.m->attention, &r.s.b, counts);
	assert_true(counts[0] == 9 && src.pairs == 9);	/* enc.1.self, the first site */
	assert_true(counts[2] == 3 && tgt.pairs == 3);	/* dec.1.self, after enc.2.self */
	attention_set_report(r.m->attention, r.run.tape, &r.s.b, &y);
	check_share(&y, "dev.dependencies.enc.1.self", &src);
	check_share(&y, "dev.dependencies.dec.1.self", &tgt);
	means_release(&y);
	stop(&r);
	stop(&base);
	free(spec);
	free(off);
}

static void
the_loss_is_a_mean_over_dependencies(void **state)
{
	(void)state;
	check_loss("", 1, output);
	check_loss("heads=2,", 2, output);
	check_loss("align=input,", 1, input);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(weights_are_bilinear),
		cmocka_unit_test(the_loss_is_a_mean_over_dependencies),
	};

	return cmocka_run_group_tests_name("dependency-based self-attention", tests, NULL, NULL);
}
