/* base: number generator, memory, threads, settings, files, against published values. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/cli.h"
#include "base/hash.h"
#include "base/near-name.h"
#include "base/num.h"
#include "base/output.h"
#include "base/pool.h"
#include "base/progress.h"
#include "base/rng.h"
#include "base/strmap.h"

/* The known answers of the Random123 distribution for philox4x32-10. */
static void
philox_gives_the_published_values(void **state)
{
	static const uint32_t in[3][6] = {
		{ 0 },
		{ ~0u, ~0u, ~0u, ~0u, ~0u, ~0u },
		{ 0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0 },
	};
	static const uint32_t want[3][4] = {
		{ 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8 },
		{ 0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd },
		{ 0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1 },
	};
	uint32_t out[4];

	(void)state;
	for (int i = 0; i < 3; i++) {
		philox(in[i] + 4, in[i], out);
		assert_memory_equal(out, want[i], sizeof(out));
	}
}

static void
permutations_are_complete_and_uniform(void **state)
{
	int seen[6] = { 0 };
	uint32_t p[3];

	(void)state;
	for (uint32_t step = 0; step < 600; step++) {
		struct rng r;

		rng_init(&r, 7, rng_purpose("test"), step);
		rng_permutation(&r, p, 3);
		assert_int_equal(p[0] + p[1] + p[2], 3);
		assert_true(p[0] != p[1] && p[1] != p[2] && p[0] != p[2]);
		seen[p[0] * 2 + (p[1] > p[2])]++;
	}
	for (int i = 0; i < 6; i++)
		assert_in_range(seen[i], 60, 140);	/* 100 expected, standard deviation 9 */
}

static void
normal_numbers_have_mean_0_and_variance_1(void **state)
{
	double sum = 0, squares = 0;
	struct rng r;

	(void)state;
	rng_init(&r, 1, rng_purpose("normal"), 0);
	for (int i = 0; i < 40000; i++) {
		double x = rng_normal(&r);

		sum += x;
		squares += x * x;
	}
	assert_true(sum / 40000 > -0.02 && sum / 40000 < 0.02);
	assert_true(squares / 40000 > 0.97 && squares / 40000 < 1.03);
}

static void
numbers_are_parsed_strictly(void **state)
{
	static const char *const bad[] = { "", "3x", "x3", " 3", "3 ", "0x10", "1e3", "65", "0",
					   "3\0", "99999999999999999999" };
	struct err e;
	int64_t v = 0;
	double d = 0;

	(void)state;
	assert_int_equal(num_int("64", 2, 1, 64, &v, &e), 0);
	assert_int_equal(v, 64);
	assert_int_equal(num_int("-5", 2, -9, 9, &v, &e), 0);
	assert_int_equal(v, -5);
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_int_equal(num_int(bad[i], i == 9 ? 2 : strlen(bad[i]), 1, 64, &v, &e), -1);
	assert_string_equal(e.text, "'99999999999999999999', expected an integer from 1 to 64");
	assert_int_equal(num_float("1e-3", 4, 0, 1, &d, &e), 0);
	assert_true(d == 1e-3);
	assert_int_equal(num_float("nan", 3, 0, 1, &d, &e), -1);
	assert_int_equal(num_float("inf", 3, 0, 1e300, &d, &e), -1);
	assert_int_equal(num_float("1.5.2", 5, 0, 10, &d, &e), -1);
}

static void
a_strmap_numbers_strings_in_order(void **state)
{
	struct strmap m;
	char word[16];
	size_t n;

	(void)state;
	m = (struct strmap){ 0 };
	assert_int_equal(strmap_find(&m, "a", 1), -1);
	for (int round = 0; round < 2; round++)
		for (int i = 0; i < 5000; i++) {
			n = (size_t)snprintf(word, sizeof(word), "w%d", i);
			assert_int_equal(strmap_add(&m, word, n), i);
		}
	assert_int_equal(m.n, 5000);
	assert_string_equal(strmap_text(&m, 4321, &n), "w4321");
	assert_int_equal(n, 5);
	assert_int_equal(strmap_find(&m, "w5000", 5), -1);
	assert_int_equal(strmap_add(&m, "a\0b", 3), 5000);
	assert_int_equal(strmap_add(&m, "a\0c", 3), 5001);
	assert_int_equal(strmap_add(&m, "", 0), 5002);
	strmap_clear(&m);
	assert_int_equal(strmap_find(&m, "w1", 2), -1);
	assert_int_equal(strmap_add(&m, "w1", 2), 0);
	strmap_release(&m);
}

