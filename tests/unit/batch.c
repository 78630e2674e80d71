/* batch: the rows made from records. */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "data/side-tokens.h"
#include "data/batch.h"
#include "letters.h"

struct fixture {
	struct vocab src, tgt;
	struct arena mem;
	struct record *rec[3];
	int64_t number[3];
	struct batch_rules rules;
};

enum { A = VOCAB_SPECIALS, B, C };

static void
pieces(struct record *rec, const char *field, const char *s)
{
	struct str v[8];
	size_t n = strlen(s);

	for (size_t i = 0; i < n; i++)
		v[i] = (struct str){ s + i, 1 };
	record_set_strs(rec, field, v, n);
}

static int
set_up(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	letters(&f->src, "abc");
	letters(&f->tgt, "abc");
	arena_init(&f->mem, 1 << 16);
	for (int i = 0; i < 3; i++) {
		f->rec[i] = record_new();
		f->number[i] = 10 * i;
	}
	pieces(f->rec[0], "src.pieces", "ab");
	pieces(f->rec[0], "tgt.pieces", "cxb");
	record_set_str(f->rec[1], "src", "  c a  zz", 9);
	record_set_str(f->rec[1], "tgt", "", 0);
	pieces(f->rec[2], "src.pieces", "");
	pieces(f->rec[2], "tgt.pieces", "a");
	f->rules = (struct batch_rules){ .src = &f->src, .tgt = &f->tgt, .src_eos = true,
					 .first = TARGET_BOS, .with_target = true };
	*state = f;
	return 0;
}

static int
tear_down(void **state)
{
	struct fixture *f = *state;

	for (int i = 0; i < 3; i++)
		record_free(f->rec[i]);
	vocab_release(&f->src);
	vocab_release(&f->tgt);
	arena_release(&f->mem);
	free(f);
	return 0;
}

static void
make(struct fixture *f, struct batch *b)
{
	struct err e;

	if (batch_make(b, &f->mem, (const struct record *const *)f->rec, f->number, 3, &f->rules,
		       &e))
		fail_msg("%s", e.text);
}

static void
check_ints(const int *found, const int *expected, size_t n)
{
	assert_memory_equal(found, expected, n * sizeof(*found));
}

#define CHECK(found, ...) check_ints(found, (const int[]){ __VA_ARGS__ }, \
				     sizeof((const int[]){ __VA_ARGS__ }) / sizeof(int))

static void
rows_stand_one_after_another(void **state)
{
	struct batch b;

	make(*state, &b);
	assert_int_equal(b.n, 3);
	assert_int_equal(b.src.layout.rows, 3 + 4 + 1);
	CHECK(b.src.layout.start, 0, 3, 7);
	CHECK(b.src.layout.len, 3, 4, 1);
	CHECK(b.src.id, A, B, VOCAB_EOS, C, A, VOCAB_UNK, VOCAB_EOS, VOCAB_EOS);
	CHECK(b.src.pos, 0, 1, 2, 0, 1, 2, 3, 0);
	assert_int_equal(b.tgt.layout.rows, 4 + 1 + 2);
	CHECK(b.tgt.layout.start, 0, 4, 5);
	CHECK(b.tgt.id, VOCAB_BOS, C, VOCAB_UNK, B, VOCAB_BOS, VOCAB_BOS, A);
	CHECK(b.tgt.out, C, VOCAB_UNK, B, VOCAB_EOS, VOCAB_EOS, A, VOCAB_EOS);
	CHECK(b.tgt.pos, 0, 1, 2, 3, 0, 0, 1);
}

static void
the_ends_of_a_sentence_follow_the_rules(void **state)
{
	struct fixture *f = *state;
	struct batch b;

	f->rules.src_eos = false;
	f->rules.first = TARGET_ZERO;
	make(f, &b);
	CHECK(b.src.id, A, B, C, A, VOCAB_UNK);
	CHECK(b.src.layout.len, 2, 3, 0);
	CHECK(b.tgt.id, -1, C, VOCAB_UNK, B, -1, -1, A);
	f->rules.first = TARGET_EOS;
	make(f, &b);
	assert_int_equal(b.tgt.id[0], VOCAB_EOS);
	f->rules.with_target = false;
	make(f, &b);
	assert_int_equal(b.tgt.layout.n, 0);
}

