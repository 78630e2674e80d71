/*
 * train-log: what a training tells, as a stream of kind step and as lines for people.
 *
 * A stream appears under its name only when it is complete, so a run that was
 * killed has none: its rows wait in the checkpoint and are written again by the
 * run that goes on.  There they stand without their speed, for a checkpoint
 * holds nothing that a clock has said.  The member "log" is, for each row, its
 * length in four bytes, lowest first, and the record.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "base/mem.h"
#include "model/trainer.h"
#include "stream/stream.h"

struct train_log {
	struct writer *writer;
	struct record *row, *kept;
	struct buf rows;
};

static const struct field fields[] = {
	{ "step", "int", 0 }, { "epoch", "int", 0 }, { "loss", "float", 1 }, { "nll", "float", 1 },
	{ "lr", "float", 1 }, { "norm", "float", 1 }, { "tokens", "int", 0 }, { "speed", "float", 1 },
	{ "dev.nll", "float", 1 }, { "dev.bleu", "float", 1 }, { 0 }
};

int
train_log_open(struct trainer *t, struct err *e)
{
	struct train_log *l = t->log = xcalloc(1, sizeof(*l));
	unsigned flags = (t->set->force ? STREAM_FORCE : 0) | (cli_no_pg ? STREAM_NO_PG : 0);

	l->row = record_new();
	l->kept = record_new();
	if (!t->set->log)
		return 0;
	l->writer = writer_open(t->set->log, "step", NULL, fields, flags, e);
	return l->writer ? 0 : -1;
}

static void
add_u32(struct buf *b, size_t v)
{
	for (int i = 0; i < 4; i++)
		buf_add_char(b, (char)(v >> 8 * i & 255));
}

static void
keep_row(struct train_log *l)
{
	struct buf bytes = { 0 };

	if (record_copy(l->kept, l->row))
		bug("a row of the log cannot be copied");
	record_delete(l->kept, "speed");
	record_encode(l->kept, &bytes);
	add_u32(&l->rows, bytes.n);
	buf_add(&l->rows, bytes.data, bytes.n);
	buf_release(&bytes);
}

static size_t
get_u32(const unsigned char *p)
{
	return (size_t)p[0] | (size_t)p[1] << 8 | (size_t)p[2] << 16 | (size_t)p[3] << 24;
}

int
train_log_restore(struct trainer *t, const void *from, size_t n, struct err *e)
{
	const unsigned char *p = from, *end = p + n;
	struct train_log *l = t->log;
	size_t size;

	for (; p < end; p += 4 + size) {
		if (end - p < 4 || (size = get_u32(p)) > (size_t)(end - p) - 4)
			return err_set(e, EXIT_INPUT, "%s: member log is cut short", t->set->checkpoint);
		record_clear(l->kept);
		if (record_decode(l->kept, p + 4, size, e))
			return err_wrap(e, "%s: member log", t->set->checkpoint);
		if (l->writer && writer_put(l->writer, l->kept, e))
			return -1;
	}
	buf_clear(&l->rows);
	buf_add(&l->rows, from, n);
	return 0;
}

const struct buf *
train_log_rows(const struct trainer *t)
{
	return &t->log->rows;
}

static void
fill_row(struct trainer *t, double lr, const struct dev_result *dev, double speed)
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
		record_set_float(row, "speed", speed);
	}
	record_set_int(row, "tokens", s->tokens);
	if (dev)
		record_set_float(row, "dev.nll", dev->nll);
	if (dev && dev->has_bleu)
		record_set_float(row, "dev.bleu", dev->bleu);
	attention_set_report(t->model->attention, row);
}

/* With a terminal the progress line shows this all the time. */
static void
say_row(struct trainer *t, double lr, double speed)
{
	const struct train_state *s = &t->state;

	if (t->set->quiet || t->progress.visible || !s->row_updates)
		return;
	fprintf(stderr, "update %lld, epoch %lld, loss %.4f, nll %.4f, lr %.3g, norm %.3g, %.0f tokens/s\n",
		(long long)s->update, (long long)s->epoch, s->row_loss / (double)s->row_target,
		s->row_nll / (double)s->row_target, lr, s->row_norm / (double)s->row_updates, speed);
}

static void
say_dev(struct trainer *t, const struct dev_result *dev)
{
	if (t->set->quiet)
		return;
	if (t->progress.visible)
		fputs("\r\033[K", stderr);
	fprintf(stderr, "update %lld: dev nll %.4f, perplexity %.2f", (long long)t->state.update, dev->nll,
		dev->perplexity);
	if (dev->has_bleu)
		fprintf(stderr, ", bleu %.2f", dev->bleu);
	fprintf(stderr, "%s\n", t->state.best_update == t->state.update ? " (best so far)" : "");
}

int
train_log_row(struct trainer *t, double lr, const struct dev_result *dev, struct err *e)
{
	struct train_state *s = &t->state;
	double speed = t->row_seconds > 0 ? (double)t->row_timed / t->row_seconds : 0;

	fill_row(t, lr, dev, speed);
	keep_row(t->log);
	say_row(t, lr, speed);
	if (dev)
		say_dev(t, dev);
	s->row_updates = s->row_target = s->row_tokens = 0;
	s->row_loss = s->row_nll = s->row_norm = 0;
	t->row_seconds = 0;
	t->row_timed = 0;
	return t->log->writer ? writer_put(t->log->writer, t->log->row, e) : 0;
}

int
train_log_close(struct trainer *t, struct err *e)
{
	struct writer *w = t->log ? t->log->writer : NULL;

	if (!w)
		return 0;
	t->log->writer = NULL;
	return writer_finish(w, e);
}

void
train_log_free(struct trainer *t)
{
	if (!t->log)
		return;
	writer_abandon(t->log->writer);
	record_free(t->log->row);
	record_free(t->log->kept);
	buf_release(&t->log->rows);
	free(t->log);
	t->log = NULL;
}

/* Tokens a second count without the first updates, which touch all memory for the first time. */
void
train_log_summary(const struct trainer *t)
{
	const struct train_state *s = &t->state;
	struct rusage use;

	if (t->set->quiet)
		return;
	getrusage(RUSAGE_SELF, &use);
	fprintf(stderr, "%s: %lld updates, %lld epochs, %.0f tokens/s (source and target, end symbols counted), "
		"peak memory %.0f MiB", err_program_name(), (long long)s->update, (long long)s->epoch,
		t->train_seconds > 0 ? (double)t->timed_tokens / t->train_seconds : 0,
		(double)use.ru_maxrss / 1024);
	if (s->validations)
		fprintf(stderr, ", best %s %.4f at update %lld", t->set->stop_on == STOP_ON_BLEU ? "bleu" : "nll",
			t->set->stop_on == STOP_ON_BLEU ? -s->best : s->best, (long long)s->best_update);
	fputc('\n', stderr);
}
