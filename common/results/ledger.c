/* ledger: see ledger.h. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/num.h"
#include "results/grid.h"
#include "results/ledger.h"
#include "results/run-scores.h"

/* --- settings --- */

/* Options that do not change the result; those in the second list take a value. */
static const char *const flags[] = {
	"-q", "--quiet", "-f", "--force", "--profile", "--no-pg", NULL
};
static const char *const valued[] = {
	"-o", "--output", "-c", "--codes", "--dev", "--init", "--checkpoint", "--checkpoint-every",
	"--log", "-t", "--threads", NULL
};

static bool
ledger_is_one_of(const char *const *list, const char *s, size_t n)
{
	for (; *list; list++)
		if (strlen(*list) == n && !memcmp(*list, s, n))
			return true;
	return false;
}

/* Whether a word is such an option with its value: "--log=x", "-t4". */
static bool
ledger_is_joined(const char *s, size_t n)
{
	const char *equals = memchr(s, '=', n);

	if (n > 2 && s[0] == '-' && s[1] == '-')
		return equals && ledger_is_one_of(valued, s, (size_t)(equals - s));
	return n > 2 && s[0] == '-' && ledger_is_one_of(valued, s, 2);
}

void
ledger_settings(const char *command, struct buf *out)
{
	const size_t from = out->n;
	bool skip = false;
	size_t n;

	for (const char *s = command; *(s += strspn(s, " \t\n")); s += n) {
		n = strcspn(s, " \t\n");
		if (skip || ledger_is_one_of(flags, s, n) || ledger_is_joined(s, n)) {
			skip = false;
		} else if (ledger_is_one_of(valued, s, n)) {
			skip = true;
		} else {
			if (out->n > from)
				buf_add_char(out, ' ');
			buf_add(out, s, n);
		}
	}
}

/* --- digest --- */

/* The facts that identify a run. */
static const char *const digested[] = {
	"engine", "settings", "after", "closed", "data.train", "data.dev", "data.test"
};
enum { DIGESTED = sizeof(digested) / sizeof(*digested) };

static uint64_t
ledger_add_text(uint64_t h, const char *s)
{
	return hash_fnv1a(h, s, strlen(s) + 1);
}

static uint64_t
ledger_add_fact(uint64_t h, const struct facts *f, const char *name)
{
	const char *value = facts_find(f, name);

	h = ledger_add_text(h, name);
	return value ? ledger_add_text(h, value) : h;
}

void
ledger_digest(const struct facts *f, char digest[DIGEST_LENGTH + 1])
{
	uint64_t h = HASH_FNV1A;

	for (int i = 0; i < DIGESTED; i++)
		h = ledger_add_fact(h, f, digested[i]);
	snprintf(digest, DIGEST_LENGTH + 1, "%016llx", (unsigned long long)h);
}

void
ledger_checksum(const struct facts *f, char sum[DIGEST_LENGTH + 1])
{
	uint64_t h = HASH_FNV1A;

	for (size_t i = 0; i < f->n; i++)
		if (strcmp(f->fact[i].name, "checksum") && strcmp(f->fact[i].name, "digest"))
			h = ledger_add_text(ledger_add_text(h, f->fact[i].name), f->fact[i].value);
	snprintf(sum, DIGEST_LENGTH + 1, "%016llx", (unsigned long long)h);
}

int
ledger_check_checksum(const struct facts *f, struct err *e)
{
	const char *value = facts_find(f, "checksum");
	char sum[DIGEST_LENGTH + 1];

	ledger_checksum(f, sum);
	if (!value || !strcmp(value, sum))
		return 0;
	err_set(e, EXIT_INPUT, "%s: checksum %s, expected %s; facts were changed after the record "
		"was written", f->path, value, sum);
	err_hint(e, "write the entry again with heed-record; give other facts as operands");
	return -1;
}

const char *
ledger_digests_differ(const struct facts *a, const struct facts *b)
{
	for (int i = 0; i < DIGESTED; i++) {
		const char *x = facts_find(a, digested[i]), *y = facts_find(b, digested[i]);

		if (x && y ? strcmp(x, y) : x != y)
			return digested[i];
	}
	return NULL;
}

/* --- entries that may be used --- */

static int
ledger_check_engine(const struct facts *f, int64_t engine, bool drafts, struct err *e)
{
	const char *value = facts_find(f, "engine");
	int64_t n;

	if (!value)
		return drafts ? 0 : err_set(e, EXIT_INPUT, "%s: no fact 'engine', expected %lld",
					    f->path, (long long)engine);
	if (num_int(value, strlen(value), 0, INT32_MAX, &n, e) || n != engine)
		return err_set(e, EXIT_INPUT, "%s: engine %s, expected %lld", f->path, value,
			       (long long)engine);
	return 0;
}

