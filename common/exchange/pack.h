/*
 * pack: turns files of other programs into streams of kind sentence, for heed-pack.
 *
 * Each function reads an input, which remains the caller's, and writes p->output.  It returns -1
 * with EXIT_INPUT if the input is malformed; the message names the file and the line.  The output
 * then has no end record.  Inputs of lines are opened with pack_lines_flags(p->invalid).  The field
 * id is the number of the sentence in the file, counting from 1, unless the file has this field.
 */
#ifndef PACK_H
#define PACK_H

#include "exchange/name-map.h"
#include "exchange/pack-text.h"
#include "stream/language.h"

struct pack {
	const char *output;		/* NULL: standard output */
	unsigned flags;			/* those of writer_open() */
	enum pack_lines_invalid invalid;
	struct name_map map;		/* columns or keys, and their fields */
	bool escape;			/* table: \t, \n, \r and \\ are escapes */
	bool quoted;			/* table: cells may be quoted as in RFC 4180 */
	const char *lang[2];		/* TMX: source and target language; target may be NULL */
	struct languages languages;	/* of the sentences, for the header */
	/* Results: */
	int64_t replaced, skipped;	/* replaced and skipped lines with invalid text; for TMX,
					 * skipped units without a language */
	int64_t n_quoted;		/* cells that look quoted, without `quoted` */
};

/* Reads text with a sentence in each line; n is 1, or 2 for source and target. */
int pack_text(struct pack *p, struct input *const *inputs, int n, struct err *e) MUST_USE;

/*
 * Tab-separated values.  The keys of p->map are names of columns in the first line, or, if all of
 * them are numbers, columns counted from 1 of a table without such a line.  An empty map is filled
 * with all columns of the first line.
 */
int pack_table(struct pack *p, struct input *inputs, struct err *e) MUST_USE;

/*
 * A JSON object in each line.  A key with periods, "translation.en", is also the key of an object
 * within an object.  A value that is absent or null leaves its field absent, but src and tgt are
 * required, and each key must be in at least one object.
 */
int pack_objects(struct pack *p, struct input *inputs, struct err *e) MUST_USE;

/* The units of a TMX file that have a segment in each language of p->lang; see tmx.h. */
int pack_tmx(struct pack *p, struct input *inputs, struct err *e) MUST_USE;

/* Opens the output, with these fields.  Returns NULL on error. */
struct writer *pack_open(const struct pack *p, const struct field *adds, struct err *e) MUST_USE;
/*
 * Ends the output: finishes it, or abandons it if `bad`.  Returns bad or the result of finishing.
 */
int pack_end(struct writer *w, int bad, struct err *e) MUST_USE;

#endif
