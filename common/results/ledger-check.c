/* ledger-check: checks entries of the ledger; see ledger-check.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/output.h"
#include "base/regular.h"
#include "model-file/model-facts.h"
#include "results/ledger-check.h"
#include "results/ledger.h"
#include "results/run-log.h"
#include "stream/stream.h"
#include "text/lines.h"

/* --- the files of an entry --- */

static int
check_stream(const struct facts *f, const char *name, const char *kind, struct err *e)
{
	char *path = path_beside(f->path, name);
	struct reader *in = regular_check(path, e) ? NULL : reader_open(path, kind, NULL, 0, e);
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
ledger_check_model(const struct facts *f, struct err *e)
{
	char *path = path_beside(f->path, "model.tsv");
	struct buf rows = { 0 };
	int r = regular_check(path, e) || lines_read_all(path, &rows, e) ? -1 : 0;

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
	return ledger_check_model(f, e) || check_stream(f, SCORES_FILE, "sentence", e) ||
	       check_stream(f, SCORES_LOG, "step", e) ? -1 : 0;
}

/* --- scores --- */

int
ledger_check_scores(const struct facts *f, const struct run_scores *s, struct err *e)
{
	static const char *const name[] = { "bleu", "sacrebleu", "chrf", "test.nll" };

	for (int k = 0; k < SCORE_KINDS; k++) {
		const double v = run_scores_value(s, (enum score_kind)k);

		if (!(fabs(v - facts_number(f, name[k])) < 1.01e-4))
			return err_set(e, EXIT_INPUT, "%s: %s %s, expected %.6f from its sentences",
				       f->path, name[k], facts_shown(f, name[k]), v);
	}
	return 0;
}

/* --- facts that the files of the entry hold --- */

enum { MODEL, SENTENCES, LOG, FILES };
static const char *const files[] = { "model.tsv", SCORES_FILE, SCORES_LOG };

struct held {
	struct buf rows;		/* model.tsv */
	struct facts of[FILES];
	struct facts nll;		/* dev.nll of a model that the log validated, or none */
};

static void
held_release(struct held *h)
{
	buf_release(&h->rows);
	facts_release(&h->nll);
	for (int i = 0; i < FILES; i++)
		facts_release(&h->of[i]);
}

/* Does the log validate the model itself: not an average, nor one that other programs changed? */
static bool
is_validated(const char *rows)
{
	const char *value, *last = NULL, *average;
	size_t n;

	while (model_facts_row(&rows, "pg", &value, &n))
		last = value;
	if (!last || strncmp(last, "nmt-train ", 10))
		return false;
	average = strstr(last, "--average");
	return !average || average >= last + n;
}

/* The facts that the file of an entry holds; name is only for messages. */
static int
take_facts(struct facts *f, const char *name, struct buf *text, struct err *e)
{
	const int r = facts_read_part(f, name, text->n ? text->data : "", text->n, e);

	buf_clear(text);
	return r;
}

static int
hold_log(struct held *h, const char *path, const struct model_id *model, struct err *e)
{
	struct buf text = { 0 };
	struct err none;
	int r = run_log_facts(path, true, model, NULL, &text, e) ||
		take_facts(&h->of[LOG], files[LOG], &text, e) ? -1 : 0;

	if (!r && is_validated(h->rows.data) && !run_log_facts(path, false, model, NULL, &text,
							       &none))
		r = take_facts(&h->nll, files[LOG], &text, e);
	buf_release(&text);
	return r;
}

static int
hold(struct held *h, const struct facts *f, const struct run_scores *s, struct err *e)
{
	char *model = path_beside(f->path, files[MODEL]), *log = path_beside(f->path, files[LOG]);
	struct model_id id;
	struct buf text = { 0 };
	int r = lines_read_all(model, &h->rows, e);

	if (!r && model_facts_of_rows(h->rows.data, &id, &text, e))
		r = err_wrap(e, "%s", model);
	if (!r)
		r = take_facts(&h->of[MODEL], files[MODEL], &text, e);
	if (!r)
		r = hold_log(h, log, &id, e);
	if (!r) {
		run_scores_facts(s, &text);
		r = take_facts(&h->of[SENTENCES], files[SENTENCES], &text, e);
	}
	buf_release(&text);
	free(model);
	free(log);
	return r;
}

/*
 * Integers and texts are equal.  Other numbers may differ in the last of six digits, since the log
 * of an entry is rounded to seven.
 */
static bool
ledger_check_agree(const char *a, const char *b)
{
	const char *point = strchr(b, '.');
	struct err none;
	double x, y, unit;

	if (!strcmp(a, b))
		return true;
	if (!strpbrk(b, ".e") || num_float(a, strlen(a), -1e300, 1e300, &x, &none) ||
	    num_float(b, strlen(b), -1e300, 1e300, &y, &none))
		return false;
	unit = point ? pow(10, -(double)strspn(point + 1, "0123456789")) : 0;
	return fabs(x - y) <= 1.01 * fmax(unit, 1e-5 * fabs(y));
}

static int
ledger_check_differs(const struct facts *f, const char *name, const char *want,
		     const char *expected, struct err *e)
{
	return err_set(e, EXIT_INPUT, "%s: %s %s, expected %s from %s", f->path, name,
		       facts_shown(f, name), want, expected);
}

/* Compares a fact with the n bytes at text. */
static int
check_text(const struct facts *f, const char *name, const char *text, size_t n,
	   const char *expected, struct err *e)
{
	char *want = xstrndup(text, n);
	const int r = strcmp(facts_shown(f, name), want)
		    ? ledger_check_differs(f, name, want, expected, e) : 0;

	free(want);
	return r;
}

static int
check_held(const struct facts *f, const struct held *h, struct err *e)
{
	for (int k = 0; k < FILES; k++)
		for (size_t i = 0; i < h->of[k].n; i++) {
			const struct fact *held = &h->of[k].fact[i];
			const char *value = facts_find(f, held->name);

			if (!value || !ledger_check_agree(value, held->value))
				return ledger_check_differs(f, held->name, held->value, files[k],
							    e);
		}
	return 0;
}

/* Facts that heed-record takes from these files only. */
static bool
is_held_only(const char *name)
{
	static const char *const names[] = {
		"version", "ended", "epochs", "backend", "precision", "threads", "processor",
		"seconds", "speed", "steps"
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(name, names[i]))
			return true;
	return !strncmp(name, "attention.", 10) ||
	       (!strncmp(name, "dev.", 4) && strcmp(name, "dev.nll"));
}

static int
check_invented(const struct facts *f, const struct held *h, struct err *e)
{
	for (size_t i = 0; i < f->n; i++) {
		const struct fact *fact = &f->fact[i];
		bool held = !is_held_only(fact->name);

		for (int k = 0; !held && k < FILES; k++)
			held = facts_find(&h->of[k], fact->name);
		if (!held)
			return err_set(e, EXIT_INPUT, "%s: %s %s, expected none, as in the files "
				       "of the entry", f->path, fact->name, fact->value);
	}
	return 0;
}

/* The development set may have been scored in another precision than the log. */
static int
check_dev_nll(const struct facts *f, const struct held *h, struct err *e)
{
	const char *want = facts_find(&h->nll, "dev.nll");

	if (!want || fabs(facts_number(f, "dev.nll") - facts_number(&h->nll, "dev.nll")) <= 0.01)
		return 0;
	return ledger_check_differs(f, "dev.nll", want, files[LOG], e);
}

/* --- facts that follow from other facts --- */

/* head-prune(1) rounds gates; src/papers/heads.sh writes this fact. */
static int
check_gates(const struct facts *f, const struct held *h, struct err *e)
{
	const char *rows = h->rows.data, *rounded = "0";
	size_t n = 1;

	if (!facts_find(f, "gates.fractional"))
		return 0;
	model_facts_row(&rows, "rounded.fractional", &rounded, &n);
	return check_text(f, "gates.fractional", rounded, n, files[MODEL], e);
}

/* The seed of nmt-train in the settings, up to the options of another program; NULL without one. */
static const char *
seed_of(const char *settings, size_t *n)
{
	static const char *const names[] = { "--seed ", "--seed=", "-s ", "-s" };
	const char *seed = NULL;

	for (const char *s = settings; *s && strncmp(s, "nmt-translate ", 14); ) {
		for (int i = 0; i < 4; i++)
			if (!strncmp(s, names[i], strlen(names[i]))) {
				seed = s + strlen(names[i]);
				*n = strcspn(seed, " ");
				break;
			}
		s += strcspn(s, " ");
		s += strspn(s, " ");
	}
	return seed;
}

static int
check_seed(const struct facts *f, struct err *e)
{
	const char *settings = facts_find(f, "settings"), *seed;
	size_t n;

	seed = settings ? seed_of(settings, &n) : NULL;
	return seed ? check_text(f, "seed", seed, n, "settings", e) : 0;
}

static int
check_related(const struct facts *f, struct err *e)
{
	const char *pairs = facts_find(f, "pairs.test"), *n = facts_find(f, "test.sentences");
	const double range = facts_number(f, "strength.max") - facts_number(f, "strength.min");

	if (pairs && n && strcmp(pairs, n))
		return ledger_check_differs(f, "pairs.test", n, "test.sentences", e);
	if (!isnan(range) && !(fabs(facts_number(f, "strength.range") - range) < 1.51e-4)) {
		char want[40];

		snprintf(want, sizeof(want), "%.4f", range);
		return ledger_check_differs(f, "strength.range", want,
					    "strength.min and strength.max", e);
	}
	return check_seed(f, e);
}

/* Compares the record with the sentences next to it, then with the other files. */
static int
check_record(const struct facts *f, struct err *e)
{
	struct held h = { .rows = { 0 } };
	struct run_scores s;
	int r = run_scores_read(&s, f->path, e);

	if (!r)
		r = ledger_check_scores(f, &s, e);
	if (!r)
		r = hold(&h, f, &s, e);
	if (!r)
		r = check_held(f, &h, e) || check_invented(f, &h, e) || check_dev_nll(f, &h, e) ||
		    check_gates(f, &h, e) || check_related(f, e) ? -1 : 0;
	held_release(&h);
	run_scores_release(&s);
	return r;
}

/* --- entries with each other --- */

struct report {
	bool bad;
	char hint[sizeof(((struct err *)0)->hint)];	/* the last one; it is not printed again */
};

static void
ledger_report(const struct err *e, struct report *out)
{
	struct err one = *e;

	if (!strcmp(one.hint, out->hint))
		one.hint[0] = '\0';
	else if (one.hint[0])
		strcpy(out->hint, one.hint);
	err_print(&one);
	out->bad = true;
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
check_others(const struct facts *f, int i, struct report *out)
{
	bool differs = false;
	struct err e;

	for (int k = 0; k < i; k++)
		if (ledger_check_seeds(&f[k], &f[i], &e) || check_names(&f[k], &f[i], &e) ||
		    (same_run(&f[k], &f[i]) && ledger_agree(&f[k], &f[i], &e))) {
			ledger_report(&e, out);
			differs = true;
		}
	if (!differs && ledger_check_comparable(f, (size_t)i, true, &e))
		ledger_report(&e, out);
}

int
ledger_check(const char *const *path, int n, int64_t engine, bool drafts, bool *good,
	     struct err *e)
{
	struct facts *f = xcalloc((size_t)n + 1, sizeof(*f));
	struct report all = { .bad = false };
	int r = 0;

	for (int i = 0; i < n; i++) {
		struct err found;

		if ((r = facts_read(&f[i], path[i], e)))
			break;
		if (ledger_admit(&f[i], engine, drafts, &found) ||
		    ledger_check_digest(&f[i], &found) || ledger_check_files(&f[i], &found) ||
		    check_record(&f[i], &found) || ledger_check_checksum(&f[i], &found))
			ledger_report(&found, &all);
		check_others(f, i, &all);
	}
	*good = !all.bad;
	for (int i = 0; i < n; i++)
		facts_release(&f[i]);
	free(f);
	return r;
}
