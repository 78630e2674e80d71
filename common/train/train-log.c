/*
 * train-log: the training log, as a stream of kind step and as lines on standard error.
 *
 * The stream is written when the training ends.  Until then its rows are kept in memory, and in the
 * checkpoint for a resumed training.  Rows in the checkpoint have no speed and no waiting time, so
 * that its bytes do not depend on time.  For each row, its member "log" has the length, in four
 * bytes, little-endian, and the record.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/machine.h"
#include "base/mem.h"
#include "base/num.h"
#include "stream/cells.h"
#include "stream/stream.h"
#include "train/trainer.h"

#define FIRST_LINE 10		/* seconds until the first line about the progress */

struct train_log {
	struct record *row;
	struct buf rows, timed;		/* without and with speed */
};

static const struct field fields[] = {
	{ "step", "int", 0 }, { "epoch", "int", 0 }, { "loss", "float", 1 },
	{ "nll", "float", 1 }, { "lr", "float", 1 }, { "norm", "float", 1 },
	{ "tokens", "int", 0 }, { "speed", "float", 1 }, { "dev.nll", "float", 1 },
	{ "dev.bleu", "float", 1 }, { 0 }
};

void
train_log_new(struct trainer *t)
{
	t->log = xcalloc(1, sizeof(*t->log));
	t->log->row = record_new();
}

static void
add_u32(struct buf *b, size_t v)
{
	for (int i = 0; i < 4; i++)
		buf_add_char(b, (char)(v >> 8 * i & 255));
}

static void
keep_row(const struct record *row, struct buf *rows)
{
	struct buf bytes = { 0 };

	record_encode(row, &bytes);
	add_u32(rows, bytes.n);
	buf_add(rows, bytes.data, bytes.n);
	buf_release(&bytes);
}

/* Checks the rows, and writes them if w is not NULL. */
static int
train_log_put_rows(struct writer *w, struct record *row, const void *rows, size_t n, struct err *e)
{
	const unsigned char *p = rows, *end = p + n;
	size_t size;

	for (; p < end; p += 4 + size) {
		if (end - p < 4 || (size = little_endian(p, 4)) > (size_t)(end - p) - 4)
			return err_set(e, EXIT_INPUT, "truncated");
		if (record_decode(row, p + 4, size, e) || (w && writer_put(w, row, e)))
			return -1;
	}
	return 0;
}

int
train_log_restore(struct trainer *t, const void *rows, size_t n, struct err *e)
{
	struct train_log *l = t->log;

	if (n && train_log_put_rows(NULL, l->row, rows, n, e))
		return err_wrap(e, "%s: member log", t->set->checkpoint);
	buf_clear(&l->rows);
	buf_clear(&l->timed);
	buf_add(&l->rows, rows, n);
	buf_add(&l->timed, rows, n);
	return 0;
}

const struct buf *
train_log_rows(const struct trainer *t)
{
	return &t->log->rows;
}

/* Without meaning if row_seconds is 0: the updates of the row were those of an earlier process. */
static double
row_speed(const struct trainer *t)
{
	return (double)t->row_timed / t->row_seconds;
}

static void
train_log_fill_row(struct trainer *t, double lr, const struct dev_result *dev)
{
	const struct train_state *s = &t->state;
	struct record *row = t->log->row;

	record_clear(row);
	record_set_int(row, "step", s->update);
	record_set_int(row, "epoch", s->epoch);
	if (s->row_updates) {
		record_set_float(row, "loss", s->row_loss / (double)s->row_target);
		record_set_float(row, "nll", s->row_nll / (double)s->row_target);
		record_set_float(row, "lr", lr);
		record_set_float(row, "norm", s->row_norm / (double)s->row_updates);
	}
	if (s->row_updates && t->row_seconds > 0)
		record_set_float(row, "speed", row_speed(t));
	if (s->row_updates && t->ranks->n > 1 && t->row_all_seconds > 0)
		record_set_float(row, "waiting", t->row_waited / t->row_all_seconds);
	record_set_int(row, "tokens", s->tokens);
	if (dev)
		record_set_float(row, "dev.nll", dev->nll);
	if (dev && dev->has_bleu)
		record_set_float(row, "dev.bleu", dev->bleu);
	for (size_t i = 0; dev && i < dev->means.n; i++) {
		const struct mean *y = &dev->means.entry[i];

		record_set_float(row, y->name, y->count > 0 ? y->sum / y->count : 0);
	}
}