static void
an_arena_aligns_and_reuses_memory(void **state)
{
	struct arena a;
	struct arena_mark m;
	char *first, *p;

	(void)state;
	arena_init(&a, 4096);
	first = arena_get(&a, 100);
	m = arena_mark(&a);
	for (int i = 0; i < 1000; i++) {
		p = arena_get(&a, (size_t)(i * 37 + 1));
		assert_int_equal((uintptr_t)p % 64, 0);
		memset(p, i, (size_t)(i * 37 + 1));
	}
	arena_rewind_to(&a, m);
	assert_int_equal(a.used, 128);
	p = arena_get(&a, 1);
	assert_ptr_equal(p, first + 128);
	arena_rewind(&a);		/* may merge blocks, once */
	first = arena_get(&a, 1);
	(void)arena_get(&a, 3u << 20);
	arena_rewind(&a);
	assert_ptr_equal(arena_get(&a, 1), first);
	arena_release(&a);
}

struct marks { atomic_int count[100], done; };

static void
mark(void *arg, int piece, int thread)
{
	struct marks *m = arg;

	(void)thread;
	m->count[piece]++;
}

static void
a_pool_does_every_item_once(void **state)
{
	(void)state;
	for (int threads = 1; threads < 5; threads++) {
		struct pool *p = pool_new(threads);

		for (int round = 0; round < 50; round++) {
			struct marks m = { { 0 }, 0 };
			int pieces = 2 * round;

			pool_run(p, pieces, mark, &m);
			for (int i = 0; i < 100; i++)
				assert_int_equal(m.count[i], i < pieces);
		}
		pool_free(p);
	}
}

/* Item 0 takes as long as all others together. */
static void
wait_for_the_others(void *arg, int piece, int thread)
{
	struct marks *m = arg;
	time_t end = time(NULL) + 20;

	mark(arg, piece, thread);
	while (piece == 0 && m->done < 9 && time(NULL) < end)
		sched_yield();
	m->done++;
}

static void
idle_threads_take_items_of_a_slow_one(void **state)
{
	(void)state;
	for (int threads = 2; threads < 5; threads++) {
		struct pool *p = pool_new(threads);
		struct marks m = { { 0 }, 0 };
		time_t start = time(NULL);

		pool_run(p, 10, wait_for_the_others, &m);
		assert_true(time(NULL) - start < 20);
		for (int i = 0; i < 10; i++)
			assert_int_equal(m.count[i], 1);
		pool_free(p);
	}
}

struct settings { int64_t k; double x; bool on; int c; const char *s; };

