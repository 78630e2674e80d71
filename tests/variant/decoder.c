/* Decoding position by position, with a cache, against the whole decoder at once. */
#include "setup.h"

static const char *const names[] = { "fairseq", "onmt", "witwicky", "story" };

/* Rows of h that should be equal, to rounding. */
static void
check_row(const real *a, const real *b, const char *what, int sentence, int pos)
{
	for (int i = 0; i < 8; i++)
		if (off_by(a[i], b[i], 1) > 1e-12)
			fail_msg("%s: sentence %d, position %d, column %d: %.15g, expected %.15g",
				 what, sentence, pos, i, a[i], b[i]);
}

/* All sentences of a batch, each in a slot, stepping as long as they have symbols. */
static void
follow_targets(struct model *m, const struct setup_batch *s, const int *slot_of, int max_slots)
{
	struct runtime full, run;
	struct decoder_cache *c = decoder_cache_new(m, max_slots, 10, 3);
	struct node *memory, *whole;
	int first;

	setup_runtime(&full, 1, false);
	setup_runtime(&run, 2, false);
	memory = model_encode(m, full.tape, &s->b);
	whole = model_decode(m, full.tape, &s->b, memory);
	first = decoder_cache_add(c, m, full.tape, &s->b, memory);
	for (int pos = 0, n = 1; n; pos++) {
		int slot[MOST], sentence[MOST], position[MOST], id[MOST], row[MOST];
		const struct node *h;

		n = 0;
		for (int i = 0; i < s->b.n; i++) {
			if (pos >= s->b.tgt.layout.len[i])
				continue;
			slot[n] = slot_of[i];
			sentence[n] = first + i;
			position[n] = pos;
			row[n] = s->b.tgt.layout.start[i] + pos;
			id[n] = s->b.tgt.id[row[n]];
			n++;
		}
		tape_rewind(run.tape);
		h = n ? decoder_step(c, m, run.tape, n, slot, sentence, position, id) : NULL;
		for (int i = 0; i < n; i++)
			check_row(h->x + i * 8, whole->x + row[i] * 8, m->preset,
				  sentence[i] - first, pos);
	}
	decoder_cache_free(c);
	runtime_close(&run);
	runtime_close(&full);
}

static void
steps_give_what_the_whole_decoder_gives(void **state)
{
	static const int slots[] = { 3, 0, 5, 1 };

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		struct model *m = setup_model(names[i]);
		struct setup_batch s;

		setup_stir(m);
		setup_batch(&s, m, setup_text, NULL, 4);
		follow_targets(m, &s, slots, 6);
		setup_batch_end(&s);
		model_free(m);
	}
}

/* Hypotheses at different positions may share a step. */
static void
positions_may_differ_in_a_step(void **state)
{
	static const char *const text[] = { "abc|klmn", "de|opq" };
	struct model *m = setup_model("onmt");
	struct setup_batch s;
	struct runtime full, run;
	struct decoder_cache *c = decoder_cache_new(m, 2, 8, 16);
	struct node *memory, *whole;

	(void)state;
	setup_runtime(&full, 1, false);
	setup_runtime(&run, 1, false);
	setup_batch(&s, m, text, NULL, 2);
	memory = model_encode(m, full.tape, &s.b);
	whole = model_decode(m, full.tape, &s.b, memory);
	decoder_cache_add(c, m, full.tape, &s.b, memory);
	for (int t = -1; t < 4; t++) {		/* the second sentence is one behind */
		int slot[2], sentence[2], pos[2], id[2], row[2], n = 0;
		const struct node *h;

		for (int i = 0; i < 2; i++) {
			const int p = i ? t : t + 1;

			if (p < 0 || p >= s.b.tgt.layout.len[i])
				continue;
			slot[n] = sentence[n] = i;
			pos[n] = p;
			row[n] = s.b.tgt.layout.start[i] + p;
			id[n] = s.b.tgt.id[row[n]];
			n++;
		}
		tape_rewind(run.tape);
		h = decoder_step(c, m, run.tape, n, slot, sentence, pos, id);
		for (int i = 0; i < n; i++)
			check_row(h->x + i * 8, whole->x + row[i] * 8, "apart", sentence[i],
				  pos[i]);
	}
	decoder_cache_free(c);
	runtime_close(&full);
	runtime_close(&run);
	setup_batch_end(&s);
	model_free(m);
}

