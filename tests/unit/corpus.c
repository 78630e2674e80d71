/* corpus: the index of a stream, and the batches of an epoch. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "data/corpus.h"
#include "stream/stream.h"

#define N 500

static char path[] = "/tmp/corpus-test-XXXXXX";
static const struct field fields[] = { { "src.pieces", "[str]", 0 }, { "tgt.pieces", "[str]", 0 },
	{ 0 } };

/* The lengths of record i. */
static int
src_length(int i)
{
	return i == 7 ? 0 : i == 9 ? 60 : 1 + i * 7 % 13;
}

static int
tgt_length(int i)
{
	return i == 8 ? 0 : 1 + i * 5 % 11;
}

static void
put(struct writer *w, struct record *rec, int i, const char *first)
{
	struct str piece[64];
	struct err e;

	for (int k = 0; k < 64; k++)
		piece[k] = (struct str){ k ? "b" : first, 1 };
	record_set_strs(rec, "src.pieces", piece, (size_t)src_length(i));
	piece[0].s = "c";
	record_set_strs(rec, "tgt.pieces", piece, (size_t)tgt_length(i));
	assert_int_equal(writer_put(w, rec, &e), 0);
}

static void
write_stream(const char *first)
{
	struct err e;
	struct writer *w = writer_open(path, "sentence", NULL, fields, STREAM_NO_PG, &e);
	struct record *rec = record_new();

	assert_non_null(w);
	for (int i = 0; i < N; i++)
		put(w, rec, i, i == 400 ? first : "a");
	record_free(rec);
	assert_int_equal(writer_finish(w, &e), 0);
}

static int
setup(void **state)
{
	int fd = mkstemp(path);

	(void)state;
	if (fd < 0)
		return -1;
	close(fd);
	write_stream("a");
	return 0;
}

static int
teardown(void **state)
{
	(void)state;
	return unlink(path);
}

static void
open_corpus(struct corpus *c, struct word_count *src, struct word_count *tgt)
{
	struct err e;

	if (corpus_open(c, path, 0, src, tgt, &e))
		fail_msg("%s", e.text);
}

static void
lengths_and_counts(void **state)
{
	struct word_count src, tgt;
	struct corpus c;
	int64_t b = 0;

	(void)state;
	src = (struct word_count){ 0 };
	tgt = (struct word_count){ 0 };
	open_corpus(&c, &src, &tgt);
	assert_int_equal(c.n, N);
	for (int i = 0; i < N; i++) {
		assert_int_equal(c.pair[i].src, src_length(i));
		assert_int_equal(c.pair[i].tgt, tgt_length(i));
		b += src_length(i) > 0 ? src_length(i) - 1 : 0;
	}
	assert_int_equal(src.count[strmap_find(&src.words, "a", 1)], N - 1);
	assert_int_equal(src.count[strmap_find(&src.words, "b", 1)], b);
	assert_int_equal(strmap_find(&src.words, "c", 1), -1);
	assert_int_equal(tgt.count[strmap_find(&tgt.words, "c", 1)], N - 1);
	corpus_close(&c);
	word_count_release(&src);
	word_count_release(&tgt);
}

static void
select_up_to_20(struct corpus *c)
{
	const struct batch_rules rules = { .src_eos = true, .max_length = 20 };
	struct err e;

	assert_int_equal(corpus_select(c, &rules, &e), 0);
}

static void
empty_and_long_are_left_out(void **state)
{
	struct corpus c;

	(void)state;
	open_corpus(&c, NULL, NULL);
	select_up_to_20(&c);
	assert_int_equal(c.n_empty, 2);
	assert_int_equal(c.n_long, 1);
	assert_int_equal(c.n_used, N - 3);
	assert_int_equal(c.used[7], 10);
	assert_int_equal(c.pair[0].src, 2);
	corpus_close(&c);
}

