/* grammar: a PCFG in a file: learnt from treebanks, kept, read. */
#ifndef GRAMMAR_H
#define GRAMMAR_H

#include "base/err.h"
#include "parser/pcfg.h"

/*
 * From all trees in brackets that the treebanks have (NULL-terminated, each as for bank_open()),
 * written to output.
 */
struct opt_list;
int grammar_train(char *const *treebanks, const struct opt_list *leave_out, const char *output,
		  struct err *e) MUST_USE;
struct pcfg *grammar_read(const char *path, struct err *e) MUST_USE;

#endif
