/*
 * search_batch(): scores are the model's, or the mean of an ensemble; independence of the batch;
 * greedy search; the distribution of samples.
 */
#include "setup.h"

#include "search/search.h"

static const char *const names[] = { "fairseq", "onmt", "witwicky", "story" };

static struct search_settings
settings(int variant, int beam, int n_best)
{
	struct search_settings s;

	search_defaults(&s, (enum search_variant)variant);
	s.beam = beam;
	s.n_best = n_best;
	s.max_ratio = 1;
	s.max_extra = 4;
	return s;
}

/* Batches with targets and without word dropout. */
static void
pack(struct setup_batch *b, struct model *m, const char *const *text, int n)
{
	struct batch_rules r;

	model_batch_rules(m, &r);
	r.word_dropout = 0;
	setup_batch_with(b, m, text, NULL, n, &r);
}

/* A model, a batch of the four sentences of setup.h, and the results. */
struct place {
	struct model *m;
	struct runtime run;
	struct setup_batch batch;
	struct arena mem;
	struct translation t[4];
};

static void
place_open(struct place *p, const char *preset)
{
	p->m = setup_model(preset);
	setup_stir(p->m);
	setup_runtime(&p->run, 2, false);
	pack(&p->batch, p->m, setup_text, 4);
	arena_init(&p->mem, 0);
}

static void
place_close(struct place *p)
{
	arena_release(&p->mem);
	setup_batch_end(&p->batch);
	runtime_close(&p->run);
	model_free(p->m);
}

static void
find(struct place *p, const struct batch *b, const struct search_settings *s, struct translation *t)
{
	struct searcher *x = searcher_new(p->m, &p->run.pass, s);
	struct err e;

	if (search_batch(x, b, NULL, NULL, &p->mem, t, &e))
		fail_msg("%s", e.text);
	searcher_free(x);
}

/* "SOURCE|TOKENS": a sentence of setup.h with other target tokens. */
static void
write_pair(const struct model *m, int sentence, const int *id, int n, char *out)
{
	const char *source = setup_text[sentence];
	size_t at = strcspn(source, "|") + 1;

	memcpy(out, source, at);
	for (int i = 0; i < n; i++)
		out[at++] = id[i] < VOCAB_SPECIALS ? '?' : *vocab_text(&m->tgt, id[i], NULL);
	out[at] = '\0';
}

/* The log-probabilities of the tokens of a hypothesis and its end, by the whole decoder. */
static void
token_scores(struct place *p, int sentence, const struct hypothesis *h, double *score)
{
	char text[64];
	const char *one[] = { text };
	struct setup_batch b;
	struct node *nll;

	write_pair(p->m, sentence, h->id, h->n, text);
	pack(&b, p->m, one, 1);
	tape_rewind(p->run.tape);
	model_loss(p->m, p->run.tape, &b.b, &nll);
	for (int i = 0; i <= h->n; i++)
		score[i] = -op_cross_entropy_rows(nll)[i];
	setup_batch_end(&b);
}

static double
teacher_forced(struct place *p, int sentence, const struct hypothesis *h, bool with_end)
{
	double score[64], sum = 0;

	token_scores(p, sentence, h, score);
	for (int i = 0; i < h->n + with_end; i++)
		sum += score[i];
	return sum;
}

static void
scores_are_those_of_the_whole_model(void **state)
{
	(void)state;
	for (int variant = 0; variant < 4; variant++) {
		const struct search_settings s = settings(variant, 4, 4);
		struct place p;

		place_open(&p, names[variant]);
		find(&p, &p.batch.b, &s, p.t);
		for (int k = 0; k < 4; k++) {
			const int longest = p.batch.b.src.layout.len[k] + 4;

			assert_true(p.t[k].n > 0);
			for (int j = 0; j < p.t[k].n; j++) {
				const struct hypothesis *h = &p.t[k].best[j];
				const bool ended = variant == SEARCH_FAIRSEQ || h->n < longest;

				assert_true(off_by(teacher_forced(&p, k, h, ended), h->log_prob,
						   1) < 1e-9);
				assert_true(off_by(search_score(&s, h->log_prob, h->n + ended),
						   h->score, 1) < 1e-12);
				assert_true(j == 0 || h->score <= p.t[k].best[j - 1].score);
			}
		}
		place_close(&p);
	}
}

