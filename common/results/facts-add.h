/*
 * facts-add: builds the text of facts (facts.h) from command lines and files.
 */
#ifndef FACTS_ADD_H
#define FACTS_ADD_H

#include "base/buf.h"
#include "base/compiler.h"
#include "base/err.h"

/* Appends a fact, a line of `name`, a tab and `value`. */
void facts_add(struct buf *facts, const char *name, const char *value);

/*
 * Adds name=value; an empty value is skipped.  The value of settings is brought into canonical form
 * (ledger_settings()).  Returns -1 with EXIT_USAGE for a text of another form, and for the facts
 * digest and checksum, which the program computes.
 */
int facts_add_operand(struct buf *facts, const char *text, struct err *e) MUST_USE;

/*
 * Adds lines of name, tab and value.  Returns -1 with EXIT_INPUT, naming the line, for other lines
 * and for a digest or checksum.
 */
int facts_add_file(struct buf *facts, const char *path, struct err *e) MUST_USE;

/*
 * Adds the NLL of a further test set.  `operand` is NAME=FILE, where FILE is a stream that
 * nmt-score(1) scored with the model whose digest (model_digest()) is `model`.  Returns -1 with
 * EXIT_USAGE for other operands, EXIT_INPUT for other streams.
 */
int facts_add_other_test(struct buf *facts, const char *operand, const char *model,
			 struct err *e) MUST_USE;

#endif