static void
settings_are_parsed_by_table(void **state)
{
	static const char *const choice[] = { "dep", "lp", NULL };
	static const struct opt table[] = {
		{ .kind = OPT_INT, .long_name = "k", .at = offsetof(struct settings, k), .min = 1,
		  .max = 9 },
		{ .kind = OPT_FLOAT, .long_name = "x", .at = offsetof(struct settings, x), .min = 0,
		  .max = 1 },
		{ .kind = OPT_FLAG, .long_name = "on", .at = offsetof(struct settings, on) },
		{ .kind = OPT_CHOICE, .long_name = "c", .at = offsetof(struct settings, c),
		  .choice = choice },
		{ .kind = OPT_STRING, .long_name = "s", .at = offsetof(struct settings, s) },
		{ .kind = OPT_END }
	};
	struct settings v = { 0 };
	struct err e;

	(void)state;
	assert_int_equal(cli_settings(table, &v, "k=3,x=0.5,on,c=lp,s=abc", &e), 0);
	assert_true(v.k == 3 && v.x == 0.5 && v.on && v.c == 1);
	assert_string_equal(v.s, "abc");
	assert_int_equal(cli_settings(table, &v, "on=off", &e), 0);
	assert_false(v.on);
	assert_int_equal(cli_settings(table, &v, "k=10", &e), -1);
	assert_string_equal(e.text, "k: '10', expected an integer from 1 to 9");
	assert_int_equal(cli_settings(table, &v, "k=3,x=0.5,k=3", &e), -1);
	assert_string_equal(e.text, "setting k is given twice, expected once");
	assert_int_equal(cli_settings(table, &v, "on,on=off", &e), -1);
	assert_int_equal(cli_settings(table, &v, "on=off,on", &e), -1);
	assert_int_equal(cli_settings(table, &v, "s=k,c=dep,k=3", &e), 0);
	assert_int_equal(cli_settings(table, &v, "z=1", &e), -1);
	assert_int_equal(cli_settings(table, &v, "k", &e), -1);
	assert_int_equal(cli_settings(table, &v, "c=no", &e), -1);
	assert_string_equal(e.text, "c: 'no', expected one of dep, lp");
	free((char *)v.s);
}

static void
a_file_appears_only_when_complete(void **state)
{
	char folder[] = "/tmp/heed-base-XXXXXX", path[64], text[8] = { 0 };
	struct output *o;
	struct err e;
	FILE *f;

	(void)state;
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/out", folder);
	o = output_open(path, 0, &e);
	assert_non_null(o);
	assert_int_equal(output_printf(o, &e, "%d", 12345), 0);
	assert_int_equal(output_flush(o, &e), 0);
	assert_int_not_equal(access(path, F_OK), 0);
	output_abandon(o);
	assert_int_equal(rmdir(folder), 0);	/* no file remains */
	assert_non_null(mkdtemp(strcpy(folder, "/tmp/heed-base-XXXXXX")));
	snprintf(path, sizeof(path), "%s/out", folder);
	o = output_open(path, 0, &e);
	assert_int_equal(output_write(o, "whole", 5, &e), 0);
	assert_int_equal(output_finish(o, &e), 0);
	f = fopen(path, "r");
	assert_non_null(f);
	assert_int_equal(fread(text, 1, 8, f), 5);
	assert_string_equal(text, "whole");
	fclose(f);
	unlink(path);
	assert_int_equal(rmdir(folder), 0);
}

static void
a_symbolic_link_is_kept(void **state)
{
	char folder[] = "/tmp/heed-base-XXXXXX", path[64], link[64];
	struct output *o;
	struct stat s;
	struct err e;

	(void)state;
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/file", folder);
	snprintf(link, sizeof(link), "%s/link", folder);
	assert_int_equal(close(creat(path, 0600)), 0);
	assert_int_equal(symlink("file", link), 0);
	o = output_open(link, 0, &e);
	assert_non_null(o);
	assert_int_equal(output_write(o, "whole", 5, &e), 0);
	assert_int_equal(output_finish(o, &e), 0);
	assert_int_equal(lstat(link, &s), 0);
	assert_true(S_ISLNK(s.st_mode));
	assert_int_equal(stat(path, &s), 0);
	assert_int_equal(s.st_size, 5);
	unlink(link);
	unlink(path);
	assert_int_equal(rmdir(folder), 0);
}

static void
errors_are_wrapped_by_callers(void **state)
{
	struct err e;

	(void)state;
	assert_int_equal(err_set(&e, EXIT_INPUT, "7 heads do not divide %d", 512), -1);
	err_wrap(&e, "%s: record %d", "dev.heed", 17);
	assert_string_equal(e.text, "dev.heed: record 17: 7 heads do not divide 512");
	assert_int_equal(e.status, EXIT_INPUT);
}

/* Does cli_begin() abort with this table? */
static bool
is_bug(const struct opt *table)
{
	const struct program p = { .name = "table", .options = table };
	char name[] = "table", *argv[] = { name, NULL }, **operands;
	const pid_t child = fork();
	int status;

	assert_true(child >= 0);
	if (!child) {
		if (!freopen("/dev/null", "w", stderr))
			_exit(1);
		cli_begin(&p, 1, argv, &operands);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status) || WEXITSTATUS(status) == 0);
	return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

