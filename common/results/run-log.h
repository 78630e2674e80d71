/*
 * run-log: summary of the log of a training as facts.
 */
#ifndef RUN_LOG_H
#define RUN_LOG_H

#include <stdint.h>

#include "base/buf.h"
#include "base/compiler.h"
#include "base/err.h"

/* Which validation dev.nll is taken from. */
enum run_log_dev { RUN_LOG_LAST, RUN_LOG_BEST, RUN_LOG_NONE };

/*
 * Appends facts (facts.h) of the log at path to out:
 *
 *	dev.nll             of the validation that dev selects; left out for RUN_LOG_NONE
 *	updates, tokens     at the end of the training
 *	seconds             spent on updates; without validation
 *	speed               median over the rows, tokens per second
 *	steps               updates per second, at that speed
 *	dev.*               reported by attention variants at the last validation
 *	ended, epochs, backend, precision, threads, processor  from the header
 *
 * If the training was resumed, seconds before that are estimated from the rest.
 *
 * model_step: the update of the model; it must be the last one, or with RUN_LOG_BEST or
 * RUN_LOG_NONE, at most that.
 *
 * copy: path for a compressed copy of the log with numbers of seven digits, or NULL.  Returns 0,
 * or -1 if the log is malformed or of another model (EXIT_INPUT) or a file cannot be read or
 * written.
 */
int run_log_facts(const char *path, enum run_log_dev dev, int64_t model_step, const char *copy,
		  struct buf *out, struct err *e) MUST_USE;

#endif
