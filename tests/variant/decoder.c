/* Incremental decoding with a cache, compared with the whole decoder. */
#include "search/decoder.h"
#include "search/next-token.h"
#include "search/search.h"
#include "setup.h"

static const char *const names[] = { SETUP_NAMES };

/* Checks that rows of h differ by at most `most`, relative to 1 or more. */
static void
check_near(const real *a, const real *b, double most, const char *what, int sentence, int pos)
{
	for (int i = 0; i < 8; i++)
		if (!(off_by(a[i], b[i], 1) <= most))
			fail_msg("%s: sentence %d, position %d, column %d: %.15g, expected %.15g",
				 what, sentence, pos, i, a[i], b[i]);
}

/* Checks that rows of h are equal, except for rounding. */
static void
check_row(const real *a, const real *b, const char *what, int sentence, int pos)
{
	check_near(a, b, 1e-12, what, sentence, pos);
}

/* A step of all sentences of a batch that have the position pos, each in a slot. */
struct target_step { int n, slot[MOST], sentence[MOST], pos[MOST], id[MOST], row[MOST]; };

static struct target_step
step_at(const struct setup_batch *s, const int *slot_of, int pos)
{
	struct target_step x = { 0 };

	for (int i = 0; i < s->b.n; i++) {
		if (pos >= s->b.tgt.layout.len[i])
			continue;
		x.slot[x.n] = slot_of[i];
		x.sentence[x.n] = i;
		x.pos[x.n] = pos;
		x.row[x.n] = s->b.tgt.layout.start[i] + pos;
		x.id[x.n] = s->b.tgt.id[x.row[x.n]];
		x.n++;
	}
	return x;
}

static const real *
take_step(struct decoder_cache *c, struct model *m, struct runtime *run,
	  const struct target_step *x)
{
	tape_rewind(run->tape);
	return decoder_step(c, m, run->tape, x->n, x->slot, x->sentence, x->pos, x->id, NULL)->x;
}

enum { SLOTS = 6 };

/* Steps through all sentences of a batch, each in a slot, to their ends. */
static void
follow_targets(struct model *m, const struct setup_batch *s, const int *slot_of)
{
	struct runtime full, run;
	struct decoder_cache *c = decoder_cache_new(m, SLOTS, false);
	struct target_step x;
	struct node *memory, *whole;

	setup_runtime(&full, 1, false);
	setup_runtime(&run, 2, false);
	memory = model_encode(m, full.tape, &s->b);
	whole = model_decode(m, full.tape, &s->b, memory);
	decoder_cache_add(c, m, full.tape, &s->b, memory);
	for (int pos = 0; x = step_at(s, slot_of, pos), x.n; pos++) {
		const real *h = take_step(c, m, &run, &x);

		for (int i = 0; i < x.n; i++)
			check_row(h + i * 8, whole->x + x.row[i] * 8, m->preset, x.sentence[i],
				  pos);
	}
	decoder_cache_free(c);
	runtime_close(&run);
	runtime_close(&full);
}

typedef void follow(struct model *m, const struct setup_batch *s, const int *slot_of);

/* Each model follows a batch whose sentences are in slots of another order. */
static void
all_models(follow *check)
{
	static const int slots[] = { 3, 0, 5, 1 };

	for (size_t i = 0; i < SETUP_MODELS; i++) {
		struct model *m = setup_model(names[i]);
		struct setup_batch s;

		setup_stir(m);
		setup_batch(&s, m, setup_text, NULL, 4);
		check(m, &s, slots);
		setup_batch_end(&s);
		model_free(m);
	}
}

static void
steps_equal_the_whole_decoder(void **state)
{
	(void)state;
	all_models(follow_targets);
}

/*
 * Keys and values as bytes change a step a little.  They are read in two ways: by attention without
 * copies and, if a variant or the caller needs the weights, into a tensor.
 */