static int
check_commit(const struct facts *f, struct err *e)
{
	static const char dirty[] = "-dirty";
	const char *commit = facts_find(f, "commit");
	const size_t n = commit ? strlen(commit) : 0;

	if (!n) {
		err_set(e, EXIT_INPUT, "%s: no fact 'commit', expected the commit of the programs",
			f->path);
		err_hint(e, "--drafts accepts records without a commit");
		return -1;
	}
	if (n < sizeof(dirty) || strcmp(commit + n - sizeof(dirty) + 1, dirty))
		return 0;
	err_set(e, EXIT_INPUT, "%s: commit %s, expected a source tree without changes", f->path,
		commit);
	err_hint(e, "remove the run from the ledger and from work/, and run it again");
	return -1;
}

int
ledger_check_digest(const struct facts *f, struct err *e)
{
	const char *value = facts_find(f, "digest");
	char digest[DIGEST_LENGTH + 1];

	if (!value)
		return err_set(e, EXIT_INPUT, "%s: no fact 'digest', expected it at the end; the "
			       "record is truncated", f->path);
	ledger_digest(f, digest);
	if (strcmp(value, digest))
		return err_set(e, EXIT_INPUT, "%s: digest %s, expected %s from its engine, "
			       "settings and data", f->path, value, digest);
	return 0;
}

int
ledger_admit(const struct facts *f, int64_t engine, bool drafts, struct err *e)
{
	if (ledger_check_engine(f, engine, drafts, e) ||
	    (facts_find(f, "digest") && ledger_check_digest(f, e)))
		return -1;
	return drafts ? 0 : check_commit(f, e);
}

const char *
ledger_differs(const struct facts *entry, const struct facts *wanted)
{
	static const char *const of[] = {
		"paper", "column", "variant", "seed", "settings", "after", "data.train",
		"data.dev", "data.test"
	};

	for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++) {
		const char *want = facts_find(wanted, of[i]), *have = facts_find(entry, of[i]);

		if (!want && !strncmp(of[i], "data.", 5))
			continue;
		if (strcmp(want ? want : "-", have ? have : "-"))
			return of[i];
	}
	return NULL;
}

/* --- entries that may be compared --- */

double
ledger_masked(const struct facts *f)
{
	const double masked = facts_number(f, "test.masked");

	return isnan(masked) ? 0 : masked;
}

/*
 * Facts that are equal where scores are comparable, except for the versions in signatures; unless
 * strict, entries may lack them.
 */
static const struct same_fact { const char *name; bool strict, signature; } same[] = {
	{ .name = "target.train", .strict = true }, { .name = "target.dev", .strict = true },
	{ .name = "target.test", .strict = true }, { .name = "profile" },
	{ .name = "test.sentences" }, { .name = "bleu.signature", .signature = true },
	{ .name = "sacrebleu.signature", .signature = true },
	{ .name = "chrf.signature", .signature = true }
};

static int
ledger_check_same(const struct facts *a, const struct facts *b, const struct same_fact *s,
		  struct err *e)
{
	const char *x = facts_shown(a, s->name), *y = facts_shown(b, s->name);

	if (s->signature ? run_scores_alike(x, y) : !strcmp(x, y))
		return 0;
	return err_set(e, EXIT_INPUT, "%s: %s %s, expected %s as in %s", b->path, s->name, y, x,
		       a->path);
}

static int
ledger_check_tokens(const struct facts *a, const struct facts *b, struct err *e)
{
	const double x = facts_number(a, "test.tokens") + ledger_masked(a);
	const double y = facts_number(b, "test.tokens") + ledger_masked(b);

	return x == y ? 0 : err_set(e, EXIT_INPUT, "%s: %.0f target tokens, test.tokens and "
				    "test.masked, expected %.0f as in %s", b->path, y, x, a->path);
}

static bool
belong_together(const struct facts *a, const struct facts *b, bool of_paper)
{
	return !strcmp(a->column, b->column) && (!of_paper || !strcmp(a->paper, b->paper)) &&
	       (!grid_is_sample(a->column) || !strcmp(a->seed, b->seed));
}

/* The first of the runs before run i that it must agree with in a fact, or NULL. */
static const struct facts *
ledger_reference(const struct facts *run, size_t i, bool of_paper, const char *name, bool strict)
{
	if (!strict && !facts_find(&run[i], name))
		return NULL;
	for (size_t k = 0; k < i; k++)
		if (belong_together(&run[k], &run[i], of_paper) &&
		    (strict || facts_find(&run[k], name)))
			return &run[k];
	return NULL;
}