static void
former_options_are_checked(void **state)
{
	static bool force, fast;
#define FAST { .kind = OPT_FLAG, .short_name = 'f', .long_name = "fast", .to = &fast }
	static const struct opt sound[] = { OPT_FORCE(&force), OPT_OLD_NAME("forced", "--force"),
		{ .kind = OPT_END } };
	static const struct opt letter[] = { OPT_FORCE(&force), FAST, { .kind = OPT_END } };
	static const struct opt name[] = { FAST, OPT_OLD_NAME("fast", "--fast"),
		{ .kind = OPT_END } };
	static const struct opt nothing[] = { FAST, OPT_OLD_NAME("swift", "--quick"),
		{ .kind = OPT_END } };

	(void)state;
	assert_false(is_bug(sound));
	assert_true(is_bug(letter));
	assert_true(is_bug(name));
	assert_true(is_bug(nothing));
}

static const char *
near_of(const char *typed)
{
	static const char *const known[] = {
		"seed", "side", "to", "threads", "help", "batch-tokens"
	};
	struct near_name best = { .name = NULL };

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		near_name_add(&best, typed, strlen(typed), known[i]);
	return best.name ? best.name : "";
}

static void
near_names_are_found(void **state)
{
	char longest[100];

	(void)state;
	assert_string_equal(near_of("sed"), "seed");		/* one insertion */
	assert_string_equal(near_of("sides"), "side");		/* one deletion */
	assert_string_equal(near_of("sead"), "seed");		/* one replacement; side has two */
	assert_string_equal(near_of("hlep"), "help");		/* one exchange */
	assert_string_equal(near_of("batchtoken"), "batch-tokens");
	assert_string_equal(near_of("batchtoke"), "");		/* three insertions */
	assert_string_equal(near_of("ot"), "to");
	assert_string_equal(near_of("ox"), "");			/* all of two bytes */
	assert_string_equal(near_of(""), "");
	memset(longest, 's', 99);
	longest[99] = 0;
	assert_string_equal(near_of(longest), "");
}

static void
progress_has_elapsed_and_remaining_time(void **state)
{
	struct progress p = { .what = "updates", .total = 1000, .done = 250, .began = 50 };
	struct buf b = { 0 };

	(void)state;
	progress_line(&p, 50 + 3725, &b);
	assert_string_equal(b.data, "250/1000 updates, 0/s, 1:02:05 elapsed, 3:06:15 left");
	p.total = 0;
	buf_clear(&b);
	progress_line(&p, 60, &b);
	assert_string_equal(b.data, "250 updates, 25/s, 0:00:10 elapsed");
	p.done = 0;
	p.total = 7;
	buf_clear(&b);
	progress_line(&p, 50, &b);
	assert_string_equal(b.data, "0/7 updates, 0/s, 0:00:00 elapsed");
	buf_release(&b);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(philox_gives_the_published_values),
		cmocka_unit_test(permutations_are_complete_and_uniform),
		cmocka_unit_test(normal_numbers_have_mean_0_and_variance_1),
		cmocka_unit_test(numbers_are_parsed_strictly),
		cmocka_unit_test(a_strmap_numbers_strings_in_order),
		cmocka_unit_test(an_arena_aligns_and_reuses_memory),
		cmocka_unit_test(a_pool_does_every_item_once),
		cmocka_unit_test(idle_threads_take_items_of_a_slow_one),
		cmocka_unit_test(settings_are_parsed_by_table),
		cmocka_unit_test(former_options_are_checked),
		cmocka_unit_test(near_names_are_found),
		cmocka_unit_test(progress_has_elapsed_and_remaining_time),
		cmocka_unit_test(a_file_appears_only_when_complete),
		cmocka_unit_test(a_symbolic_link_is_kept),
		cmocka_unit_test(errors_are_wrapped_by_callers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