static void
follow_bytes(struct model *m, const struct setup_batch *s, const int *slot_of)
{
	struct runtime run[3];
	struct decoder_cache *c[] = { decoder_cache_new(m, SLOTS, false),
				      decoder_cache_new(m, SLOTS, true),
				      decoder_cache_new(m, SLOTS, true) };
	const real *h[3];
	struct target_step x;
	double largest = 0;

	decoder_cache_keep_weights(c[2], search_coverage_site(m));
	for (int k = 0; k < 3; k++) {
		setup_runtime(&run[k], 2, false);
		decoder_cache_add(c[k], m, run[k].tape, &s->b,
				  model_encode(m, run[k].tape, &s->b));
	}
	for (int pos = 0; x = step_at(s, slot_of, pos), x.n; pos++) {
		for (int k = 0; k < 3; k++)
			h[k] = take_step(c[k], m, &run[k], &x);
		for (int i = 0; i < x.n; i++) {
			check_near(h[1] + i * 8, h[0] + i * 8, 0.05, "bytes", x.sentence[i], pos);
			check_row(h[2] + i * 8, h[1] + i * 8, "bytes, kept", x.sentence[i], pos);
		}
		for (int i = 0; i < 8 * x.n; i++)
			largest = fmax(largest, off_by(h[1][i], h[0][i], 1));
	}
	assert_true(largest > 1e-6);
	for (int k = 0; k < 3; k++) {
		decoder_cache_free(c[k]);
		runtime_close(&run[k]);
	}
}

static void
bytes_are_near_and_read_alike(void **state)
{
	(void)state;
	all_models(follow_bytes);
}

