/* grammar: trains a PCFG on treebanks, writes it to a file and reads it. */
#ifndef GRAMMAR_H
#define GRAMMAR_H

#include "base/err.h"
#include "parser/pcfg.h"

struct opt_list;
/*
 * Counts the bracketed trees of all treebanks (NULL-terminated, each as for bank_open()) and
 * writes the grammar to output.
 */
int grammar_train(char *const *treebanks, const struct opt_list *leave_out, const char *output,
		  struct err *e) MUST_USE;
struct pcfg *grammar_read(const char *path, struct err *e) MUST_USE;

#endif