/* The most probable next token, by the whole model. */
static int
next_token(struct place *p, int sentence, const int *id, int n)
{
	int best = n ? VOCAB_EOS : VOCAB_UNK;
	char text[64];
	const char *one[] = { text };
	struct setup_batch b;
	const struct node *all;
	const real *row;
	struct node *memory;

	write_pair(p->m, sentence, id, n, text);
	pack(&b, p->m, one, 1);
	tape_rewind(p->run.tape);
	memory = model_encode(p->m, p->run.tape, &b.b);
	all = model_logits(p->m, p->run.tape, model_decode(p->m, p->run.tape, &b.b, memory));
	row = all->x + n * p->m->tgt.n;
	for (int v = best + 1; v < p->m->tgt.n; v++)
		if (!p->m->tgt_valid || p->m->tgt_valid[v])
			best = row[v] > row[best] ? v : best;
	setup_batch_end(&b);
	return best;
}

static void
a_beam_of_one_is_greedy_without_a_cache(void **state)
{
	(void)state;
	for (int i = 0; i < 4; i++) {
		const struct search_settings s = settings(SEARCH_FAIRSEQ, 1, 1);
		struct place p;

		place_open(&p, names[i]);
		find(&p, &p.batch.b, &s, p.t);
		for (int k = 0; k < 4; k++) {
			const struct hypothesis *h = &p.t[k].best[0];
			const int longest = p.batch.b.src.layout.len[k] + 4;

			for (int n = 0; n < h->n; n++)
				assert_int_equal(h->id[n], next_token(&p, k, h->id, n));
			assert_true(h->n == longest ||
				    next_token(&p, k, h->id, h->n) == VOCAB_EOS);
		}
		place_close(&p);
	}
}

static void
a_batch_equals_each_sentence_alone(void **state)
{
	(void)state;
	for (int i = 0; i < 4; i++) {
		const struct search_settings s = settings(i, 3, 2);
		struct translation one;
		struct setup_batch alone;
		struct place p;

		place_open(&p, names[i]);
		find(&p, &p.batch.b, &s, p.t);
		for (int k = 0; k < 4; k++) {
			pack(&alone, p.m, setup_text + k, 1);
			find(&p, &alone.b, &s, &one);
			assert_int_equal(one.n, p.t[k].n);
			for (int j = 0; j < one.n; j++) {
				const struct hypothesis *h = &p.t[k].best[j];

				assert_int_equal(one.best[j].n, h->n);
				assert_memory_equal(one.best[j].id, h->id,
						    (size_t)h->n * sizeof(int));
				assert_true(off_by(one.best[j].score, h->score, 1) < 1e-12);
			}
			setup_batch_end(&alone);
		}
		place_close(&p);
	}
}

static void
prefixes_are_checked_and_forced(void **state)
{
	static const int good[] = { 5, 6, 5 }, bad[] = { VOCAB_EOS };
	const struct search_settings s = settings(SEARCH_FAIRSEQ, 3, 1);
	const int *prefix[4] = { good, NULL, good, NULL };
	int n[4] = { 3, 0, 1, 0 };
	struct searcher *x;
	struct place p;
	struct err e;

	(void)state;
	place_open(&p, "fairseq");
	x = searcher_new(p.m, &p.run.pass, &s);
	assert_int_equal(search_batch(x, &p.batch.b, prefix, n, &p.mem, p.t, &e), 0);
	assert_true(p.t[0].best[0].n >= 3);
	assert_memory_equal(p.t[0].best[0].id, good, sizeof(good));
	assert_int_equal(p.t[2].best[0].id[0], 5);
	prefix[1] = bad;
	n[1] = 1;
	assert_int_equal(search_batch(x, &p.batch.b, prefix, n, &p.mem, p.t, &e), -1);
	assert_int_equal(e.status, EXIT_INPUT);
	assert_non_null(strstr(e.text, "record 2: prefix has token 2, expected "));
	n[1] = 100;
	assert_int_equal(search_batch(x, &p.batch.b, prefix, n, &p.mem, p.t, &e), -1);
	assert_non_null(strstr(e.text, "record 2: prefix has 100 tokens, expected at most "));
	searcher_free(x);
	place_close(&p);
}

static void
a_model_with_nan_is_refused(void **state)
{
	const struct search_settings s = settings(SEARCH_FAIRSEQ, 2, 1);
	struct searcher *x;
	struct place p;
	struct err e;

	(void)state;
	place_open(&p, "fairseq");
	x = searcher_new(p.m, &p.run.pass, &s);
	for (size_t i = 0; i < p.m->params.n; i++)
		for (size_t k = 0; k < p.m->params.list[i]->n; k++)
			p.m->params.list[i]->x[k] = (real)NAN;
	assert_int_equal(search_batch(x, &p.batch.b, NULL, NULL, &p.mem, p.t, &e), -1);
	assert_int_equal(e.status, EXIT_INPUT);
	searcher_free(x);
	place_close(&p);
}

