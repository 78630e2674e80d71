/*
 * embedded: the built-in parsers and grammars of the languages LANG.  The build finds the files
 * common/parser/models/LANG.parser and LANG.pcfg by wildcard and makes them a part of the library.
 */
#ifndef EMBEDDED_H
#define EMBEDDED_H

#include "parser/parser-file.h"
#include "parser/pcfg.h"

/*
 * Read the built-in parser or grammar of a language, given by its code, such as "en".  The result
 * is that of parser_read() (parser-file.h) without gradients, or of grammar_read() (grammar.h).  If
 * there is none for the language, they return NULL with EXIT_USAGE and a message that lists the
 * languages.
 */
struct bundle_in *embedded_parser(struct parser *p, const char *lang, struct err *e) MUST_USE;
struct pcfg *embedded_grammar(const char *lang, struct err *e) MUST_USE;

#endif