/* Prints a line, unless there is a progress line, which has the same values. */
static void
print_row(struct trainer *t, double lr)
{
	const struct train_state *s = &t->state;

	if (t->set->quiet || t->progress.visible || !s->row_updates)
		return;
	t->announced = true;
	fprintf(stderr, "update %lld, epoch %lld, loss %.4f, nll %.4f, lr %.3g, norm %.3g",
		(long long)s->update, (long long)s->epoch, s->row_loss / (double)s->row_target,
		s->row_nll / (double)s->row_target, lr, s->row_norm / (double)s->row_updates);
	if (t->row_seconds > 0)
		fprintf(stderr, ", %.0f tokens/s", row_speed(t));
	fputc('\n', stderr);
}

void
train_log_first(struct trainer *t)
{
	const double now = seconds();
	struct buf line = { 0 };

	if (t->announced || t->set->quiet || t->progress.visible ||
	    now - t->progress.began < FIRST_LINE)
		return;
	t->announced = true;
	progress_line(&t->progress, now, &line);
	fprintf(stderr, "%s\n", line.data);
	buf_release(&line);
}

static void
print_dev(struct trainer *t, const struct dev_result *dev)
{
	if (t->set->quiet)
		return;
	if (t->progress.visible)
		fputs("\r\033[K", stderr);
	fprintf(stderr, "update %lld: dev nll %.4f, perplexity %.2f", (long long)t->state.update,
		dev->nll, dev->perplexity);
	if (dev->has_bleu)
		fprintf(stderr, ", bleu %.2f", dev->bleu);
	fprintf(stderr, "%s\n", t->state.best_update == t->state.update ? " (best so far)" : "");
}

void
train_log_row(struct trainer *t, double lr, const struct dev_result *dev)
{
	struct train_state *s = &t->state;

	train_log_fill_row(t, lr, dev);
	keep_row(t->log->row, &t->log->timed);
	record_delete(t->log->row, "speed");
	record_delete(t->log->row, "waiting");
	keep_row(t->log->row, &t->log->rows);
	print_row(t, lr);
	if (dev)
		print_dev(t, dev);
	s->row_updates = s->row_target = s->row_tokens = 0;
	s->row_loss = s->row_nll = s->row_norm = 0;
	t->row_seconds = t->row_waited = t->row_all_seconds = 0;
	t->row_timed = 0;
}

static bool
is_declared(const struct field *f, struct str name)
{
	for (; f->name; f++)
		if (str_is(name, f->name))
			return true;
	return false;
}

/* Adds the undeclared fields of a row to all[*n]. */
static struct field *
train_log_add_fields(struct field *all, size_t *n, const struct record *row)
{
	for (int i = 0; i < record_n_fields(row); i++) {
		const struct str name = record_name(row, i);

		if (is_declared(all, name))
			continue;
		all = xreallocarray(all, *n + 2, sizeof(*all));
		all[(*n)++] = (struct field){ xstrndup(name.s, name.n), "float", 1 };
		all[*n] = (struct field){ 0 };
	}
	return all;
}

/* The fields of all rows; those that variants report follow the fixed ones. */
static struct field *
all_fields(struct train_log *l)
{
	size_t n = sizeof(fields) / sizeof(fields[0]) - 1, size;
	struct field *all = xcalloc(n + 1, sizeof(*all));
	const unsigned char *p;
	struct err e;

	memcpy(all, fields, sizeof(fields));
	for (size_t at = 0; at < l->timed.n; at += 4 + size) {
		p = (const unsigned char *)l->timed.data + at;
		size = little_endian(p, 4);
		if (!record_decode(l->row, p + 4, size, &e))
			all = train_log_add_fields(all, &n, l->row);
	}
	return all;
}

