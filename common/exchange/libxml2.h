/*
 * libxml2: the functions of libxml2, which is loaded when the first one is called (base/library.h).
 */
#ifndef LIBXML2_H
#define LIBXML2_H

#include <libxml/HTMLparser.h>
#include <libxml/parser.h>
#include <libxml/SAX2.h>

#include "base/library.h"

#define LIBXML2_FUNCTIONS(F) \
	F(htmlReadMemory) \
	F(xmlCreatePushParserCtxt) \
	F(xmlCtxtUseOptions) \
	F(xmlFreeDoc) \
	F(xmlFreeParserCtxt) \
	F(xmlParseChunk) \
	F(xmlSAX2GetLineNumber) \
	F(xmlStopParser)

struct libxml2 { LIBXML2_FUNCTIONS(LIBRARY_MEMBER) };

/*
 * Returns a struct with a pointer to each function, named as the function.  Ends the program with
 * an error if the library cannot be loaded.
 */
const struct libxml2 *libxml2(void);

#endif