/* Every source but that of record 400 begins with a, every target with c. */
static void
first_tokens_count_where_they_are_missing(void **state)
{
	const struct batch_rules rules = { .src_eos = true, .max_length = 14,
					   .first_token = { { "a", 1 }, { "x", 1 } } };
	struct corpus c;
	struct err e;

	(void)state;
	write_stream("b");
	open_corpus(&c, NULL, NULL);
	assert_int_equal(corpus_select(&c, &rules, &e), 0);
	for (int i = 0; i < N; i++) {
		const int without = i == 400 || !src_length(i);

		assert_int_equal(c.pair[i].src, src_length(i) + 1 + without);
		assert_int_equal(c.pair[i].tgt, tgt_length(i) + 2);
	}
	assert_int_equal(c.n_used, N - 3);
	assert_int_equal(c.pair[400].src, 8);
	corpus_close(&c);
	write_stream("a");
}

/*
 * Each usable record occurs once, and no batch is too large.  Successive batches of a pool do not
 * fit into one.
 */
static void
check_order(const struct corpus *c, const struct corpus_order *o, int64_t tokens)
{
	char seen[N] = { 0 };
	size_t all = 0;

	for (size_t i = 0; i < o->n_batches; i++) {
		const uint32_t *record;
		size_t n = corpus_order_records(o, i, &record);
		int64_t src, tgt;

		assert_true(n > 0);
		corpus_tokens(c, record, n, &src, &tgt);
		assert_true(n == 1 || (src <= tokens && tgt <= tokens));
		for (size_t k = 0; k < n; k++)
			assert_int_equal(seen[record[k]]++, 0);
		all += n;
	}
	assert_int_equal(all, c->n_used);
}

static void
an_epoch_takes_everything_once(void **state)
{
	const struct corpus_rules rules[] = { { 1, 100, 0 }, { 1, 100, 3 }, { 2, 5, 10 },
		{ 3, 1000000, 100 } };
	struct corpus_order o = { 0 };
	struct corpus c;

	(void)state;
	open_corpus(&c, NULL, NULL);
	select_up_to_20(&c);
	for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++)
		for (uint32_t epoch = 0; epoch < 3; epoch++) {
			corpus_epoch(&c, &o, &rules[i], epoch);
			check_order(&c, &o, rules[i].tokens);
		}
	assert_int_equal(o.n_batches, 1);
	corpus_sorted(&c, &o, 100);
	check_order(&c, &o, 100);
	corpus_order_release(&o);
	corpus_close(&c);
}

static void
order_is_a_function_of_seed_and_epoch(void **state)
{
	struct corpus_rules rules = { 5, 100, 2 };
	struct corpus_order a = { 0 }, b = { 0 };
	struct corpus c;

	(void)state;
	open_corpus(&c, NULL, NULL);
	select_up_to_20(&c);
	corpus_epoch(&c, &a, &rules, 3);
	corpus_epoch(&c, &b, &rules, 9);
	assert_memory_not_equal(a.record, b.record, c.n_used * sizeof(*a.record));
	corpus_epoch(&c, &b, &rules, 3);
	assert_int_equal(a.n_batches, b.n_batches);
	assert_memory_equal(a.record, b.record, c.n_used * sizeof(*a.record));
	assert_memory_equal(a.turn, b.turn, a.n_batches * sizeof(*a.turn));
	rules.seed = 6;
	corpus_epoch(&c, &b, &rules, 3);
	assert_memory_not_equal(a.record, b.record, c.n_used * sizeof(*a.record));
	corpus_order_release(&a);
	corpus_order_release(&b);
	corpus_close(&c);
}

/* With one pool, lengths in a batch differ little. */
static void
batches_hold_equal_lengths(void **state)
{
	const struct corpus_rules rules = { 5, 60, 0 };
	struct corpus_order o = { 0 };
	struct corpus c;

	(void)state;
	open_corpus(&c, NULL, NULL);
	select_up_to_20(&c);
	corpus_epoch(&c, &o, &rules, 0);
	for (size_t i = 0; i < o.n_batches; i++) {
		const uint32_t *r;
		size_t n = corpus_order_records(&o, i, &r);

		assert_true(c.pair[r[n - 1]].tgt - c.pair[r[0]].tgt <= 1);
	}
	corpus_order_release(&o);
	corpus_close(&c);
}

