/*
 * run-log: summary of the log of a training as facts.
 */
#ifndef RUN_LOG_H
#define RUN_LOG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/compiler.h"
#include "base/err.h"
#include "model-file/model-facts.h"

/*
 * Appends facts (facts.h) of the log at path to out:
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
 * Rows from before a training was resumed have no speed.  Their seconds are estimated from the
 * tokens per second of all other rows.  If no row has a speed, seconds, speed and steps are left
 * out.
 *
 * The update of the model must not be after the last update of the log.  Unless `scored`, it must
 * be the last update or that of a validation, as for a model of --keep-best or a snapshot.  Log and
 * model must be of the same training.  This is not checked if one of them does not name its
 * training, because an older version wrote it.
 *
 * `copy`: path for a compressed copy of the log, with numbers rounded to about seven significant
 * digits (single precision), or NULL.  Returns 0, or -1 if the log is malformed or of another model
 * (EXIT_INPUT) or a file cannot be read or written.
 */
int run_log_facts(const char *path, bool scored, const struct model_id *model, const char *copy,
		  struct buf *out, struct err *e) MUST_USE;

#endif