static void
keys_depend_on_the_record_alone(void **state)
{
	struct fixture *f = *state;
	struct batch all, one;
	struct err e;

	make(f, &all);
	assert_int_equal(batch_make(&one, &f->mem, (const struct record *const *)&f->rec[1],
				    &f->number[1], 1, &f->rules, &e),
			 0);
	assert_memory_equal(one.src.layout.key, all.src.layout.key + 3, 4 * sizeof(uint32_t));
	assert_memory_equal(one.tgt.layout.key, all.tgt.layout.key + 4, sizeof(uint32_t));
	for (int i = 0; i < all.src.layout.rows; i++)
		for (int j = 0; j < i; j++)
			assert_int_not_equal(all.src.layout.key[i], all.src.layout.key[j]);
	assert_int_not_equal(all.src.layout.key[0], all.tgt.layout.key[0]);
}

/* 500 records of "abc" with half of the words dropped. */
static void
words_are_dropped_in_their_share(void **state)
{
	enum { N = 500 };
	struct fixture *f = *state;
	struct record *rec = record_new();
	const struct record *list[N];
	int64_t number[N];
	struct batch b, again;
	struct err e;
	int unknown = 0;

	pieces(rec, "src.pieces", "abc");
	pieces(rec, "tgt.pieces", "abc");
	for (int i = 0; i < N; i++) {
		list[i] = rec;
		number[i] = i;
	}
	f->rules.word_dropout = 0.5;
	f->rules.seed = 4;
	assert_int_equal(batch_make(&b, &f->mem, list, number, N, &f->rules, &e), 0);
	assert_int_equal(batch_make(&again, &f->mem, list, number, N, &f->rules, &e), 0);
	assert_memory_equal(b.src.id, again.src.id, 4 * N * sizeof(int));
	for (int i = 0; i < N; i++) {
		assert_int_equal(b.src.id[4 * i + 3], VOCAB_EOS);
		assert_int_equal(b.tgt.id[4 * i], VOCAB_BOS);
		assert_int_equal(b.tgt.out[4 * i], A);
		for (int j = 0; j < 3; j++)
			unknown += (b.src.id[4 * i + j] == VOCAB_UNK) +
				   (b.tgt.id[4 * i + 1 + j] == VOCAB_UNK);
	}
	/* 3000 coins: mean 1500, deviation 27 */
	assert_in_range(unknown, 1500 - 5 * 27, 1500 + 5 * 27);
	f->rules.step = 1;
	assert_int_equal(batch_make(&again, &f->mem, list, number, N, &f->rules, &e), 0);
	assert_memory_not_equal(b.src.id, again.src.id, 4 * N * sizeof(int));
	record_free(rec);
}

static void
what_does_not_fit_is_refused_by_name(void **state)
{
	struct fixture *f = *state;
	struct batch b;
	struct err e;

	f->rules.max_length = 3;
	assert_int_equal(batch_make(&b, &f->mem, (const struct record *const *)f->rec, f->number, 3,
				    &f->rules, &e),
			 -1);
	assert_int_equal(e.status, EXIT_INPUT);
	assert_string_equal(e.text, "record 11: src has 4 tokens, expected at most 3");
	f->rules.max_length = 0;
	record_delete(f->rec[2], "tgt.pieces");
	assert_int_equal(batch_make(&b, &f->mem, (const struct record *const *)f->rec, f->number, 3,
				    &f->rules, &e),
			 -1);
	assert_string_equal(e.text, "record 21: no tgt.pieces and no tgt, expected one of them");
	record_set_int(f->rec[2], "tgt.pieces", 3);
	assert_int_equal(batch_make(&b, &f->mem, (const struct record *const *)f->rec, f->number, 3,
				    &f->rules, &e),
			 -1);
}

