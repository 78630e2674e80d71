/* trial-run: see trial-run.h. */
#include "tune/trial-run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/child.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/regular.h"
#include "model/engine.h"
#include "stream/json-out.h"
#include "stream/stream.h"

struct words { char **v; size_t n; };

/* Adds the words of a text, or with whole, the text as one word: a path may have blanks. */
static void
trial_add(struct words *w, const char *text, bool whole)
{
	for (size_t n; *(text += whole ? 0 : strspn(text, " ")); text += n) {
		n = whole ? strlen(text) : strcspn(text, " ");
		w->v = xreallocarray(w->v, w->n + 2, sizeof(*w->v));
		w->v[w->n++] = xstrndup(text, n);
		w->v[w->n] = NULL;
	}
}

static void
trial_add_file(struct words *w, const char *option, const char *path, const char *end)
{
	char *whole = xasprintf("%s%s", path, end);

	trial_add(w, option, false);
	trial_add(w, whole, true);
	free(whole);
}

static int
run_words(struct words *w, struct buf *text, enum child_text kind, struct err *e)
{
	const int status = child_run(w->v, text, kind, e);

	for (size_t i = 0; i < w->n; i++)
		free(w->v[i]);
	free(w->v);
	return status;
}

int
trial_run_open(struct trial_run *r, struct err *e)
{
	struct words w = { 0 };
	struct buf table = { 0 };
	int status;

	trial_add(&w, "nmt-train --options-tsv", false);
	status = run_words(&w, &table, CHILD_OUTPUT, e);
	if (!status)
		train_table_read(&r->table, table.data);
	buf_release(&table);
	if (status > 0)
		err_set(e, EXIT_SYSTEM, "nmt-train --options-tsv failed with status %d", status);
	return status ? -1 : 0;
}

void
trial_run_close(struct trial_run *r)
{
	train_table_release(&r->table);
	buf_release(&r->options);
}

/*
 * Runs nmt-train with the options of all trainings, the trial and last_options, of which later ones
 * replace earlier ones.  The names of its files begin with prefix.  Unless messages is NULL,
 * nmt-train only checks the options, and messages gets its standard error.
 */
static int
trial_run(const struct trial_run *r, const char *prefix, const struct trial *t,
	  const char *last_options, struct buf *messages, struct err *e)
{
	char *seed = xasprintf("--seed %lld", (long long)t->seed);
	char *all = xasprintf("%s %s %s", r->options.data, t->options, last_options);
	struct buf merged = { 0 };
	struct words w = { 0 };

	buf_printf(&merged, "nmt-train %s ", messages ? "--check-options" : "");
	train_options_merge(&r->table, all, &merged);
	buf_printf(&merged, "%s -q --threads %lld", r->bleu ? " --dev-bleu --stop-on bleu" : "",
		   (long long)r->threads);
	trial_add(&w, merged.data, false);
	trial_add_file(&w, "--dev", r->dev, "");
	trial_add(&w, seed, false);
	trial_add_file(&w, "--checkpoint", prefix, "checkpoint.tar");
	trial_add_file(&w, "--log", prefix, "log.heed");
	trial_add_file(&w, "-o", prefix, "model.tar");
	trial_add_file(&w, "", r->train, "");
	buf_release(&merged);
	free(all);
	free(seed);
	return run_words(&w, messages, CHILD_MESSAGES, e);
}

/* --- options --- */

/* 0 if nmt-train accepts them; otherwise, why has its messages. */
static int
trial_run_check(const struct trial_run *r, const char *trial, const char *last_options,
		struct buf *why, struct err *e)
{
	const struct trial t = { .options = trial, .seed = 1 };
	char *prefix = xasprintf("%s.", r->journal);
	const int status = trial_run(r, prefix, &t, last_options, why, e);

	free(prefix);
	return status;
}

int
trial_check(const struct trial_run *r, const char *trial, const char *lines, struct err *e)
{
	const char *last = r->limited ? "--epochs 1" : "", *name = *trial ? trial : "-";
	struct buf why = { 0 }, common = { 0 };
	int bad = trial_run_check(r, trial, last, &why, e);

	if (bad > 0 && r->limited && !trial_run_check(r, trial, "--updates 1", &common, e)) {
		err_set(e, EXIT_INPUT, "%s: %s: %s: the schedule depends on --updates, which "
			"--rungs changes", r->grid, lines, name);
	} else if (bad > 0 && trial_run_check(r, "", "--epochs 1", &common, e) > 0) {
		fputs(common.data, stderr);
		err_usage(e, "nmt-train refuses the options after --: %s", r->options.data);
	} else if (bad > 0) {
		fputs(why.data, stderr);
		err_set(e, EXIT_INPUT, "%s: %s: nmt-train refuses this trial: %s", r->grid, lines,
			name);
	}
	buf_release(&why);
	buf_release(&common);
	return bad ? -1 : 0;
}

/* --- trainings --- */