/* Hypotheses at different positions may share a step. */
static void
positions_may_differ_in_a_step(void **state)
{
	static const char *const text[] = { "abc|klmn", "de|opq" };
	struct model *m = setup_model("onmt");
	struct setup_batch s;
	struct runtime full, run;
	struct decoder_cache *c = decoder_cache_new(m, 2, false);
	struct node *memory, *whole;

	(void)state;
	setup_runtime(&full, 1, false);
	setup_runtime(&run, 1, false);
	setup_batch(&s, m, text, NULL, 2);
	memory = model_encode(m, full.tape, &s.b);
	whole = model_decode(m, full.tape, &s.b, memory);
	decoder_cache_add(c, m, full.tape, &s.b, memory);
	for (int t = -1; t < 4; t++) {		/* the second sentence is one step late */
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
		h = decoder_step(c, m, run.tape, n, slot, sentence, pos, id, NULL);
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

/* A step of one hypothesis of sentence 0 in its slot. */
static void
step(struct decoder_cache *c, struct model *m, struct runtime *run, int slot, int pos, int id,
     real *out)
{
	const int sentence = 0;

	tape_rewind(run->tape);
	memcpy(out, decoder_step(c, m, run->tape, 1, &slot, &sentence, &pos, &id, NULL)->x,
	       8 * sizeof(*out));
}

/* Four hypotheses with different prefixes are moved; each must continue its prefix. */
static void
check_moves(const int *from, const int *to, int n)
{
	struct model *m = setup_model("fairseq");
	const char *source = "abcd|k";
	struct decoder_cache *c = decoder_cache_new(m, 4, false);
	struct setup_batch s;
	struct runtime run;
	real expected[4][8], found[8];
	const int len[4] = { 2, 2, 2, 2 };
	int owner[4] = { 0, 1, 2, 3 };

	setup_runtime(&run, 1, false);
	setup_batch(&s, m, &source, NULL, 1);
	decoder_cache_add(c, m, run.tape, &s.b, model_encode(m, run.tape, &s.b));
	for (int k = 0; k < 4; k++) {
		step(c, m, &run, k, 0, VOCAB_EOS, found);
		step(c, m, &run, k, 1, 5 + k, found);
		step(c, m, &run, k, 2, 12, expected[k]);
	}
	decoder_cache_move(c, n, from, to, len);
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

/* More positions than in the other tests, and a source of the same length. */
static void
long_sentences_equal_the_whole_decoder(void **state)
{
	static const char *const text[] = { "abcdefghijabcdefghijabcdefghijabcdefghij|"
					    "klmnopqrstuvklmnopqrstuvklmnopqrstuvklmnop",
					    "a|klmnopqrstuvklmnopqrstuvklmnopq" };
	static const int slots[] = { 1, 0 };
	struct model_config config = setup_config("fairseq");
	struct model *m;
	struct setup_batch s;

	(void)state;
	config.max_length = 64;
	m = setup_model_of(&config, "fairseq", NULL, 0, 7);
	setup_batch(&s, m, text, NULL, 2);
	follow_targets(m, &s, slots);
	setup_batch_end(&s);
	model_free(m);
}

/* Hypotheses share prefixes in a tree; each path must equal that of the whole decoder. */
static void
copies_share_their_prefix(void **state)
{
	static const char *const text[] = {
		"abc|kkkkkkkkkkkkkkkkkkkk", "abc|kkkkkkkkkkkkkkkkklll", "abc|kkkkkkkkkkkkkkkkkkll"
	};
	const int slot[] = { 0, 1, 2 }, from[] = { 0, 0 }, to[] = { 1, 2 }, part[] = { 18, 19 };
	struct model_config config = setup_config("onmt");
	struct model *m;
	struct setup_batch s;
	struct runtime full, run;
	struct decoder_cache *c;
	struct node *memory, *whole;

	(void)state;
	config.max_length = 32;
	m = setup_model_of(&config, "onmt", NULL, 0, 7);
	c = decoder_cache_new(m, 3, false);
	setup_runtime(&full, 1, false);
	setup_runtime(&run, 1, false);
	setup_batch(&s, m, text, NULL, 3);
	memory = model_encode(m, full.tape, &s.b);
	whole = model_decode(m, full.tape, &s.b, memory);
	decoder_cache_add(c, m, full.tape, &s.b, memory);
	for (int pos = 0, n = 1; pos < 21; pos++) {
		const int position[] = { pos, pos, pos };
		int id[3];
		const struct node *h;

		for (; n < 3 && pos == part[n - 1]; n++)
			decoder_cache_move(c, 1, &from[n - 1], &to[n - 1], &pos);
		for (int i = 0; i < n; i++)
			id[i] = s.b.tgt.id[s.b.tgt.layout.start[i] + pos];
		tape_rewind(run.tape);
		h = decoder_step(c, m, run.tape, n, slot, slot, position, id, NULL);
		for (int i = 0; i < n; i++)
			check_row(h->x + i * 8, whole->x + (s.b.tgt.layout.start[i] + pos) * 8,
				  "shared", i, pos);
	}
	decoder_cache_free(c);
	runtime_close(&full);
	runtime_close(&run);
	setup_batch_end(&s);
	model_free(m);
}

static void
a_batch_replaces_the_previous_one(void **state)
{
	static const char *const first[] = { "abcdef|k", "ghij|k", "ab|k" }, *const later[] = {
		"cdefg|k", "hhhhhh|k"
	};
	struct model *m = setup_model("witwicky");
	struct decoder_cache *c = decoder_cache_new(m, 1, false);
	struct decoder_cache *fresh = decoder_cache_new(m, 1, false);
	struct setup_batch s, more;
	struct runtime run;
	real found[8], expected[8];

	(void)state;
	setup_runtime(&run, 1, false);
	setup_batch(&s, m, first, NULL, 3);
	setup_batch(&more, m, later, NULL, 2);
	decoder_cache_add(c, m, run.tape, &s.b, model_encode(m, run.tape, &s.b));
	for (int pos = 0; pos < 3; pos++)
		step(c, m, &run, 0, pos, 12, found);
	decoder_cache_clear(c);
	decoder_cache_add(c, m, run.tape, &more.b, model_encode(m, run.tape, &more.b));
	decoder_cache_add(fresh, m, run.tape, &more.b, model_encode(m, run.tape, &more.b));
	for (int pos = 0; pos < 3; pos++) {
		step(c, m, &run, 0, pos, 12 + pos, found);
		step(fresh, m, &run, 0, pos, 12 + pos, expected);
		assert_memory_equal(found, expected, sizeof(found));
	}
	setup_batch_end(&s);
	setup_batch_end(&more);
	decoder_cache_free(c);
	decoder_cache_free(fresh);
	runtime_close(&run);
	model_free(m);
}

/* Compares the list of row r with all log-probabilities, computed from the logits. */
static void
check_next(const struct model *m, const real *logits, const struct best *b, int from, int to)
{
	double sum = 0, least = b->n ? b->list[b->n - 1].x : 0;
	int n = 0, better = 0;

	for (int v = 0; v < m->tgt.n; v++)
		sum += !m->tgt_valid || m->tgt_valid[v] ? exp(logits[v]) : 0;
	for (int v = from; v < to; v++)
		if (!m->tgt_valid || m->tgt_valid[v]) {
			n++;
			better += logits[v] - log(sum) > least + 1e-12;
		}
	assert_int_equal(b->n, n < b->width ? n : b->width);
	assert_int_equal(better, b->n - 1);
	for (int k = 0; k < b->n; k++) {
		const int v = b->list[k].id;

		assert_true(v >= from && v < to && (!m->tgt_valid || m->tgt_valid[v]));
		assert_true(off_by(b->list[k].x, logits[v] - log(sum), 1) < 1e-12);
		assert_true(k == 0 || b->list[k].x <= b->list[k - 1].x);
	}
}

static void
the_next_tokens_are_the_most_probable(void **state)
{
	static const int from[] = { VOCAB_EOS, VOCAB_EOS + 1, 7, VOCAB_EOS };
	static const int to[] = { 100, 100, 8, 6 };

	(void)state;
	for (size_t i = 0; i < 4; i++)
		for (int prepared = 0; prepared < 2; prepared++) {
			struct model *m = setup_model(names[i]);
			struct scored list[MOST * 16][3];
			struct best best[MOST * 16];
			int begin[MOST * 16], end[MOST * 16];
			const struct next_tokens next = { begin, end, best, NULL, NULL };
			struct setup_batch s;
			struct runtime run;
			const struct node *logits;
			struct node *h;

			setup_stir(m);
			setup_runtime(&run, 2, false);
			if (prepared)
				model_prepare(m, &run.backend, run.pool);
			setup_batch(&s, m, setup_text, NULL, 4);
			h = model_decode(m, run.tape, &s.b, model_encode(m, run.tape, &s.b));
			logits = model_logits(m, run.tape, h);
			for (int r = 0; r < h->d[0]; r++) {
				begin[r] = from[r % 4];
				end[r] = to[r % 4] < m->tgt.n ? to[r % 4] : m->tgt.n;
				best_init(&best[r], list[r], 3);
			}
			model_next(m, run.tape, h, &next);
			for (int r = 0; r < h->d[0]; r++)
				check_next(m, logits->x + r * m->tgt.n, &best[r], begin[r], end[r]);
			setup_batch_end(&s);
			runtime_close(&run);
			model_free(m);
		}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(steps_equal_the_whole_decoder),
		cmocka_unit_test(bytes_are_near_and_read_alike),
		cmocka_unit_test(positions_may_differ_in_a_step),
		cmocka_unit_test(slots_move_all_at_once),
		cmocka_unit_test(long_sentences_equal_the_whole_decoder),
		cmocka_unit_test(copies_share_their_prefix),
		cmocka_unit_test(a_batch_replaces_the_previous_one),
		cmocka_unit_test(the_next_tokens_are_the_most_probable),
	};

	return cmocka_run_group_tests_name("decoding with a cache", tests, NULL, NULL);
}
