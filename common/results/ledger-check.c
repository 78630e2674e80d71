/* ledger-check: checks entries of the ledger; see ledger-check.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/output.h"
#include "results/ledger-check.h"
#include "results/ledger.h"
#include "stream/stream.h"
#include "text/lines.h"

/* --- the files of an entry --- */

static int
check_stream(const struct facts *f, const char *name, const char *kind, struct err *e)
{
	char *path = path_beside(f->path, name);
	struct reader *in = reader_open(path, kind, NULL, 0, e);
	struct record *rec;
	int more = in ? 1 : -1;

	while (more > 0)
		more = reader_next(in, &rec, e);
	reader_close(in);
	free(path);
	return more;
}

/* Whether a row begins with these texts; true if the record lacks the fact that is the second. */
static bool
has_row(const struct buf *rows, const char *begin, const char *fact, const char *end)
{
	char *row = xasprintf("\n%s%s%s", begin, fact ? fact : "", end);
	const bool has = !fact || strstr(rows->data, row);

	free(row);
	return has;
}

/* nmt-info(1) prints the parameters after all other rows but those of the provenance. */
static int
check_model(const struct facts *f, struct err *e)
{
	char *path = path_beside(f->path, "model.tsv");
	struct buf rows = { 0 };
	int r = lines_read_all(path, &rows, e);

	if (!r && (!rows.n || rows.data[rows.n - 1] != '\n' ||
		   !has_row(&rows, "parameters\t", facts_find(f, "parameters"), "\n") ||
		   !has_row(&rows, "pg\tnmt-train ", facts_find(f, "version"), " ")))
		r = err_set(e, EXIT_INPUT, "%s: truncated or of another model, expected the "
			    "parameters and the version of %s", path, f->path);
	buf_release(&rows);
	free(path);
	return r;
}

int
ledger_check_files(const struct facts *f, struct err *e)
{
	return check_model(f, e) || check_stream(f, SCORES_FILE, "sentence", e) ||
	       check_stream(f, SCORES_LOG, "step", e) ? -1 : 0;
}

/* --- scores --- */

int
ledger_check_scores(const struct facts *f, const struct run_scores *s, struct err *e)
{
	static const char *const name[] = { "bleu", "sacrebleu", "chrf", "test.nll" };

	for (int k = 0; k < SCORE_KINDS; k++) {
		const double v = run_scores_value(s, (enum score_kind)k);
		const char *recorded = facts_find(f, name[k]);

		if (!(fabs(v - facts_number(f, name[k])) < 1.01e-4))
			return err_set(e, EXIT_INPUT, "%s: %s %s, expected %.6f from its sentences",
				       f->path, name[k], recorded ? recorded : "missing", v);
	}
	return 0;
}

/* Compares the scores in the record with those of the sentences next to it. */
static int
check_scores(const struct facts *f, struct err *e)
{
	struct run_scores s;
	int r = run_scores_read(&s, f->path, e);

	if (!r)
		r = ledger_check_scores(f, &s, e);
	run_scores_release(&s);
	return r;
}

/* --- entries with each other --- */

struct report {
	bool bad;
	char hint[sizeof(((struct err *)0)->hint)];	/* the last one; it is not printed again */
};

static void
report(const struct err *e, struct report *to)
{
	struct err one = *e;

	if (!strcmp(one.hint, to->hint))
		one.hint[0] = '\0';
	else if (one.hint[0])
		strcpy(to->hint, one.hint);
	err_print(&one);
	to->bad = true;
}

/* Whether the entries are of the same run, perhaps from two machines. */
static bool
same_run(const struct facts *a, const struct facts *b)
{
	return !strcmp(a->seed, b->seed) && !ledger_digests_differ(a, b);
}

static bool
same_name(const struct facts *a, const struct facts *b)
{
	return !strcmp(a->paper, b->paper) && !strcmp(a->column, b->column) &&
	       !strcmp(a->variant, b->variant) && !strcmp(a->seed, b->seed);
}

/*
 * Entries of different runs must have different names: the name is the folder of the entry, so one
 * of them would replace the other when ledgers are merged.
 */
static int
check_names(const struct facts *a, const struct facts *b, struct err *e)
{
	const char *fact = same_name(a, b) ? ledger_digests_differ(a, b) : NULL;

	if (!fact)
		return 0;
	err_set(e, EXIT_INPUT, "%s: %s differs from that of the run of the same name in %s",
		b->path, fact, a->path);
	err_hint(e, "remove the entry that is out of date; a ledger has one entry of this name");
	return -1;
}

/*
 * Compares entry i with the entries before it: those of the same run must agree, those of the same
 * name must be of the same run, those of the same training must have the same seed, and those of
 * a column the same data.
 */
static void
check_others(const struct facts *f, int i, struct report *to)
{
	bool differs = false;
	struct err e;

	for (int k = 0; k < i; k++)
		if (ledger_check_seeds(&f[k], &f[i], &e) || check_names(&f[k], &f[i], &e) ||
		    (same_run(&f[k], &f[i]) && ledger_agree(&f[k], &f[i], &e))) {
			report(&e, to);
			differs = true;
		}
	if (!differs && ledger_check_comparable(f, (size_t)i, true, &e))
		report(&e, to);
}

int
ledger_check(const char *const *path, int n, int64_t engine, bool drafts, bool *good,
	     struct err *e)
{
	struct facts *f = xcalloc((size_t)n + 1, sizeof(*f));
	struct report all = { .bad = false };
	int n_read = 0, r = 0;

	for (int i = 0; !r && i < n; i++) {
		struct err found;

		r = facts_read(&f[n_read++], path[i], e);
		if (r)
			break;
		if (ledger_admit(&f[i], engine, drafts, &found) ||
		    ledger_check_digest(&f[i], &found) || ledger_check_files(&f[i], &found) ||
		    check_scores(&f[i], &found))
			report(&found, &all);
		check_others(f, i, &all);
	}
	*good = !all.bad;
	for (int i = 0; i < n_read; i++)
		facts_release(&f[i]);
	free(f);
	return r;
}
