/* heed-sample: sample or shuffle the records of a stream.  See heed-sample(1). */
#include <stdlib.h>

#include "base/cli.h"
#include "base/mem.h"
#include "base/rng.h"
#include "stream/filter.h"
#include "stream/store.h"

static const char *output;
static int64_t number = -1, seed;
static double share = -1;
static bool force, shuffle;

static const struct opt options[] = {
	{ .kind = OPT_INT, .short_name = 'n', .long_name = "number", .arg = "n", .to = &number,
	  .min = 0, .max = 4e9, .help = "take n records, or all if there are fewer" },
	OPT_ROW_FLOAT("share", &share, 0, 1, "take about the fraction x of the records"),
	OPT_ROW_FLAG(0, "shuffle", &shuffle, "write the records in random order"),
	OPT_SEED(&seed, "0"),
	OPT_MAX_RECORD,
	OPT_OUTPUT(&output),
	OPT_FORCE(&force),
	OPT_NO_PG,
	OPT_OLD_LETTER('p', "--share"),
	{ .kind = OPT_END }
};

static const struct program program = {
	.name = "heed-sample",
	.synopsis = "[-n n | --share x] [--shuffle] [-s n] [-o file] [--max-record mib] [--no-pg] "
		    "[file]",
	.summary = "sample or shuffle the records of a stream",
	.example = "heed-sample -n 1000 -s 1 train.heed > few.heed",
	.options = options,
};

/* The random number of record i does not depend on other records. */
static bool
is_drawn(int64_t i)
{
	struct rng r;

	rng_init(&r, (uint64_t)seed, rng_purpose("sample") + (uint32_t)((uint64_t)i >> 32),
		 (uint32_t)i);
	return rng_uniform(&r) < share;
}

static int
keep_drawn(struct record *rec, void *arg, struct err *e)
{
	int64_t *i = arg;

	(void)rec;
	(void)e;
	return is_drawn((*i)++);
}

/*
 * Fills pick with the numbers of the records to write, in order, and returns how many there are.
 * With -n each subset of that size is equally likely (Knuth, The Art of Computer Programming 2,
 * 3.4.2, algorithm S).
 */
static uint32_t
sample_choose(uint32_t *pick, uint32_t n)
{
	uint32_t want = number >= 0 && number < n ? (uint32_t)number : n, k = 0;
	struct rng r;

	rng_init(&r, (uint64_t)seed, rng_purpose("sample-number"), 0);
	for (uint32_t i = 0; i < n && k < want; i++) {
		bool in = number < 0 && share >= 0 ? is_drawn(i) : rng_below(&r, n - i) < want - k;

		if (in)
			pick[k++] = i;
	}
	return k;
}

static void
reorder(uint32_t *pick, uint32_t n)
{
	uint32_t *order = xreallocarray(NULL, (size_t)n + 1, sizeof(*order));
	struct rng r;

	rng_init(&r, (uint64_t)seed, rng_purpose("sample-shuffle"), 0);
	rng_permutation(&r, order, n);
	for (uint32_t i = 0; i < n; i++)
		order[i] = pick[order[i]];
	for (uint32_t i = 0; i < n; i++)
		pick[i] = order[i];
	free(order);
}

static int
write_picked(const struct store *s, const uint32_t *pick, uint32_t n, struct writer *w,
	     struct err *e)
{
	struct record *rec = record_new();
	int bad = 0;

	for (uint32_t i = 0; i < n && !bad; i++)
		bad = store_record(s, pick[i], rec, e) || writer_put(w, rec, e) ? -1 : 0;
	record_free(rec);
	return bad;
}

/* -n and --shuffle need the number of records, or records out of order. */
static void
sample_stored(const char *path)
{
	unsigned flags = force ? STREAM_FORCE : 0;
	struct store *s;
	struct writer *w;
	uint32_t *pick, n;
	struct err e;

	s = store_open(path, NULL, NULL, flags, NULL, NULL, &e);
	if (!s || (store_count(s) > UINT32_MAX &&
		   err_set(&e, EXIT_INPUT, "too many records, expected at most %u", UINT32_MAX)))
		die(&e);
	w = writer_open(output, NULL, store_header(s), NULL, flags, &e);
	if (!w)
		die(&e);
	pick = xreallocarray(NULL, (size_t)store_count(s) + 1, sizeof(*pick));
	n = sample_choose(pick, (uint32_t)store_count(s));
	if (shuffle)
		reorder(pick, n);
	if (writer_end(w, write_picked(s, pick, n, w, &e), &e))
		die(&e);
	free(pick);
	store_close(s);
}

int
main(int argc, char **argv)
{
	const char *path = cli_begin_one(&program, argc, argv);
	int64_t at = 0;
	const struct filter f = { .work = keep_drawn, .arg = &at, .input = path, .output = output,
				  .force = force };

	if (number >= 0 && share >= 0)
		die_usage("both -n and --share, expected one of them");
	if (number < 0 && share < 0 && !shuffle)
		die_usage("expected -n, --share or --shuffle");
	if (number >= 0 || shuffle)
		sample_stored(path);
	else
		filter_run(&f);
	return cli_end(EXIT_OK);
}
