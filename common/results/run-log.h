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
 *	dev.nll             of the validation at the model's update, if there was one; left out if
 *	                    `scored`, that is, if the model is scored by other means
 *	updates, tokens     at the end of the training
 *	seconds             spent on updates; without validation
 *	speed               median over the rows, tokens per second
 *	steps               updates per second, at that speed
 *	dev.*               dev.bleu and reports of attention variants, of the same validation
 *	ended, epochs, backend, precision, threads, processor  from the header
 *
 * If the training was resumed, seconds before that are estimated from the rest.
 *
 * The update of the model, as --keep-best or a snapshot has it, must be the last one or that of a
 * validation, or if scored, at most the last one.  Log and model must be of the same training;
 * those that do not name it, as of older versions, are not checked.
 *
 * `copy`: path for a compressed copy of the log with numbers of seven digits, or NULL.  Returns 0,
 * or -1 if the log is malformed or of another model (EXIT_INPUT) or a file cannot be read or
 * written.
 */
int run_log_facts(const char *path, bool scored, const struct model_id *model, const char *copy,
		  struct buf *out, struct err *e) MUST_USE;

#endif
