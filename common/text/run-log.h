/*
 * run-log: what the log of a training says of the run as a whole.
 */
#ifndef RUN_LOG_H
#define RUN_LOG_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/compiler.h"
#include "base/err.h"

/*
 * Appends facts (facts.h) to out: dev.nll, of the last validation, or with `best` of the best one;
 * updates, tokens, seconds, speed (median of the rows, tokens a second) and steps (updates a
 * second); what the variants reported of the last validation; and of the header ended, epochs,
 * backend, precision, threads and processor.  Seconds are of the updates alone, and include those
 * of the time before a resumed training at the same speed.
 *
 * copy: where the rows go, compressed, numbers to seven digits; NULL: nowhere.
 */
int run_log_facts(const char *path, bool best, const char *copy, struct buf *out,
		  struct err *e) MUST_USE;

#endif