static void
fields_free(struct field *all)
{
	for (size_t i = sizeof(fields) / sizeof(fields[0]) - 1; all[i].name; i++)
		free((char *)all[i].name);
	free(all);
}

static int
note_mask(const struct model *m, struct writer *w, struct err *e)
{
	char n[16];

	if (!m->tgt_valid)
		return 0;
	snprintf(n, sizeof(n), "%d", model_masked_entries(m));
	return writer_note(w, "mask.tgt", n, e);
}

/* What ended the training; the criteria in the order in which finished() checks them. */
static const char *
ended_by(const struct trainer *t)
{
	const struct train_settings *s = t->set;

	if (t->diverged)
		return "diverged";
	if (s->updates && t->state.update >= s->updates)
		return "updates";
	if (s->epochs && t->state.epoch >= s->epochs)
		return "epochs";
	return s->patience && t->state.bad >= s->patience ? "patience" : "interrupted";
}

/* Adds to the header what results and speed depend on besides the settings. */
static void
describe_run(const struct trainer *t, struct writer *w)
{
	char number[24];

	if (t->model->engine) {
		snprintf(number, sizeof(number), "%lld", (long long)t->model->engine);
		writer_set_meta(w, "engine", number);
	}
	if (*t->model->training)
		writer_set_meta(w, HEADER_TRAINING, t->model->training);
	snprintf(number, sizeof(number), "%d", pool_threads(t->run.pool) * t->ranks->n);
	writer_set_meta(w, "threads", number);
	writer_set_meta(w, "precision", precision_names[t->run.precision]);
	writer_set_meta(w, "backend", t->run.backend.name);
	writer_set_meta(w, "processor", machine_processor());
	writer_set_meta(w, "ended", ended_by(t));
	snprintf(number, sizeof(number), "%.2f", (double)t->state.epoch +
		 (t->order.n_batches ? (double)t->state.batch / (double)t->order.n_batches : 0));
	writer_set_meta(w, "epochs", number);
}

int
train_log_write(struct trainer *t, struct err *e)
{
	const struct buf *rows = &t->log->timed;
	struct field *all;
	struct writer *w;
	int bad;

	if (!t->set->log)
		return 0;
	all = all_fields(t->log);
	w = writer_open(t->set->log, "step", NULL, all, t->set->force ? STREAM_FORCE : 0, e);
	if (w)
		describe_run(t, w);
	bad = !w || note_mask(t->model, w, e) ||
	      (rows->n && train_log_put_rows(w, t->log->row, rows->data, rows->n, e));
	fields_free(all);
	return writer_end(w, bad, e);
}

void
train_log_free(struct trainer *t)
{
	if (!t->log)
		return;
	record_free(t->log->row);
	buf_release(&t->log->rows);
	buf_release(&t->log->timed);
	free(t->log);
	t->log = NULL;
}

/* Tokens per second do not count the first updates, which touch all memory for the first time. */
void
train_log_summary(const struct trainer *t)
{
	const struct train_state *s = &t->state;
	struct rusage use;

	if (t->set->quiet)
		return;
	getrusage(RUSAGE_SELF, &use);
	fprintf(stderr, "%s: %lld updates, %lld epochs", err_program_name(), (long long)s->update,
		(long long)s->epoch);
	if (t->train_seconds > 0)
		fprintf(stderr, ", %.0f tokens/s (source and target, counting end-of-sentence "
			"tokens)", (double)t->timed_tokens / t->train_seconds);
	fprintf(stderr, ", peak memory %.0f MiB", (double)use.ru_maxrss / 1024);
	if (s->validations)
		fprintf(stderr, ", best %s %.4f at update %lld",
			t->set->stop_on == STOP_ON_BLEU ? "bleu" : "nll",
			t->set->stop_on == STOP_ON_BLEU ? -s->best : s->best,
			(long long)s->best_update);
	fputc('\n', stderr);
}
