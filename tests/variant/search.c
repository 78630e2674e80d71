/* search_batch(): scores are the model's, independence of the batch, and greedy search. */
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

/* The sum of the log-probabilities of a hypothesis, by the whole decoder. */
static double
teacher_forced(struct place *p, int sentence, const struct hypothesis *h, bool with_end)
{
	char text[64];
	const char *one[] = { text };
	struct setup_batch b;
	struct node *nll;
	double sum = 0;

	write_pair(p->m, sentence, h->id, h->n, text);
	pack(&b, p->m, one, 1);
	tape_rewind(p->run.tape);
	model_loss(p->m, p->run.tape, &b.b, &nll);
	for (int i = 0; i < h->n + with_end; i++)
		sum -= op_cross_entropy_rows(nll)[i];
	setup_batch_end(&b);
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

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(scores_are_those_of_the_whole_model),
		cmocka_unit_test(a_beam_of_one_is_greedy_without_a_cache),
		cmocka_unit_test(a_batch_equals_each_sentence_alone),
		cmocka_unit_test(prefixes_are_checked_and_forced),
		cmocka_unit_test(a_model_with_nan_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
