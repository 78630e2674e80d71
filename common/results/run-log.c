/* run-log: see run-log.h. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "results/run-log.h"
#include "scores/median.h"
#include "stream/stream.h"

struct course {
	int64_t step, tokens;		/* of the last row */
	double seconds;			/* sum over the rows with a speed */
	int64_t timed_tokens;		/* of these rows */
	double *speed;			/* [n] */
	size_t n, room;
	double dev_nll;			/* of the model's update; NAN without a validation there */
	struct buf reports;		/* facts dev.* of this validation */
};

static const struct field needs[] = { { "step", "int", 0 }, { "tokens", "int", 0 }, { 0 } };

/* All numbers dev.* except dev.nll. */
static void
take_reports(struct course *c, const struct record *row)
{
	buf_clear(&c->reports);
	for (int i = 0; i < record_n_fields(row); i++) {
		const struct str name = record_name(row, i);
		char *key = xstrndup(name.s, name.n);
		double v;

		if (!strncmp(key, "dev.", 4) && key[4] && strcmp(key, "dev.nll") &&
		    !record_float(row, key, &v))
			buf_printf(&c->reports, "%s\t%.6g\n", key, v);
		free(key);
	}
}

static int
take_row(struct course *c, const struct record *row, int64_t model_step, struct err *e)
{
	int64_t step, tokens;
	double speed, nll;

	if (record_int(row, "step", &step) || record_int(row, "tokens", &tokens) ||
	    step < c->step || tokens < c->tokens)
		return err_set(e, EXIT_INPUT, "expected steps and tokens in ascending order");
	if (!record_float(row, "speed", &speed) && speed > 0) {
		c->seconds += (double)(tokens - c->tokens) / speed;
		c->timed_tokens += tokens - c->tokens;
		c->speed = mem_grow(c->speed, &c->room, c->n + 1, sizeof(*c->speed));
		c->speed[c->n++] = speed;
	}
	c->step = step;
	c->tokens = tokens;
	if (step != model_step || record_float(row, "dev.nll", &nll))
		return 0;
	c->dev_nll = nll;
	take_reports(c, row);
	return 0;
}

/* Numbers are rounded to seven digits, which compress far better. */
static int
copy_row(struct writer *w, struct record *row, struct err *e)
{
	for (int i = 0; i < record_n_fields(row); i++) {
		const struct str name = record_name(row, i);
		char *key = xstrndup(name.s, name.n);
		int64_t whole;
		double v;

		if (record_int(row, key, &whole) && !record_float(row, key, &v))
			record_set_float(row, key, (double)(float)v);
		free(key);
	}
	return writer_put(w, row, e);
}

static void
run_log_add_facts(struct course *c, bool scored, const struct header *h, struct buf *out)
{
	static const char *const meta[] = {
		"ended", "epochs", "backend", "precision", "threads", "processor"
	};

	if (!scored && !isnan(c->dev_nll))
		buf_printf(out, "dev.nll\t%.6f\n", c->dev_nll);
	buf_printf(out, "updates\t%lld\ntokens\t%lld\n", (long long)c->step,
		   (long long)c->tokens);
	if (c->n) {
		const double speed = median_low(c->speed, c->n);

		buf_printf(out, "seconds\t%.1f\nspeed\t%.1f\n",
			   c->seconds * (double)c->tokens /
			   (double)(c->timed_tokens ? c->timed_tokens : 1), speed);
		buf_printf(out, "steps\t%.4f\n",
			   c->tokens ? speed * (double)c->step / (double)c->tokens : 0);
	}
	for (size_t i = 0; i < sizeof(meta) / sizeof(*meta); i++) {
		const char *value = header_meta(h, meta[i]);

		if (value && !strpbrk(value, "\t\n"))
			buf_printf(out, "%s\t%s\n", meta[i], value);
	}
	buf_add(out, c->reports.data, c->reports.n);
}

static int
read_rows(struct reader *reader, struct writer *w, int64_t model_step, struct course *c,
	  struct err *e)
{
	struct record *row;
	int more;

	while ((more = reader_next(reader, &row, e)) > 0) {
		if (take_row(c, row, model_step, e))
			return err_wrap(e, "%s", reader_where(reader));
		if (w && copy_row(w, row, e))
			return -1;
	}
	return more;
}

static int
check_training(const struct reader *reader, const struct model_id *model, struct err *e)
{
	const char *training = header_meta(reader_header(reader), HEADER_TRAINING);

	if (!training || !*model->training || !strcmp(training, model->training))
		return 0;
	return err_set(e, EXIT_INPUT, "%s: the log of training %s, expected that of the given "
		       "model, %s", reader_name(reader), training, model->training);
}

/* A model before the last update is that of a validation, or its development set was scored. */
static int
check_step(const struct course *c, bool scored, int64_t step, const char *path, struct err *e)
{
	if (step > c->step)
		return err_set(e, EXIT_INPUT,
			       "%s: the last update is %lld, expected at least %lld, that of the "
			       "model", path, (long long)c->step, (long long)step);
	if (step == c->step || scored || !isnan(c->dev_nll))
		return 0;
	err_set(e, EXIT_INPUT, "%s: no validation of update %lld, that of the model", path,
		(long long)step);
	err_hint(e, "give --dev");
	return -1;
}

int
run_log_facts(const char *path, bool scored, const struct model_id *model, const char *copy,
	      struct buf *out, struct err *e)
{
	struct course c = { .dev_nll = NAN };
	struct reader *in = reader_open(path, "step", needs, 0, e);
	struct writer *w = NULL;
	int r = in ? check_training(in, model, e) : -1;

	if (!r && copy) {
		w = writer_open(copy, "step", reader_header(in), NULL, STREAM_ZSTD | STREAM_NO_PG,
				e);
		r = w ? 0 : -1;
	}
	if (!r)
		r = read_rows(in, w, model->step, &c, e);
	if (!r)
		r = check_step(&c, scored, model->step, path, e);
	if (!r)
		run_log_add_facts(&c, scored, reader_header(in), out);
	if (w)
		r = writer_end(w, r, e);
	reader_close(in);
	free(c.speed);
	buf_release(&c.reports);
	return r;
}
