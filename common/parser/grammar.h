/*
 * grammar: trains a probabilistic context-free grammar (pcfg.h) on treebanks and writes it to a
 * file; reads such a file.
 */
#ifndef GRAMMAR_H
#define GRAMMAR_H

#include <stdbool.h>

#include "base/err.h"
#include "parser/pcfg.h"

struct opt_list;
/*
 * Counts the bracketed trees of all treebanks and writes the grammar to the file `output`.
 * `treebanks` ends with NULL, and each element names files as for bank_open() (treebank.h).
 * `without` has shell patterns of documents to skip, as struct leave_out of treebank.h.
 */
int grammar_train(char *const *treebanks, const struct opt_list *without, const char *output,
		  struct err *e) MUST_USE;
bool grammar_is(const char *path);		/* is it a regular file that begins like a
						 * grammar? */
/* Reads a grammar, which the caller frees with pcfg_free().  Returns NULL on error. */
struct pcfg *grammar_read(const char *path, struct err *e) MUST_USE;

#endif