/* A step of one hypothesis in its slot, of sentence 0. */
static void
step(struct decoder_cache *c, struct model *m, struct runtime *run, int slot, int pos, int id,
     real *out)
{
	const int sentence = 0;

	tape_rewind(run->tape);
	memcpy(out, decoder_step(c, m, run->tape, 1, &slot, &sentence, &pos, &id)->x,
	       8 * sizeof(*out));
}

/* Four hypotheses with prefixes of their own are moved; each must go on as its prefix wants. */
static void
check_moves(const int *from, const int *to, int n)
{
	struct model *m = setup_model("fairseq");
	const char *source = "abcd|k";
	struct decoder_cache *c = decoder_cache_new(m, 4, 6, 8);
	struct setup_batch s;
	struct runtime run;
	real expected[4][8], found[8];
	int owner[4] = { 0, 1, 2, 3 };

	setup_runtime(&run, 1, false);
	setup_batch(&s, m, &source, NULL, 1);
	decoder_cache_add(c, m, run.tape, &s.b, model_encode(m, run.tape, &s.b));
	for (int k = 0; k < 4; k++) {
		step(c, m, &run, k, 0, VOCAB_EOS, found);
		step(c, m, &run, k, 1, 5 + k, found);
		step(c, m, &run, k, 2, 12, expected[k]);
	}
	decoder_cache_move(c, n, from, to, 2);
	for (int i = 0; i < n; i++)
		owner[to[i]] = from[i];
	for (int k = 0; k < 4; k++) {
		step(c, m, &run, k, 2, 12, found);
		assert_memory_equal(found, expected[owner[k]], sizeof(found));
	}
	decoder_cache_free(c);
	setup_batch_end(&s);
	runtime_close(&run);
	model_free(m);
}

static void
slots_move_all_at_once(void **state)
{
	(void)state;
	check_moves((const int[]){ 0, 1, 2, 3 }, (const int[]){ 0, 1, 2, 3 }, 4);
	check_moves((const int[]){ 0, 0, 0 }, (const int[]){ 1, 2, 3 }, 3);
	check_moves((const int[]){ 0, 1, 2 }, (const int[]){ 1, 2, 3 }, 3);
	check_moves((const int[]){ 3, 2, 1 }, (const int[]){ 2, 1, 0 }, 3);
	check_moves((const int[]){ 0, 1 }, (const int[]){ 1, 0 }, 2);
	check_moves((const int[]){ 1, 2, 3, 0 }, (const int[]){ 0, 1, 2, 3 }, 4);
	check_moves((const int[]){ 1, 0, 3, 2 }, (const int[]){ 0, 1, 2, 3 }, 4);
	check_moves((const int[]){ 1, 0, 0, 1 }, (const int[]){ 0, 1, 2, 3 }, 4);
	check_moves((const int[]){ 2, 2, 1, 1 }, (const int[]){ 0, 1, 2, 3 }, 4);
}

