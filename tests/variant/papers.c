/*
 * Variants compared with the formulas of their papers, computed here in double precision from the
 * projected queries, keys and values.
 */
#include "syntax-case.h"

enum { HEADS = 2, WORDS = 5, HEAD_WIDTH = 4 };

/* --- fixed heads --- */

/* The weight of Raganato et al. 2020, section 3, before it is divided by the sum of the row. */
static double
fixed_weight(const char *pattern, int i, int j, int n)
{
	const double rising = pow(j + 1, 3), falling = pow(n - j, 3);

	return !strcmp(pattern, "current") ? j == i
		: !strcmp(pattern, "previous") ? j == i - 1
		: !strcmp(pattern, "next") ? j == i + 1
		: !strcmp(pattern, "left") ? (j <= i - 2) * rising
		: !strcmp(pattern, "right") ? (j >= i + 2) * falling
		: !strcmp(pattern, "start") ? falling : rising;
}

static void
check_pattern(const real *row, const char *pattern, int i, int n)
{
	double sum = 0;

	for (int j = 0; j < n; j++)
		sum += fixed_weight(pattern, i, j, n);
	for (int j = 0; j < n; j++) {
		const double want = sum > 0 ? fixed_weight(pattern, i, j, n) / sum : j == i;

		if (off_by(row[j], want, 1) > 1e-15)
			fail_msg("%s: weight of %d to %d: %.17g, expected %.17g", pattern, i, j,
				 row[j], want);
	}
}

static void
fixed_heads_have_their_weights(void **state)
{
	static const char *const pattern[] = { "current", "previous", "next", "left", "right",
					       "start", "end" };

	(void)state;
	for (size_t p = 0; p < sizeof(pattern) / sizeof(*pattern); p++) {
		char *spec = xasprintf("fixed-heads:patterns=%s", pattern[p]);
		struct run plain, r;
		const real *a, *b;

		start(&plain, NULL, 0, p % 2);
		start(&r, (const char *const *)&spec, 1, p % 2);
		a = weights(&plain, "enc.1.self");
		b = weights(&r, "enc.1.self");
		for (int i = 0; i < r.len; i++)
			check_pattern(b + i * r.len, pattern[p], i, r.len);
		/* The second head is learned. */
		for (int k = r.len * r.len; k < 2 * r.len * r.len; k++)
			assert_true(a[k] == b[k]);
		stop(&plain);
		stop(&r);
		free(spec);
	}
}

/* The queries and keys of the fixed head get no gradient, and do not change the loss. */
static void
fixed_heads_read_no_queries_and_keys(void **state)
{
	const char *spec = "fixed-heads:patterns=left";
	struct param *p;
	struct run r;

	(void)state;
	start(&r, &spec, 1, true);
	p = params_find(&r.m->params, "enc.1.self.qkv.weight");
	for (int part = 0; part < 3; part++)
		for (int h = 0; h < HEADS; h++) {
			const int from = (part * HEADS + h) * HEAD_WIDTH * p->d[1];
			double largest = 0;

			for (int k = from; k < from + HEAD_WIDTH * p->d[1]; k++)
				largest = fmax(largest, fabs(p->grad[k]));
			assert_true((largest == 0) == (h == 0 && part < 2));
			if (largest > 0)
				continue;
			for (int k = from; k < from + HEAD_WIDTH * p->d[1]; k++)
				p->x[k] += 1;
		}
	assert_true(setup_loss(r.m, &r.run, &r.s.b, false) == r.loss);
	stop(&r);
}

/* All but the last of eight heads are fixed; of two heads, the first one. */
static void
defaults_leave_one_learned_head(void **state)
{
	struct model_config c = setup_config("fairseq");
	const char *spec = "fixed-heads";
	struct setup_batch s;
	struct runtime run;

	(void)state;
	c.width = 16;
	for (int heads = 2; heads <= 8; heads *= 2) {
		static const char *const order[] = { "current", "previous", "next", "left",
						     "right", "start", "end" };
		const ptrdiff_t *block;
		const struct layout *q, *k;
		struct model *m;
		const real *w;

		c.heads = heads;
		m = setup_model_of(&c, "fairseq", &spec, 1, 7);
		setup_runtime(&run, 1, false);
		setup_batch(&s, m, setup_text, NULL, 1);
		setup_loss(m, &run, &s.b, false);
		w = model_site_weights(m, run.tape, 1, &block, &q, &k);
		for (int h = 0; h < heads - 1; h++)
			for (int i = 0; i < q->len[0]; i++)
				check_pattern(w + (h * q->len[0] + i) * q->len[0], order[h], i,
					      q->len[0]);
		assert_true(w[(heads - 1) * q->len[0] * q->len[0]] > 0.01);
		setup_batch_end(&s);
		runtime_close(&run);
		model_free(m);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fixed_heads_have_their_weights),
		cmocka_unit_test(fixed_heads_read_no_queries_and_keys),
		cmocka_unit_test(defaults_leave_one_learned_head),
	};

	return cmocka_run_group_tests_name("formulas of papers", tests, NULL, NULL);
}