/* Translates by the ensemble of two models, into the results of the first. */
static void
find_by_both(struct place *p, struct place *other, const struct search_settings *s)
{
	const struct batch both[2] = { p->batch.b, other->batch.b };
	struct searcher *x = searcher_new(p->m, &p->run.pass, s);
	struct err e;

	searcher_add(x, other->m);
	assert_int_equal(search_batch(x, both, NULL, NULL, &p->mem, p->t, &e), 0);
	searcher_free(x);
}

static void
check_same(const struct translation *a, const struct translation *b)
{
	assert_int_equal(a->n, b->n);
	for (int j = 0; j < a->n; j++) {
		const struct hypothesis *g = &a->best[j], *h = &b->best[j];

		assert_true(g->n == h->n && g->score == h->score && g->log_prob == h->log_prob);
		assert_memory_equal(g->id, h->id, (size_t)g->n * sizeof(*g->id));
	}
}

/* In any order; the decoders of the two models read different first tokens. */
static void
an_ensemble_has_the_mean_of_the_probabilities(void **state)
{
	(void)state;
	for (int k = 1; k < 4; k += 2) {
		struct search_settings s = settings(SEARCH_FAIRSEQ, 4, 4);
		struct place p, other;

		s.max_ratio = 0, s.max_extra = 8;	/* the lengths of sources differ */
		place_open(&p, "fairseq");
		place_open(&other, names[k]);
		find_by_both(&p, &other, &s);
		find_by_both(&other, &p, &s);
		for (int i = 0; i < 4; i++) {
			check_same(&p.t[i], &other.t[i]);
			for (int j = 0; j < p.t[i].n; j++) {
				const struct hypothesis *h = &p.t[i].best[j];
				double a[64], b[64], sum = 0;

				token_scores(&p, i, h, a);
				token_scores(&other, i, h, b);
				for (int t = 0; t <= h->n; t++)
					sum += log((exp(a[t]) + exp(b[t])) / 2);
				assert_true(off_by(sum, h->log_prob, 1) < 1e-9);
			}
		}
		place_close(&other);
		place_close(&p);
	}
}

/* The probabilities of the tokens after the first n of id, by the whole model, without the end. */
static void
next_distribution(struct place *p, int sentence, const int *id, int n, double *prob)
{
	char text[64];
	const char *one[] = { text };
	struct setup_batch b;
	const struct node *all;
	double sum = 0;

	write_pair(p->m, sentence, id, n, text);
	pack(&b, p->m, one, 1);
	tape_rewind(p->run.tape);
	all = model_logits(p->m, p->run.tape,
			   model_decode(p->m, p->run.tape, &b.b,
					model_encode(p->m, p->run.tape, &b.b)));
	for (int v = 0; v < p->m->tgt.n; v++) {
		prob[v] = v > VOCAB_EOS ? exp(all->x[n * p->m->tgt.n + v]) : 0;
		sum += prob[v];
	}
	for (int v = 0; v < p->m->tgt.n; v++)
		prob[v] /= sum;
	setup_batch_end(&b);
}

/* The chi-square statistic of the tokens at a position, of the samples that begin with first. */
static double
chi_square(const struct translation *t, int pos, int first, const double *prob, int n_vocab, int *n)
{
	int count[64] = { 0 };
	double sum = 0;

	*n = 0;
	for (int j = 0; j < t->n; j++)
		if (t->best[j].n > pos && (!pos || t->best[j].id[0] == first)) {
			count[t->best[j].id[pos]]++;
			++*n;
		}
	for (int v = 0; v < n_vocab; v++) {
		const double want = *n * prob[v];

		if (prob[v] == 0)
			assert_int_equal(count[v], 0);
		else
			sum += (count[v] - want) * (count[v] - want) / want;
	}
	return sum;
}

/*
 * 4,000 samples of each sentence: the first tokens, and the second tokens after the most frequent
 * first one.  The limit is the mean and six standard deviations of the chi-square distribution.
 */