/* A side that was cut is the beginning of the whole side, followed by the end token. */
static void
what_is_too_long_loses_its_end(void **state)
{
	struct fixture *f = *state;
	const struct record *const *rec = (const struct record *const *)f->rec;
	struct batch whole, b;
	struct err e;

	assert_int_equal(batch_make(&whole, &f->mem, rec, f->number, 3, &f->rules, &e), 0);
	f->rules.cut = true;
	for (int most = 2; most <= 4; most++) {
		const int room = most - f->rules.src_eos;

		f->rules.max_length = most;
		assert_int_equal(batch_room(&f->rules, false), room);
		assert_int_equal(batch_room(&f->rules, true), most - 1);
		assert_int_equal(batch_make(&b, &f->mem, rec, f->number, 3, &f->rules, &e), 0);
		for (int i = 0; i < 3; i++) {
			const int n = side_tokens_count(rec[i], false);
			const int t = side_tokens_count(rec[i], true);
			const int src = n < room ? n : room, tgt = t < most - 1 ? t : most - 1;
			const int from = b.src.layout.start[i], first = whole.src.layout.start[i];
			const int to = b.tgt.layout.start[i], second = whole.tgt.layout.start[i];

			assert_int_equal(b.src.layout.len[i], src + f->rules.src_eos);
			assert_int_equal(b.src.id[from + src], VOCAB_EOS);
			assert_int_equal(b.tgt.layout.len[i], tgt + 1);
			assert_memory_equal(b.src.id + from, whole.src.id + first,
					    (size_t)src * sizeof(int));
			assert_memory_equal(b.tgt.id + to, whole.tgt.id + second,
					    (size_t)(tgt + 1) * sizeof(int));
			assert_memory_equal(b.tgt.out + to, whole.tgt.out + second,
					    (size_t)tgt * sizeof(int));
			assert_int_equal(b.tgt.out[to + tgt], VOCAB_EOS);
		}
	}
	f->rules.max_length = 0;
	assert_int_equal(batch_room(&f->rules, true), INT_MAX);
}

/*
 * A first token is added where a side does not begin with it, and counts as a token of the rules.
 */
static void
first_tokens_are_put_where_they_are_missing(void **state)
{
	struct fixture *f = *state;
	struct batch b;
	struct err e;

	f->rules.first_token[0] = (struct str){ "c", 1 };
	f->rules.first_token[1] = (struct str){ "b", 1 };
	pieces(f->rec[0], "src.pieces", "ab");
	pieces(f->rec[0], "tgt.pieces", "ba");
	pieces(f->rec[1], "src.pieces", "ca");
	pieces(f->rec[1], "tgt.pieces", "a");
	assert_int_equal(batch_make(&b, &f->mem, (const struct record *const *)f->rec, f->number, 2,
				    &f->rules, &e), 0);
	assert_int_equal(b.src.layout.len[0], 3 + f->rules.src_eos);
	assert_int_equal(b.src.layout.len[1], 2 + f->rules.src_eos);
	assert_memory_equal(b.src.id + b.src.layout.start[0], ((int[]){ C, A, B }),
			    3 * sizeof(int));
	assert_memory_equal(b.src.id + b.src.layout.start[1], ((int[]){ C, A }), 2 * sizeof(int));
	assert_memory_equal(b.tgt.out + b.tgt.layout.start[0], ((int[]){ B, A, VOCAB_EOS }),
			    3 * sizeof(int));
	assert_memory_equal(b.tgt.out + b.tgt.layout.start[1], ((int[]){ B, A, VOCAB_EOS }),
			    3 * sizeof(int));
	f->rules.with_target = false;
	f->rules.max_length = 3 + f->rules.src_eos;
	assert_int_equal(batch_room(&f->rules, false), 2);
	assert_int_equal(batch_fits(f->rec[0], &f->rules, &e), 0);
	f->rules.max_length--;
	assert_int_equal(batch_make(&b, &f->mem, (const struct record *const *)f->rec, f->number, 2,
				    &f->rules, &e), -1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(rows_stand_one_after_another, set_up, tear_down),
		cmocka_unit_test_setup_teardown(the_ends_of_a_sentence_follow_the_rules, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(keys_depend_on_the_record_alone, set_up, tear_down),
		cmocka_unit_test_setup_teardown(words_are_dropped_in_their_share, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(what_does_not_fit_is_refused_by_name, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(what_is_too_long_loses_its_end, set_up, tear_down),
		cmocka_unit_test_setup_teardown(first_tokens_are_put_where_they_are_missing, set_up,
						tear_down),
	};

	return cmocka_run_group_tests_name("batches", tests, NULL, NULL);
}