int
ledger_check_comparable(const struct facts *run, size_t i, bool of_paper, struct err *e)
{
	const struct facts *with;

	for (size_t k = 0; k < sizeof(same) / sizeof(*same); k++) {
		with = ledger_reference(run, i, of_paper, same[k].name, same[k].strict);
		if (with && ledger_check_same(with, &run[i], &same[k], e))
			return -1;
	}
	with = ledger_reference(run, i, of_paper, "test.tokens", false);
	return with ? ledger_check_tokens(with, &run[i], e) : 0;
}

int
ledger_all_comparable(const struct facts *run, size_t n, struct err *e)
{
	for (size_t i = 1; i < n; i++)
		if (ledger_check_comparable(run, i, false, e))
			return -1;
	return 0;
}

/* --- conflicts --- */

/* Differences between processors that are tolerated: about the last digit that is reported. */
static const struct { const char *name; double rounding; } results[] = {
	{ "bleu", 0.05 }, { "sacrebleu", 0.05 }, { "chrf", 0.05 }, { "dev.nll", 0.002 },
	{ "test.nll", 0.002 }, { "test.tokens", 0 }, { "parameters", 0 }, { "updates", 0 }
};

int
ledger_agree(const struct facts *a, const struct facts *b, struct err *e)
{
	for (size_t i = 0; i < sizeof(results) / sizeof(*results); i++) {
		const char *name = results[i].name;
		const double x = facts_number(a, name), y = facts_number(b, name);

		if ((isnan(x) && isnan(y)) || fabs(x - y) <= results[i].rounding)
			continue;
		err_set(e, EXIT_INPUT, "%s: %s %s, expected %s as in %s, which has the same "
			"digest", b->path, name, facts_shown(b, name), facts_shown(a, name),
			a->path);
		err_hint(e, "compare the facts commit, version, backend, precision and processor");
		return -1;
	}
	return 0;
}

/* --- entries that count once --- */

/* Digests without settings are equal for all seeds. */
static bool
same_digest(const struct facts *a, const struct facts *b)
{
	return facts_find(a, "settings") && facts_find(b, "settings") &&
	       !ledger_digests_differ(a, b);
}

/* Do both have these facts, and are they equal?  The list ends with NULL. */
static bool
equal_facts(const struct facts *a, const struct facts *b, const char *const *name)
{
	for (; *name; name++) {
		const char *x = facts_find(a, *name), *y = facts_find(b, *name);

		if (!x || !y || strcmp(x, y))
			return false;
	}
	return true;
}

/* Whether the entries are of one model, whatever their settings say. */
static bool
same_model(const struct facts *a, const struct facts *b)
{
	static const char *const of[] = { "finished", "updates", "test.nll", "bleu", NULL };

	return equal_facts(a, b, of);
}

bool
ledger_same_training(const struct facts *a, const struct facts *b)
{
	static const char *const of[] = { "test.nll", "bleu", "updates", "tokens", NULL };

	return !strcmp(a->column, b->column) && !strcmp(a->seed, b->seed) &&
	       equal_facts(a, b, of);
}

int
ledger_check_seeds(const struct facts *a, const struct facts *b, struct err *e)
{
	struct err differ;

	if (!strcmp(a->seed, b->seed) || (!same_model(a, b) &&
	    (!same_digest(a, b) || ledger_agree(a, b, &differ))))
		return 0;
	err_set(e, EXIT_INPUT, "%s: seed %s has the training of seed %s in %s, "
		"expected another one", b->path, b->seed, a->seed, a->path);
	err_hint(e, "train each seed with its own --seed, which belongs to the fact settings");
	return -1;
}

static int
check_distinct(const struct facts *a, const struct facts *b, struct err *e)
{
	if (strcmp(a->column, b->column) || strcmp(a->variant, b->variant))
		return 0;
	if (!strcmp(a->seed, b->seed))
		return err_set(e, EXIT_INPUT, "%s: duplicate run of column %s, variant %s and "
			       "seed %s, which is also in %s", b->path, b->column, b->variant,
			       b->seed, a->path);
	return ledger_check_seeds(a, b, e);
}

int
ledger_all_distinct(const struct facts *run, size_t n, struct err *e)
{
	for (size_t i = 1; i < n; i++)
		for (size_t k = 0; k < i; k++)
			if (check_distinct(&run[k], &run[i], e))
				return -1;
	return 0;
}