static void
samples_have_the_distribution_of_the_model(void **state)
{
	(void)state;
	for (int k = 0; k < 2; k++) {
		struct search_settings s = settings(SEARCH_FAIRSEQ, 1, 1);
		struct place p;

		s.sampling = (struct sampling){ 4000, 0, 1, 1, 5 };
		s.min_length = 2;
		place_open(&p, names[k]);
		find(&p, &p.batch.b, &s, p.t);
		for (int i = 0; i < 4; i++) {
			const int V = p.m->tgt.n, free = V - VOCAB_EOS - 2;
			const double limit = free + 6 * sqrt(2 * free);
			double prob[64];
			int n, first = 0;

			next_distribution(&p, i, NULL, 0, prob);
			for (int v = 0; v < V; v++)
				first = prob[v] > prob[first] ? v : first;
			assert_true(chi_square(&p.t[i], 0, 0, prob, V, &n) < limit);
			assert_int_equal(n, 4000);
			if (first == VOCAB_UNK)
				continue;
			next_distribution(&p, i, &first, 1, prob);
			assert_true(chi_square(&p.t[i], 1, first, prob, V, &n) < limit);
			assert_true(n > 100);
			for (int j = 0; j < 20; j++)
				assert_true(off_by(teacher_forced(&p, i, &p.t[i].best[j], true),
						   p.t[i].best[j].log_prob, 1) < 1e-9);
		}
		place_close(&p);
	}
}

/* Equation 14 of Wu et al. 2016 for a hypothesis, from the weights of the whole decoder. */
static double
coverage(struct place *p, int sentence, const struct hypothesis *h, int n_steps)
{
	const size_t site = (size_t)(p->m->config.enc_layers + 2 * p->m->config.dec_layers - 2);
	const struct layout *queries, *keys;
	const int heads = p->m->sites[site].heads;
	const ptrdiff_t *block;
	const real *w;
	char text[64];
	const char *one[] = { text };
	struct setup_batch b;
	double log_sum = 0;

	assert_true(p->m->sites[site].where == DECODER_CROSS);
	assert_int_equal(p->m->sites[site].layer, p->m->config.dec_layers - 1);
	write_pair(p->m, sentence, h->id, h->n, text);
	pack(&b, p->m, one, 1);
	tape_rewind(p->run.tape);
	model_decode(p->m, p->run.tape, &b.b, model_encode(p->m, p->run.tape, &b.b));
	w = model_site_weights(p->m, p->run.tape, site, &block, &queries, &keys);
	for (int i = 0; i < keys->len[0]; i++) {
		double sum = 0;

		for (int a = 0; a < heads; a++)
			for (int j = 0; j < n_steps; j++)
				sum += w[block[0] + (a * queries->len[0] + j) * keys->len[0] + i];
		log_sum += log(fmin(sum / heads, 1));
	}
	setup_batch_end(&b);
	return log_sum;
}

static void
coverage_penalties_are_those_of_the_paper(void **state)
{
	int penalized = 0;

	(void)state;
	for (int variant = 0; variant < 5; variant++) {
		struct search_settings s = settings(variant, 4, 4);
		struct place p;

		place_open(&p, names[variant % 4]);
		s.coverage_penalty = 0.7;
		s.max_ratio = 0;	/* so short that no source is covered */
		s.max_extra = 2;
		find(&p, &p.batch.b, &s, p.t);
		for (int k = 0; k < 4; k++) {
			for (int j = 0; j < p.t[k].n; j++) {
				const struct hypothesis *h = &p.t[k].best[j];
				const bool ended = variant == SEARCH_FAIRSEQ || h->n < s.max_extra;
				const double cover = coverage(&p, k, h, h->n + ended);

				assert_true(cover <= 0);
				penalized += cover < -1e-3;
				assert_true(off_by(search_score(&s, h->log_prob, h->n + ended) +
						   0.7 * cover, h->score, 1) < 1e-9);
				assert_true(j == 0 || h->score <= p.t[k].best[j - 1].score);
			}
		}
		place_close(&p);
	}
	assert_true(penalized > 20);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(scores_are_those_of_the_whole_model),
		cmocka_unit_test(a_beam_of_one_is_greedy_without_a_cache),
		cmocka_unit_test(a_batch_equals_each_sentence_alone),
		cmocka_unit_test(prefixes_are_checked_and_forced),
		cmocka_unit_test(a_model_with_nan_is_refused),
		cmocka_unit_test(an_ensemble_has_the_mean_of_the_probabilities),
		cmocka_unit_test(samples_have_the_distribution_of_the_model),
		cmocka_unit_test(coverage_penalties_are_those_of_the_paper),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
