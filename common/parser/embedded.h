/*
 * embedded: the built-in parsers, common/parser/models/LANG.parser and LANG.pcfg.  The files are
 * found by wildcard and become part of the library.
 */
#ifndef EMBEDDED_H
#define EMBEDDED_H

#include "parser/parser-file.h"
#include "parser/pcfg.h"

/*
 * Like parser_read() and grammar_read().  If there is none for the language, returns NULL with
 * EXIT_USAGE and a message that lists the built-in languages.
 */
struct bundle_in *embedded_parser(struct parser *p, const char *lang, struct err *e) MUST_USE;
struct pcfg *embedded_grammar(const char *lang, struct err *e) MUST_USE;

#endif
