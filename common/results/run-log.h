/* run-log: summarizes the log of a training as facts (facts.h). */
#ifndef RUN_LOG_H
#define RUN_LOG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/compiler.h"
#include "base/err.h"
#include "model-file/model-facts.h"

/*
 * Appends lines with these facts of the log at `path` to `out`:
 *
 *	dev.nll             negative log-likelihood per target token, in nats, in the validation at
 *	                    the model's update, if there was one; left out if `scored`, that is, if
 *	                    the model is scored by other means
 *	updates, tokens     at the end of the training
 *	seconds             spent on updates; without validation
 *	speed               median over the rows, tokens per second
 *	steps               updates per second, at that speed
 *	dev.*               dev.bleu and what attention variants measure, in the same validation
 *	ended, epochs, backend, precision, threads, processor
 *	                    from the header of the log; left out if it lacks them
 *
 * The rows of a log that were written before the training was resumed have no speed.  The seconds
 * of these rows are estimated from the tokens per second of the other rows.  If no row has a speed,
 * the facts seconds, speed and steps are left out.
 *
 * The update of the model must not be after the last update of the log.  Unless `scored` is true,
 * it must be the last update or that of a validation, as for a model of --keep-best or a snapshot.
 * Log and model must be of the same training, which is checked if both name their training; files
 * of older versions do not.
 *
 * If `copy` is not NULL, a compressed copy of the log is written to this path, with numbers rounded
 * to single precision, about seven significant digits.  Returns 0, or -1 with EXIT_INPUT if the log
 * is malformed or of another model, or -1 if a file cannot be read or written.
 */
int run_log_facts(const char *path, bool scored, const struct model_id *model, const char *copy,
		  struct buf *out, struct err *e) MUST_USE;

#endif