/* Sentences come and go; rows are used again, and those that stay keep theirs. */
static void
dropped_sentences_make_room(void **state)
{
	static const char *const first[] = { "abcdef|k", "ghij|k", "ab|k" }, *const later[] = {
		"cdefg|k", "hhhhhh|k"
	};
	struct model *m = setup_model("witwicky");
	struct decoder_cache *c = decoder_cache_new(m, 1, 4, 14),
			     *fresh = decoder_cache_new(m, 1, 4, 14);
	struct setup_batch s, more;
	struct runtime run;
	real before[8], after[8];
	const int slot = 0, pos = 0, id = VOCAB_BOS, keep = 1;
	int at;

	(void)state;
	setup_runtime(&run, 1, false);
	setup_batch(&s, m, first, NULL, 3);
	setup_batch(&more, m, later, NULL, 2);
	assert_int_equal(attention_set_batch(m->attention, &s.b, NULL), 0);
	assert_int_equal(decoder_cache_add(c, m, run.tape, &s.b, model_encode(m, run.tape, &s.b)),
			 0);
	memcpy(before, decoder_step(c, m, run.tape, 1, &slot, &keep, &pos, &id)->x, sizeof(before));
	decoder_cache_drop(c, 0);
	decoder_cache_drop(c, 2);
	tape_rewind(run.tape);
	assert_int_equal(attention_set_batch(m->attention, &more.b, NULL), 0);
	at = decoder_cache_add(c, m, run.tape, &more.b, model_encode(m, run.tape, &more.b));
	assert_int_equal(at, 2);
	tape_rewind(run.tape);
	memcpy(after, decoder_step(c, m, run.tape, 1, &slot, &keep, &pos, &id)->x, sizeof(after));
	assert_memory_equal(before, after, sizeof(before));

	tape_rewind(run.tape);
	assert_int_equal(
		decoder_cache_add(fresh, m, run.tape, &more.b, model_encode(m, run.tape, &more.b)),
		0);
	memcpy(before, decoder_step(fresh, m, run.tape, 1, &slot, &keep, &pos, &id)->x,
	       sizeof(before));
	at++;
	memcpy(after, decoder_step(c, m, run.tape, 1, &slot, &at, &pos, &id)->x, sizeof(after));
	assert_memory_equal(before, after, sizeof(before));
	setup_batch_end(&s);
	setup_batch_end(&more);
	decoder_cache_free(c);
	decoder_cache_free(fresh);
	runtime_close(&run);
	model_free(m);
}

/* log p of every type against a softmax by hand; masked types are impossible. */
static void
log_probabilities_are_those_of_a_softmax(void **state)
{
	(void)state;
	for (size_t i = 0; i < 4; i++) {
		struct model *m = setup_model(names[i]);
		struct setup_batch s;
		struct runtime run;
		const struct node *logits;
		struct node *h;
		const int n = m->tgt.n;
		real *p;

		setup_stir(m);
		setup_runtime(&run, 2, false);
		setup_batch(&s, m, setup_text, NULL, 4);
		h = model_decode(m, run.tape, &s.b, model_encode(m, run.tape, &s.b));
		logits = model_logits(m, run.tape, h);
		p = xcalloc((size_t)(h->d[0] * n), sizeof(*p));
		model_log_probs(m, run.tape, h, p);
		for (int r = 0; r < h->d[0]; r++) {
			double sum = 0;

			for (int v = 0; v < n; v++)
				if (!m->tgt_valid || m->tgt_valid[v])
					sum += exp(logits->x[r * n + v]);
			for (int v = 0; v < n; v++)
				if (!m->tgt_valid || m->tgt_valid[v])
					assert_true(off_by(p[r * n + v],
							   logits->x[r * n + v] - log(sum),
							   1) < 1e-12);
				else
					assert_true(isinf(p[r * n + v]) && p[r * n + v] < 0);
		}
		free(p);
		setup_batch_end(&s);
		runtime_close(&run);
		model_free(m);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(steps_give_what_the_whole_decoder_gives),
		cmocka_unit_test(positions_may_differ_in_a_step),
		cmocka_unit_test(slots_move_all_at_once),
		cmocka_unit_test(dropped_sentences_make_room),
		cmocka_unit_test(log_probabilities_are_those_of_a_softmax),
	};

	return cmocka_run_group_tests_name("decoding with a cache", tests, NULL, NULL);
}
