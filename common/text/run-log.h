/*
 * run-log: what the log of a training says of the run as a whole.
 */
#ifndef RUN_LOG_H
#define RUN_LOG_H

#include "base/buf.h"
#include "base/compiler.h"
#include "base/err.h"

enum run_log_dev { RUN_LOG_LAST, RUN_LOG_BEST, RUN_LOG_NONE };

/*
 * Appends facts (facts.h) to out: dev.nll, of the last validation, of the best one, or none; updates,
 * tokens, seconds, speed (median of the rows, tokens a second) and steps (updates a second); what the
 * variants reported of the last validation; and of the header ended, epochs, backend, precision,
 * threads and processor.  Seconds are of the updates alone; the time before a training was resumed
 * is estimated from the rest.
 *
 * copy: where the rows go, compressed, numbers to seven digits; NULL: nowhere.
 */
int run_log_facts(const char *path, enum run_log_dev dev, const char *copy, struct buf *out,
		  struct err *e) MUST_USE;

#endif
