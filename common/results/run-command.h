/*
 * run-command: compares the command of a run with that of its model.
 */
#ifndef RUN_COMMAND_H
#define RUN_COMMAND_H

#include "base/compiler.h"
#include "base/err.h"

/*
 * Checks that the fact `command` of a record, if it is "nmt-train OPTION...", has options that the
 * model was trained with: these options, in this order and next to each other, are among the
 * arguments of the last nmt-train in its provenance.  `facts` are lines "name TAB value", `info`
 * the lines of nmt-info(1).  Returns -1 with EXIT_INPUT if they are not; the message does not name
 * the model.  A model without provenance and facts without a command pass.
 */
int run_command_check(const char *facts, const char *info, struct err *e) MUST_USE;

#endif
