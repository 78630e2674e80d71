/* grammar: a PCFG in a file: learnt from treebanks, kept, read. */
#ifndef GRAMMAR_H
#define GRAMMAR_H

#include "base/err.h"
#include "parser/pcfg.h"

/*
 * From all trees in brackets that the treebanks have (NULL-terminated, as for treebank_read(); files in
 * CoNLL-U are passed over), written to output.
 */
int grammar_train(char *const *treebanks, const char *output, struct err *e) MUST_USE;
struct pcfg *grammar_read(const char *path, struct err *e) MUST_USE;

#endif
