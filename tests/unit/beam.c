/*
 * beam: the search, compared with enumeration, with a slow implementation of the definitions, and
 * with values computed by hand.  Scripts replace the models.
 */
#include "beam-script.h"

/* All hypotheses of at most max words that end or, with as_they_are, have max words. */
static void
enumerate(const struct search_settings *set, struct slow h, int max, bool as_they_are,
	  struct list *out)
{
	const int words = (int)strlen(h.text) - 1;
	real p[V];

	script.rule(&script, 0, h.text, p);
	if (words >= set->min_length && !(as_they_are && words == max)) {
		struct slow e = h;

		e.log_prob += p[VOCAB_EOS];
		e.score = search_score(set, e.log_prob, words + 1);
		out->h[out->n++] = e;
	}
	if (as_they_are && words == max) {
		h.score = search_score(set, h.log_prob, words);
		out->h[out->n++] = h;
	}
	for (int v = set->variant == SEARCH_MARIAN ? A : VOCAB_UNK; v < V && words < max; v++) {
		struct slow next = h;

		next.text[words + 1] = (char)('a' + v);
		next.log_prob += p[v];
		enumerate(set, next, max, as_they_are, out);
	}
}

static void
a_wide_beam_finds_what_enumeration_finds(void **state)
{
	static struct list all;

	(void)state;
	script.rule = smooth;
	for (int variant = SEARCH_FAIRSEQ; variant <= SEARCH_MARIAN; variant++)
		for (script.seed = 0; script.seed < 10; script.seed++) {
			struct search_settings set = settings(variant, MANY, MANY);

			set.spread = 0;
			all.n = 0;
			enumerate(&set, (struct slow){ .text = "^" }, 3, variant != SEARCH_FAIRSEQ,
				&all);
			sort(&all);
			if (variant == SEARCH_VOITA) {	/* unended ones count only if none ends */
				int n = 0;

				for (int i = 0; i < all.n; i++)
					if (strlen(all.h[i].text) < 4)
						all.h[n++] = all.h[i];
				all.n = n;
			}
			assert_true(all.n >= 20);
			assert_same(search(&set, 0, 3), all.h, all.n);
		}
}

/* Sets p of a token after a history; all others are very unlikely. */
static void
say(real *p, const char *history, const char *when, int id, double log_prob)
{
	if (!strcmp(history, when))
		p[id] = (real)log_prob;
}

static void
tale(struct script *s, int sentence, const char *h, real *p)
{
	(void)s;
	(void)sentence;
	for (int v = 0; v < V; v++)
		p[v] = -50;
	say(p, h, "^", A, -0.5);
	say(p, h, "^", A + 1, -1);
	say(p, h, "^e", A, -0.125);
	say(p, h, "^e", VOCAB_EOS, -2.25);	/* sum -2.75: third, after -0.625 and -1.25 */
	say(p, h, "^f", A + 1, -0.25);
	say(p, h, "^f", VOCAB_EOS, -2.5);
	say(p, h, "^ee", VOCAB_EOS, -0.125);
	say(p, h, "^ff", VOCAB_EOS, -0.25);
}

static void
in_fairseq_an_end_counts_only_among_the_first_beam(void **state)
{
	struct search_settings set = settings(SEARCH_FAIRSEQ, 2, 2);
	const struct translation *t;

	(void)state;
	script.rule = tale;
	t = search(&set, 0, 5);
	/* "e" alone was not kept, although -2.75 / 2 is better than many */
	assert_int_equal(t->n, 2);
	assert_int_equal(t->best[0].n, 2);
	assert_true(t->best[0].log_prob == -0.75 && t->best[0].score == -0.25);
	assert_int_equal(t->best[1].n, 2);
	assert_true(t->best[1].log_prob == -1.5 && t->best[1].score == -0.5);
	set.beam = 4;			/* now it is among the best four */
	set.n_best = 4;
	t = search(&set, 0, 5);
	assert_int_equal(t->best[2].n, 1);
	assert_true(t->best[2].score == -1.375);
}

