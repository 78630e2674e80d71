/*
 * facts-add: builds the text of a record, that is, lines of facts (facts.h), from command lines and
 * files.
 */
#ifndef FACTS_ADD_H
#define FACTS_ADD_H

#include "base/buf.h"
#include "base/compiler.h"
#include "base/err.h"

/* Appends a fact: a line with `name`, a tab and `value`. */
void facts_add(struct buf *facts, const char *name, const char *value);

/*
 * Appends the fact of an operand "name=value"; nothing if the value is empty.  The value of the
 * fact settings is brought into canonical form (ledger_settings() of ledger.h).  Returns -1 with
 * EXIT_USAGE for a text of another form, and for the facts digest and checksum, which the program
 * computes.
 */
int facts_add_operand(struct buf *facts, const char *text, struct err *e) MUST_USE;

/*
 * Appends the facts of a file, whose lines have a name, a tab and a value.  Returns -1 with
 * EXIT_INPUT for other lines and for the facts digest and checksum; the message names the line.
 */
int facts_add_file(struct buf *facts, const char *path, struct err *e) MUST_USE;

/*
 * Appends the fact also.NAME.nll, the NLL of a further test set.  `operand` is NAME=FILE, where
 * FILE is a stream that nmt-score(1) made with the model whose model_digest() is `model`.  Returns
 * -1 with EXIT_USAGE for other operands, and with EXIT_INPUT for other streams.
 */
int facts_add_other_test(struct buf *facts, const char *operand, const char *model,
			 struct err *e) MUST_USE;

#endif
