/* heed-filter: filter sentence pairs by length, and remove duplicates.  See heed-filter(1). */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/cli.h"
#include "base/hash.h"
#include "base/mem.h"
#include "data/side-tokens.h"
#include "stream/fields.h"
#include "stream/filter.h"

static const char *output;
static int64_t min_tokens = 0, max_tokens = 0;
static double ratio = 0;
static bool force, not_empty, pieces, quiet, unique;

static const struct opt options[] = {
	OPT_GROUP("Tests"),
	OPT_ROW_FLAG('e', "not-empty", &not_empty, "remove a pair if a side has no tokens"),
	OPT_ROW_INT("min", &min_tokens, 1, 1e9, "remove a pair if a side has fewer than n tokens"),
	OPT_ROW_INT("max", &max_tokens, 1, 1e9, "remove a pair if a side has more than n tokens"),
	OPT_ROW_FLOAT("ratio", &ratio, 1, 1e9,
		      "remove a pair if one side has more than x times the tokens of the other"),
	OPT_ROW_FLAG('u', "unique", &unique,
		     "remove a pair if an earlier pair has the same src and tgt"),
	OPT_ROW_FLAG(0, "pieces", &pieces, "count subwords (src.pieces, tgt.pieces), not tokens"),
	OPT_GROUP("Other"),
	OPT_MAX_RECORD,
	OPT_OUTPUT(&output),
	OPT_QUIET(&quiet),
	OPT_FORCE(&force),
	OPT_NO_PG,
	OPT_NEEDS("pieces", "--not-empty or --min or --max or --ratio"),
	OPT_OLD_LETTER('m', "--min"),
	OPT_OLD_LETTER('M', "--max"),
	OPT_OLD_LETTER('r', "--ratio"),
	OPT_OLD_LETTER('p', "--pieces"),
	{ .kind = OPT_END }
};

static const struct program program = {
	.name = "heed-filter",
	.synopsis = "[-equ] [--min n] [--max n] [--ratio x] [--pieces] [-o file] "
		    "[--max-record mib] [--no-pg] [file]",
	.summary = "filter sentence pairs by length and length ratio, and remove duplicates",
	.example = "heed-filter -e -u --max 100 --ratio 9 train.heed > clean.heed",
	.options = options,
};

/* 127-bit hashes of the sentence pairs seen so far, in an open hash table. */
struct seen {
	struct pair { uint64_t a, b; } *slot;
	size_t slots, n;
};

struct counts {
	int64_t all, empty, too_short, too_long, ratio, duplicate;
	struct seen seen;
};

/* Adds a hash; false if it was there.  An empty slot is all zeros; no hash is, because b is odd. */
static bool
seen_add(struct seen *s, struct pair p)
{
	size_t i;

	if (2 * s->n >= s->slots) {
		struct seen old = *s;

		s->slots = old.slots ? 2 * old.slots : 1024;
		s->slot = xcalloc(s->slots, sizeof(*s->slot));
		s->n = 0;
		for (i = 0; i < old.slots; i++)
			if (old.slot[i].b)
				seen_add(s, old.slot[i]);
		free(old.slot);
	}
	for (i = p.a & (s->slots - 1); s->slot[i].b; i = (i + 1) & (s->slots - 1))
		if (s->slot[i].a == p.a && s->slot[i].b == p.b)
			return false;
	s->slot[i] = p;
	s->n++;
	return true;
}

/* The length of a side, in tokens or subwords; -1 if the record does not have the side. */
static int64_t
filter_length(const struct record *rec, bool target)
{
	const struct side_fields *f = &side_fields[target];
	const struct str *piece;
	struct str s;
	size_t n;

	if (pieces)
		return record_strs(rec, f->pieces, &piece, &n) ? -1 : (int64_t)n;
	return record_str(rec, f->text, &s) ? -1 : (int64_t)text_tokens(s);
}

/* Divided, because a correctly rounded quotient equals a ratio that is exact in decimal digits. */
static bool
is_beyond_ratio(int64_t low, int64_t high)
{
	return low ? (double)high / (double)low > ratio : high > 0;
}

static bool
is_new(struct seen *seen, const struct record *rec)
{
	struct str src = { "", 0 }, tgt = { "", 0 };
	struct pair p;

	record_str(rec, "src", &src);
	record_str(rec, "tgt", &tgt);
	p.a = hash_bytes(tgt.s, tgt.n, hash_bytes(src.s, src.n, 1));
	p.b = hash_bytes(tgt.s, tgt.n, hash_bytes(src.s, src.n, 2)) | 1;
	return seen_add(seen, p);
}

static int
filter_keep(struct record *rec, void *arg, struct err *e)
{
	struct counts *c = arg;
	int64_t a = filter_length(rec, false), b = filter_length(rec, true);
	int64_t low, high, *why = NULL;

	if (a < 0)
		return err_set(e, EXIT_INPUT, "no %s", pieces ? "src.pieces" : "src");
	if (b < 0 && record_has(rec, "tgt"))
		return err_set(e, EXIT_INPUT, "no tgt.pieces, expected them beside tgt");
	low = b < 0 || a < b ? a : b;
	high = a > b ? a : b;
	c->all++;
	if (not_empty && !low)
		why = &c->empty;
	else if (low < min_tokens)
		why = &c->too_short;
	else if (max_tokens && high > max_tokens)
		why = &c->too_long;
	else if (ratio > 0 && is_beyond_ratio(low, high))
		why = &c->ratio;
	else if (unique && !is_new(&c->seen, rec))
		why = &c->duplicate;
	if (why)
		++*why;
	return !why;
}

int
main(int argc, char **argv)
{
	struct counts c = { .all = 0 };
	const char *path = cli_begin_one(&program, argc, argv);
	const struct field needs[] = {
		{ "src", "str", 0 }, { "tgt", "str", 1 },
		{ pieces ? "src.pieces" : NULL, "[str]", 0 }, { "tgt.pieces", "[str]", 1 }, { 0 }
	};
	const struct filter f = {
		.kind = "sentence", .needs = needs, .work = filter_keep,
		.arg = &c, .input = path, .output = output, .force = force
	};
	int64_t kept;

	if (max_tokens && min_tokens > max_tokens)
		die_usage("--min %" PRId64 " is greater than --max %" PRId64, min_tokens,
			  max_tokens);
	kept = filter_run(&f);
	free(c.seen.slot);
	if (!quiet)
		fprintf(stderr,
			"%s: kept %" PRId64 " of %" PRId64 " sentences; removed %" PRId64
			" empty, %" PRId64 " too short, %" PRId64 " too long, %" PRId64
			" by ratio, %" PRId64 " duplicates\n",
			program.name, kept, c.all, c.empty, c.too_short, c.too_long, c.ratio,
			c.duplicate);
	return cli_end(EXIT_OK);
}
