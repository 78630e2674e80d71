/*
 * parser-file: a parser in one file: a bundle (model/bundle.h) whose map is heed-parser, see
 * heed-model(5).
 *
 * The map has config, lang, pg and step; then come vocab/word, labels/upos, labels/xpos, labels/rel
 * and labels/span, a label a line, and the parameters; in checkpoints what parser-checkpoint.c
 * adds.
 */
#ifndef PARSER_FILE_H
#define PARSER_FILE_H

#include "model/bundle.h"
#include "parser/network.h"

struct parser {
	struct network *network;
	char *lang, *pg;		/* "en", or ""; provenance, a program a line */
	int64_t step;			/* updates done */
	struct buf text[LABEL_SETS];	/* labels while they are written */
};

void parser_release(struct parser *p);

bool parser_is(const char *path);	/* a parser's file, as far as its beginning tells */
/* How the file is read and written; more members follow the parameters. */
struct bundle_out *parser_write(struct parser *p, const char *path, bool i8,
				struct err *e) MUST_USE;
/* Both give a bundle whose next member is what follows the parameters; NULL on error, p empty. */
struct bundle_in *parser_read(struct parser *p, const char *path, bool gradients,
			      struct err *e) MUST_USE;
struct bundle_in *parser_read_memory(struct parser *p, const char *name, const void *bytes,
				     size_t n, bool gradients, struct err *e) MUST_USE;

#endif