/*
 * Each part has the records that a search over all parts gives it: those for which it was the first
 * of the parts with the fewest tokens.
 */
static void
check_parts(const struct corpus *c, struct batch_parts *p, const uint32_t *record, size_t n,
	    int parts)
{
	int64_t *load = calloc((size_t)parts, sizeof(*load));
	size_t *used = calloc((size_t)parts, sizeof(*used));
	const uint32_t *r;

	batch_parts_divide(p, c, record, n, parts);
	for (size_t i = 0; i < n; i++) {
		int min = 0;

		for (int k = 1; k < parts; k++)
			min = load[k] < load[min] ? k : min;
		load[min] += c->pair[record[i]].src + c->pair[record[i]].tgt;
		assert_true(used[min] < batch_parts_get(p, min, &r));
		assert_int_equal(r[used[min]++], record[i]);
	}
	for (int k = 0; k < parts; k++)
		assert_int_equal(batch_parts_get(p, k, &r), used[k]);
	free(load);
	free(used);
}

static void
each_record_goes_to_the_part_with_the_fewest_tokens(void **state)
{
	const struct corpus_rules rules = { 5, 600, 3 };
	struct batch_parts p = { 0 };
	struct corpus_order o = { 0 };
	struct corpus c;

	(void)state;
	open_corpus(&c, NULL, NULL);
	select_up_to_20(&c);
	corpus_epoch(&c, &o, &rules, 0);
	for (int parts = 1; parts < 300; parts += 1 + parts / 8)
		for (size_t i = 0; i < o.n_batches; i++) {
			const uint32_t *r;
			size_t n = corpus_order_records(&o, i, &r);

			check_parts(&c, &p, r, n, parts);
		}
	batch_parts_release(&p);
	corpus_order_release(&o);
	corpus_close(&c);
}

static void
another_corpus_has_another_digest(void **state)
{
	struct corpus a, b;

	(void)state;
	open_corpus(&a, NULL, NULL);
	write_stream("z");
	open_corpus(&b, NULL, NULL);
	assert_int_not_equal(a.digest, b.digest);
	corpus_close(&a);
	corpus_close(&b);
	write_stream("a");
}

static void
joint_vocabularies_are_equal(void **state)
{
	struct word_count src, tgt;
	struct vocab s, t;

	(void)state;
	src = (struct word_count){ 0 };
	tgt = (struct word_count){ 0 };
	word_count_add(&src, "x", 1, 3);
	word_count_add(&src, "y", 1, 1);
	word_count_add(&tgt, "y", 1, 4);
	word_count_add(&tgt, "z", 1, 1);
	corpus_vocab(&src, &tgt, 1, 2, 0, &s, &t);
	assert_int_equal(vocab_digest(&s), vocab_digest(&t));
	assert_int_equal(vocab_id(&s, "y", 1), VOCAB_SPECIALS);
	assert_int_equal(vocab_id(&s, "x", 1), VOCAB_SPECIALS + 1);
	assert_int_equal(vocab_id(&s, "z", 1), VOCAB_UNK);
	vocab_release(&s);
	vocab_release(&t);
	corpus_vocab(&src, &tgt, 0, 1, 0, &s, &t);
	assert_int_equal(vocab_id(&s, "z", 1), VOCAB_UNK);
	assert_int_equal(vocab_id(&t, "z", 1), VOCAB_SPECIALS + 1);
	vocab_release(&s);
	vocab_release(&t);
	word_count_release(&src);
	word_count_release(&tgt);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lengths_and_counts),
		cmocka_unit_test(empty_and_long_are_left_out),
		cmocka_unit_test(first_tokens_count_where_they_are_missing),
		cmocka_unit_test(an_epoch_takes_everything_once),
		cmocka_unit_test(order_is_a_function_of_seed_and_epoch),
		cmocka_unit_test(batches_hold_equal_lengths),
		cmocka_unit_test(each_record_goes_to_the_part_with_the_fewest_tokens),
		cmocka_unit_test(another_corpus_has_another_digest),
		cmocka_unit_test(joint_vocabularies_are_equal),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
