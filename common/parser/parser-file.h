/*
 * parser-file: reads and writes a parser as one file: a bundle (model-file/bundle.h) with the map
 * heed-parser; see heed-model(5).
 *
 * The map has config, lang, pg and step.  The next members are vocab/word; labels/upos,
 * labels/xpos, labels/rel and labels/span with one label per line; and the parameters.  A
 * checkpoint has the members of training.c after them.
 */
#ifndef PARSER_FILE_H
#define PARSER_FILE_H

#include "model-file/bundle.h"
#include "parser/network.h"

struct parser {
	struct network *network;
	char *lang, *pg;		/* lang: "en", or "" if unknown; pg: provenance, one program
					 * per line */
	int64_t step;			/* number of updates */
	struct buf text[LABEL_SETS];	/* labels during parser_write() */
};

void parser_release(struct parser *p);

bool parser_is(const char *path);	/* does it begin like a parser file? */
/*
 * Writes the parser; `i8` writes its matrices as 8-bit integers.  Returns the bundle, to which the
 * caller can add members before bundle_out_finish().
 */
struct bundle_out *parser_write(struct parser *p, const char *path, bool i8,
				struct err *e) MUST_USE;
/*
 * Read a parser.  They return the bundle, whose next member is the one after the parameters; the
 * caller closes it.  On error they return NULL and leave p empty.
 */
struct bundle_in *parser_read(struct parser *p, const char *path, bool gradients,
			      struct err *e) MUST_USE;
struct bundle_in *parser_read_memory(struct parser *p, const char *name, const void *bytes,
				     size_t n, bool gradients, struct err *e) MUST_USE;

#endif
