/*
 * embedded: the parsers that come with the programs: common/parser/models/LANG.parser and
 * LANG.pcfg, which are found by wildcard and become part of the library.
 */
#ifndef EMBEDDED_H
#define EMBEDDED_H

#include "parser/parser-file.h"
#include "parser/pcfg.h"

/*
 * As parser_read() and grammar_read(); EXIT_USAGE and which there are, if there is none for the
 * language.
 */
struct bundle_in *embedded_parser(struct parser *p, const char *lang, struct err *e) MUST_USE;
struct pcfg *embedded_grammar(const char *lang, struct err *e) MUST_USE;

#endif