static void
scores_are_normalised_by_each_variants_formula(void **state)
{
	static const struct { enum search_variant variant; double a, score; } want[] = {
		{ SEARCH_FAIRSEQ, 1, -2 },			/* -10 / 5 */
		{ SEARCH_FAIRSEQ, 0.6, -3.807308 },		/* -10 / 5^0.6, 5^0.6 = 2.626528 */
		{ SEARCH_GNMT, 0.6, -7.360219 },		/* -10 / (10/6)^0.6, = 1.358655 */
		{ SEARCH_ONMT, 0.6, -7.360219 },
		{ SEARCH_VOITA, 0.6, -6.951126 },		/* -10 / (11/6)^0.6, = 1.438616 */
		{ SEARCH_VOITA, 0, -10 },
		{ SEARCH_MARIAN, 1, -2 },
		{ SEARCH_MARIAN, 0, -10 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(want) / sizeof(*want); i++) {
		struct search_settings set = settings(want[i].variant, 1, 1);

		set.length_penalty = want[i].a;
		assert_true(fabs(search_score(&set, -10, 5) - want[i].score) < 2e-6);
	}
}

static void
one_hypothesis_is_the_greedy_one(void **state)
{
	(void)state;
	script.rule = smooth;
	for (int variant = SEARCH_FAIRSEQ; variant <= SEARCH_MARIAN; variant++)
		for (script.seed = 0; script.seed < 40; script.seed++) {
			const struct search_settings set = settings(variant, 1, 1);
			const struct translation *t = search(&set, 0, 8);
			char text[LONG + 2] = "^";

			assert_int_equal(t->n, 1);
			for (int k = 0; k <= t->best[0].n && k < 8; k++) {
				real p[V];
				int best = k < set.min_length ? VOCAB_UNK : VOCAB_EOS;

				smooth(&script, 0, text, p);
				if (variant == SEARCH_MARIAN)
					p[VOCAB_UNK] = -(real)INFINITY;
				for (int v = best + 1; v < V; v++)
					best = p[v] > p[best] ? v : best;
				assert_int_equal(best,
						 k < t->best[0].n ? t->best[0].id[k] : VOCAB_EOS);
				text[k + 1] = (char)('a' + best);
			}
		}
}

/* Sentences searched together, at most `live` at a time, compared with each alone. */
static void
check_company(const struct search_settings *set, int live)
{
	struct translation all[COMPANY];
	int max_len[COMPANY];
	const struct beam_task task = { .n = COMPANY, .live = live, .max_len = max_len };
	struct arena mem;

	for (int i = 0; i < COMPANY; i++)
		max_len[i] = 1 + i % 9;
	arena_init(&mem, 0);
	script.max = 0;
	beam_search(&scorer, set, &task, &mem, all);
	assert_true(script.max <= live * set->beam);
	/* All slots were in use; those of marian are given up one by one. */
	assert_true(script.max > (live - 1) * (set->variant == SEARCH_MARIAN ? 1 : set->beam));
	for (int i = 0; i < COMPANY; i++) {
		const struct translation *t = search(set, i, max_len[i]);

		assert_int_equal(t->n, all[i].n);
		for (int k = 0; k < t->n; k++) {
			assert_true(t->best[k].score == all[i].best[k].score);
			assert_int_equal(t->best[k].n, all[i].best[k].n);
			assert_memory_equal(t->best[k].id, all[i].best[k].id,
					    (size_t)t->best[k].n * sizeof(int));
			assert_true(k == 0 || t->best[k].score <= t->best[k - 1].score);
		}
	}
	arena_release(&mem);
}

static void
a_batch_is_as_each_sentence_alone(void **state)
{
	(void)state;
	script.rule = smooth;
	script.seed = 3;
	for (int variant = SEARCH_FAIRSEQ; variant <= SEARCH_MARIAN; variant++) {
		const struct search_settings set = settings(variant, 3, 3);

		check_company(&set, 1);
		check_company(&set, 2);
		check_company(&set, 7);
	}
}

static void
a_prefix_is_forced_and_scored(void **state)
{
	static const int first[] = { A + 2, A, A + 2 }, *prefix[] = { first, first };
	const int n[] = { 3, 0 }, max_len[] = { 3, 6 };

	(void)state;
	script.rule = smooth;
	script.seed = 5;
	for (int variant = SEARCH_FAIRSEQ; variant <= SEARCH_MARIAN; variant++) {
		const struct search_settings set = settings(variant, 3, 1);
		struct translation t[2];
		const struct beam_task task = { .n = 2, .live = 2, .max_len = max_len,
			.prefix = prefix, .prefix_n = n };
		double sum = 0;
		struct arena mem;
		real p[V];

		arena_init(&mem, 0);
		beam_search(&scorer, &set, &task, &mem, t);
		assert_int_equal(t[0].best[0].n, 3);
		assert_memory_equal(t[0].best[0].id, first, sizeof(first));
		smooth(&script, 0, "^", p);
		sum += p[first[0]];
		smooth(&script, 0, "^g", p);
		sum += p[first[1]];
		smooth(&script, 0, "^ge", p);
		sum += p[first[2]];
		smooth(&script, 0, "^geg", p);
		sum += variant == SEARCH_FAIRSEQ ? p[VOCAB_EOS] : 0;
		assert_true(t[0].best[0].log_prob == sum);
		assert_true(t[1].best[0].score == search(&set, 1, 6)->best[0].score);
		arena_release(&mem);
	}
}

/* The first token of a free prefix counts neither in the length nor with its probability. */
static void
a_free_prefix_costs_nothing(void **state)
{
	static const int first[] = { A + 2, A }, *prefix[] = { first };
	const int n[] = { 2 }, max_len[] = { 2 };

	(void)state;
	script.rule = smooth;
	script.seed = 5;
	for (int variant = SEARCH_FAIRSEQ; variant <= SEARCH_MARIAN; variant++) {
		struct search_settings set = settings(variant, 3, 1);
		struct translation t;
		const struct beam_task task = { .n = 1, .live = 1, .max_len = max_len,
						.prefix = prefix, .prefix_n = n };
		const bool ends = variant == SEARCH_FAIRSEQ;
		double sum;
		struct arena mem;
		real p[V];

		set.free_prefix = 1;
		arena_init(&mem, 0);
		beam_search(&scorer, &set, &task, &mem, &t);
		assert_int_equal(t.best[0].n, 2);
		smooth(&script, 0, "^g", p);
		sum = p[first[1]];
		smooth(&script, 0, "^ge", p);
		sum += ends ? p[VOCAB_EOS] : 0;
		assert_true(t.best[0].log_prob == sum);
		assert_true(t.best[0].score == search_score(&set, sum, 1 + ends));
		arena_release(&mem);
	}
}

/* Below a minimum length, no hypothesis ends; the first token does not fill it up. */
static void
a_free_prefix_is_not_in_the_minimum_length(void **state)
{
	static const int first[] = { A + 2 }, *prefix[] = { first };
	const int n[] = { 1 }, max_len[] = { 6 };

	(void)state;
	script.rule = smooth;
	script.seed = 5;
	for (int variant = SEARCH_FAIRSEQ; variant <= SEARCH_MARIAN; variant++) {
		struct search_settings set = settings(variant, 5, 5);
		const struct beam_task task = { .n = 1, .live = 1, .max_len = max_len,
						.prefix = prefix, .prefix_n = n };
		struct translation t;
		struct arena mem;
		int least = 9;

		set.free_prefix = 1;
		set.min_length = 2;
		arena_init(&mem, 0);
		beam_search(&scorer, &set, &task, &mem, &t);
		for (int i = 0; i < t.n; i++)
			least = t.best[i].n < least ? t.best[i].n : least;
		assert_int_equal(least, 3);
		arena_release(&mem);
	}
}

/* By hand: the end takes a place of the beam, so that the worse of two others goes. */
static void
by_narrowing(struct script *s, int sentence, const char *history, real *p)
{
	(void)s;
	(void)sentence;
	for (int v = 0; v < V; v++)
		p[v] = -9;
	p[VOCAB_UNK] = (real)-0.125;
	p[A] = history[1] ? -1 : -2;
	p[A + 1] = -3;
	p[VOCAB_EOS] = (real)(history[1] == 'e' ? -0.5 : -2.5);
}

static void
in_marian_a_finished_hypothesis_takes_its_place_along(void **state)
{
	const struct search_settings set = settings(SEARCH_MARIAN, 2, 2);
	const struct translation *t;

	(void)state;
	script.rule = by_narrowing;
	/*
	 * A beam of two: e (-2) and the empty translation (-2.5, final).  One place is left: the
	 * end of e (-2.5, final) is better than ee (-3).
	 */
	t = search(&set, 0, 4);
	assert_int_equal(t->n, 2);
	assert_int_equal(t->best[0].n, 1);
	assert_true(fabs(t->best[0].score - -1.25) < 1e-6 && t->best[0].id[0] == A);
	assert_int_equal(t->best[1].n, 0);
	assert_true(fabs(t->best[1].score - -2.5) < 1e-6);
}

static void
no_number(struct script *s, int sentence, const char *history, real *p)
{
	smooth(s, sentence, history, p);
	for (int v = 0; sentence == 1 && v < V; v++)
		p[v] = (real)NAN;
}

static void
what_is_no_number_is_found_out(void **state)
{
	const int max_len[] = { 4, 4, 4 };

	(void)state;
	script.rule = no_number;
	for (int variant = SEARCH_FAIRSEQ; variant <= SEARCH_MARIAN; variant++) {
		const struct search_settings set = settings(variant, 2, 2);
		const struct beam_task task = { .n = 3, .live = 2, .max_len = max_len };
		struct translation t[3];
		struct arena mem;

		arena_init(&mem, 0);
		beam_search(&scorer, &set, &task, &mem, t);
		assert_true(t[0].n > 0 && t[2].n > 0);
		assert_int_equal(t[1].n, 0);
		arena_release(&mem);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_wide_beam_finds_what_enumeration_finds),
		cmocka_unit_test(in_fairseq_an_end_counts_only_among_the_first_beam),
		cmocka_unit_test(scores_are_normalised_by_each_variants_formula),
		cmocka_unit_test(one_hypothesis_is_the_greedy_one),
		cmocka_unit_test(a_batch_is_as_each_sentence_alone),
		cmocka_unit_test(a_prefix_is_forced_and_scored),
		cmocka_unit_test(a_free_prefix_costs_nothing),
		cmocka_unit_test(a_free_prefix_is_not_in_the_minimum_length),
		cmocka_unit_test(in_marian_a_finished_hypothesis_takes_its_place_along),
		cmocka_unit_test(what_is_no_number_is_found_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