/*
 * Sets `score` to the best value in the log of a training, as text; it is empty if no row has a
 * finite value.  Stores the number of the engine of the training in t, or 0 if it is unknown.
 */
static int
log_best(const struct trial_run *r, const char *log, struct trial *t, struct buf *score,
	 struct err *e)
{
	struct reader *in = reader_open(log, "step", NULL, 0, e);
	const char *number = in ? header_meta(reader_header(in), "engine") : NULL;
	const char *field = r->bleu ? "dev.bleu" : "dev.nll";
	struct record *row;
	struct err unknown;
	double best = 0, v;
	const void *p;
	size_t n;
	int more = -1;

	buf_clear(score);
	if (!number || num_int(number, strlen(number), 1, INT32_MAX, &t->engine, &unknown))
		t->engine = 0;
	while (in && (more = reader_next(in, &row, e)) > 0) {
		if (record_float(row, field, &v) || record_raw(row, field, &p, &n) ||
		    !isfinite(v) || (score->n && (r->bleu ? v <= best : v >= best)))
			continue;
		best = v;
		buf_clear(score);
		json_add_value(score, NULL, p, n);
	}
	reader_close(in);
	return more;
}

/* The score of a finished training in its log, and its engine; -1 without a score. */
static int
read_score(const struct trial_run *r, const char *log, struct trial *t, struct buf *score,
	   struct err *e)
{
	if (log_best(r, log, t, score, e))
		return -1;
	if (t->engine && t->engine != HEED_ENGINE)
		return err_set(e, EXIT_INPUT, "%s: trained with engine %lld, expected %d", log,
			       (long long)t->engine, HEED_ENGINE);
	if (!score->n)
		return err_set(e, EXIT_INPUT, "no validation in %lld updates: set nmt-train's "
			       "--validate-every", (long long)t->updates);
	t->score = score->data;
	return 0;
}

int
trial_train(const struct trial_run *r, struct journal *j, struct trial *t, struct err *e)
{
	char *folder = journal_folder(j, t, e);
	char *prefix = xasprintf("%s/", folder ? folder : "");
	char *log = xasprintf("%slog.heed", prefix);
	char *limit = xasprintf("--updates %lld", (long long)t->updates);
	struct timespec begun, ended;
	struct buf score = { 0 };
	int status = -1;

	clock_gettime(CLOCK_MONOTONIC, &begun);
	if (folder)
		status = trial_run(r, prefix, t, t->updates ? limit : "", NULL, e);
	clock_gettime(CLOCK_MONOTONIC, &ended);
	t->seconds = ended.tv_sec - begun.tv_sec;
	if (status == EXIT_DIVERGED) {
		(void)!read_score(r, log, t, &score, e);	/* only for the engine */
		t->score = "null";
		status = 0;
	} else if (!status) {
		status = read_score(r, log, t, &score, e);
	}
	if (!status)
		status = journal_add(j, t, e);
	t->score = NULL;
	buf_release(&score);
	free(limit);
	free(log);
	free(prefix);
	free(folder);
	return status;
}

/* --- identity of streams and files --- */

struct sum {
	uint32_t crc;
	uint64_t length;
	struct buf line;
};

/* Adds the line and its end, and clears it. */
static void
trial_streams_add_line(struct sum *s)
{
	buf_add_char(&s->line, '\n');
	s->crc = cksum_add(s->crc, s->line.data, s->line.n);
	s->length += s->line.n;
	buf_clear(&s->line);
}

static int
add_note(void *arg, const void *p, size_t n, struct err *e)
{
	struct sum *s = arg;

	(void)e;
	json_add_value(&s->line, NULL, p, n);
	trial_streams_add_line(s);
	return 0;
}

int
stream_cksum(const char *path, struct buf *out, struct err *e)
{
	struct reader *in = reader_open(path, NULL, NULL, 0, e);
	struct sum s = { .crc = 0 };
	struct record *rec;
	int more = -1;

	if (in)
		reader_on_note(in, add_note, &s);
	while (in && (more = reader_next(in, &rec, e)) > 0) {
		json_add_record(&s.line, rec);
		trial_streams_add_line(&s);
	}
	if (!more) {
		buf_printf(&s.line, "[\"heed-end\",%lld]", (long long)reader_count(in));
		trial_streams_add_line(&s);
		buf_printf(out, "%u-%llu", cksum_end(s.crc, s.length),
			   (unsigned long long)s.length);
	}
	buf_release(&s.line);
	reader_close(in);
	return more;
}

void
trial_files(const struct train_table *table, const char *options, struct buf *out)
{
	struct train_options o;
	uint64_t size;
	uint32_t crc;
	struct err e;

	train_options_parse(&o, table, options);
	for (size_t i = 0; i < o.n; i++) {
		const char *value = o.option[i].value;

		if (value && !regular_cksum(value, &crc, &size, &e))
			buf_printf(out, ",%u-%llu", crc, (unsigned long long)size);
	}
	train_options_release(&o);
}
