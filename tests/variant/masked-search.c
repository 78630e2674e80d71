/*
 * searcher_mask(): the searches of a sentence with several gates are those of models with each of
 * these gates, to the bit, although they share what they have in common.  Likewise the encoder
 * outputs of gated-encoder.h.
 */
#include "setup.h"

#include "attention/attention-heads.h"
#include "search/gated-encoder.h"
#include "search/search.h"

enum { MASKS = 12 };

/* Gates of a model: those of one mask. */
struct masks { size_t heads, encoder; real *gates; };

/*
 * Several masks have the same gates in the encoder.  The others differ from those before them in
 * different layers.
 */
static real
gate_of_encoder(const struct masks *g, int mask, size_t head)
{
	static const int masked[MASKS] = { -1, 2, 7, 5, 5, 5, 5, 5, 5, 0, 1, 1 };

	if (masked[mask] >= 0 && head == (size_t)masked[mask] * g->encoder / 8)
		return 0;
	return head % 3 ? 1 : (real)0.5;
}

/* In the decoder: one head each, then none, then heads from the last one on, then random ones. */
static void
masks_open(struct masks *g, const struct model *m, struct rng *r)
{
	g->heads = heads_before(m->sites, m->n_sites);
	g->encoder = heads_before(m->sites, (size_t)m->config.enc_layers);
	g->gates = xcalloc(MASKS * g->heads, sizeof(*g->gates));
	for (size_t i = 0; i < MASKS; i++)
		for (size_t h = 0; h < g->heads; h++) {
			real *x = &g->gates[i * g->heads + h];
			const size_t of_decoder = h - g->encoder;
			const size_t heads = g->heads - g->encoder;

			if (h < g->encoder)
				*x = gate_of_encoder(g, (int)i, h);
			else if (i < 4)
				*x = of_decoder == (i * heads / 4 + i) % heads ? 0 : 1;
			else if (i < 8)
				*x = of_decoder + 2 * i < heads + 8 ? 1 : 0;
			else
				*x = (real)rng_below(r, 3) / 2;
		}
}

static void
search(struct model *m, struct runtime *run, const struct batch *b, const struct masks *g, int n,
       int beam, struct arena *mem, struct translation *t)
{
	struct search_settings s;
	struct searcher *x;
	struct err e;

	search_defaults(&s, SEARCH_FAIRSEQ);
	s.beam = beam;
	s.n_best = 1;
	s.max_ratio = 1;
	s.max_extra = 6;
	x = searcher_new(m, &run->pass, &s);
	if (n)
		searcher_mask(x, g->gates, n);
	if (search_batch(x, b, NULL, NULL, mem, t, &e))
		fail_msg("%s", e.text);
	searcher_free(x);
}

static void
equal(const struct hypothesis *a, const struct hypothesis *b)
{
	assert_int_equal(a->n, b->n);
	assert_memory_equal(a->id, b->id, (size_t)a->n * sizeof(*a->id));
	assert_memory_equal(&a->score, &b->score, sizeof(a->score));
}

static void
check(const char *preset, int beam)
{
	struct translation all[4], one[4];
	struct model *m = setup_model(preset);
	struct batch_rules rules;
	struct setup_batch b;
	struct runtime run;
	struct arena mem;
	struct masks g;
	struct rng r;

	setup_stir(m);
	setup_runtime(&run, 2, false);
	rng_init(&r, 5, rng_purpose("masked search"), 0);
	masks_open(&g, m, &r);
	model_batch_rules(m, &rules);
	rules.word_dropout = 0;
	setup_batch_with(&b, m, setup_text, NULL, 4, &rules);
	arena_init(&mem, 0);
	search(m, &run, &b.b, &g, MASKS, beam, &mem, all);
	for (int i = 0; i < MASKS; i++) {
		model_gate(m, g.gates + (size_t)i * g.heads);
		search(m, &run, &b.b, &g, 0, beam, &mem, one);
		for (int k = 0; k < 4; k++) {
			assert_int_equal(all[k].n, MASKS);
			equal(&all[k].best[i], &one[k].best[0]);
		}
	}
	model_gate(m, NULL);
	arena_release(&mem);
	setup_batch_end(&b);
	free(g.gates);
	runtime_close(&run);
	model_free(m);
}

/* Sentences `from` to `to` - 1 of a batch, with one mask after another and in a model with it. */
static void
check_part(struct model *m, struct gated_encoder *g, const struct batch *b, int from, int to,
	   real *gates)
{
	struct runtime run[2];
	const struct batch *part;
	const struct node *a, *all;

	setup_runtime(&run[0], 1, false);
	setup_runtime(&run[1], 1, false);
	a = gated_encoder_next(g, run[0].tape, from, to, &part);
	model_gate(m, gates);
	all = model_encode(m, run[1].tape, b);
	model_gate(m, NULL);
	assert_int_equal(part->n, to - from);
	assert_int_equal(a->d[0], part->src.layout.rows);
	for (int r = 0; r < a->d[0]; r++)
		assert_memory_equal(a->x + (ptrdiff_t)r * a->ld,
				    all->x + (ptrdiff_t)(b->src.layout.start[from] + r) * all->ld,
				    (size_t)a->d[1] * sizeof(*a->x));
	runtime_close(&run[0]);
	runtime_close(&run[1]);
}

static void
parts_are_encoded_as_by_gated_models(void **state)
{
	static const char *const names[] = { SETUP_NAMES };

	(void)state;
	for (int i = 0; i < SETUP_MODELS; i++) {
		struct model *m = setup_model(names[i]);
		const bool whole = attention_set_n(m->attention) > 0;
		struct gated_encoder encoder;
		struct batch_rules rules;
		struct setup_batch b;
		struct masks g;
		struct rng r;

		setup_stir(m);
		rng_init(&r, 6, rng_purpose("masked search"), 0);
		masks_open(&g, m, &r);
		model_batch_rules(m, &rules);
		rules.word_dropout = 0;
		rules.with_target = false;
		setup_batch_with(&b, m, setup_text, NULL, 4, &rules);
		gated_encoder_init(&encoder, m);
		for (int again = 0; again < 2; again++) {
			gated_encoder_batch(&encoder, &b.b);
			for (int k = 0; k < MASKS; k++) {
				real *gates = g.gates + (size_t)k * g.heads;

				gated_encoder_gates(&encoder, gates);
				check_part(m, &encoder, &b.b, 0, whole ? 4 : 3, gates);
				if (!whole)
					check_part(m, &encoder, &b.b, 3, 4, gates);
			}
		}
		gated_encoder_release(&encoder);
		setup_batch_end(&b);
		free(g.gates);
		model_free(m);
	}
}

static void
searches_with_gates_are_those_of_gated_models(void **state)
{
	static const char *const names[] = { SETUP_NAMES };

	(void)state;
	for (int i = 0; i < SETUP_MODELS; i++)
		for (int beam = 1; beam <= 5; beam += 2)
			check(names[i], beam);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parts_are_encoded_as_by_gated_models),
		cmocka_unit_test(searches_with_gates_are_those_of_gated_models),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
