/*
 * parser-file: reads and writes a parser as one file, a bundle (model-file/bundle.h) whose map is
 * called heed-parser; see heed-model(5).
 *
 * The map has the keys config, lang, pg and step.  The next members are vocab/word; labels/upos,
 * labels/xpos, labels/rel and labels/span with one label per line; and the parameters.  In a
 * checkpoint, the members that training.c writes follow.
 */
#ifndef PARSER_FILE_H
#define PARSER_FILE_H

#include "model-file/bundle.h"
#include "parser/network.h"

struct parser {
	struct network *network;
	char *lang, *pg;		/* language code such as "en", or "" if unknown; provenance,
					 * one program per line */
	int64_t step;			/* number of completed updates */
	struct buf text[LABEL_SETS];	/* contents of members, from parser_write() to
					 * bundle_out_finish() */
};

/* Frees all members of *p, including the network. */
void parser_release(struct parser *p);

bool parser_is(const char *path);	/* does the file begin like a parser? */
/*
 * Adds the parser to a new bundle, with its matrices as 8-bit integers if `i8` is true.  Returns
 * the bundle, to which the caller can add members, and which bundle_out_finish() writes to `path`.
 * Returns NULL on error.
 */
struct bundle_out *parser_write(struct parser *p, const char *path, bool i8,
				struct err *e) MUST_USE;
/*
 * Read a parser from a file, or from n bytes, which messages call `name`.  Gradients are allocated
 * if `gradients` is true.  They return the bundle, whose next member is the one after the
 * parameters; the caller closes it with bundle_in_close().  On error they return NULL, and *p is
 * empty.
 */
struct bundle_in *parser_read(struct parser *p, const char *path, bool gradients,
			      struct err *e) MUST_USE;
struct bundle_in *parser_read_memory(struct parser *p, const char *name, const void *bytes,
				     size_t n, bool gradients, struct err *e) MUST_USE;

#endif
