/* grammar: trains a PCFG on treebanks, writes it to a file and reads it. */
#ifndef GRAMMAR_H
#define GRAMMAR_H

#include <stdbool.h>

#include "base/err.h"
#include "parser/pcfg.h"

struct opt_list;
/*
 * Counts the bracketed trees of all treebanks (NULL-terminated, each as for bank_open()) and writes
 * the grammar to output.  `without` has shell patterns of documents to skip; see struct leave_out.
 */
int grammar_train(char *const *treebanks, const struct opt_list *without, const char *output,
		  struct err *e) MUST_USE;
bool grammar_is(const char *path);		/* is it a regular file that begins like one? */
struct pcfg *grammar_read(const char *path, struct err *e) MUST_USE;

#endif
