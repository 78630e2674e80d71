/*
 * pack: converts files of other programs into streams of kind sentence, for heed-pack(1).
 *
 * Each of the functions for a format reads an input, which remains the caller's, and writes the
 * stream p->output.  It returns -1 with EXIT_INPUT if the input is malformed; the message names the
 * file and the line, and the stream is not completed.  Inputs of lines must have been opened with
 * the flags of pack_lines_flags(p->invalid).  Unless the file has the field id, the id of a
 * sentence is its number in the file, from 1.
 */
#ifndef PACK_H
#define PACK_H

#include "exchange/name-map.h"
#include "exchange/pack-text.h"
#include "stream/language.h"

struct pack {
	const char *output;		/* NULL: standard output */
	unsigned flags;			/* flags of writer_open() */
	enum pack_lines_invalid invalid;
	struct name_map map;		/* table, JSON: columns or keys, and their fields */
	bool escape;			/* table: the escapes \t, \n, \r and \\ are decoded */
	bool quoted;			/* table: cells may be quoted as in RFC 4180 */
	const char *lang[2];		/* TMX: source language and target language, such as "en";
					 * the latter may be NULL */
	struct languages languages;	/* languages of the sentences, for the header */
	/* Set by the functions: */
	int64_t replaced, skipped;	/* number of invalid lines whose bytes were replaced, and
					 * that were skipped, and the same for JSON values that are
					 * not one line; for TMX, `skipped` is the number of units
					 * without a segment in each language */
	int64_t n_quoted;		/* number of cells that look quoted although `quoted` is
					 * false */
};

/* Text with a sentence in each line.  `n` is 1 for source text, or 2 for source and target. */
int pack_text(struct pack *p, struct input *const *inputs, int n, struct err *e) MUST_USE;

/*
 * Tab-separated values.  The keys of p->map are names of columns, which the first line has.  If all
 * keys are numbers, they are columns counted from 1, and the file has no line of names.  If the map
 * is empty, all columns of the first line are added to it.
 */
int pack_table(struct pack *p, struct input *inputs, struct err *e) MUST_USE;

/*
 * Text with a JSON object in each line.  A key with a period, such as "translation.en", also means
 * the key "en" of the object "translation".  If a value is absent or null, the record does not have
 * the field; this is an error for src and tgt.  Each key must occur in at least one object, unless
 * there are none.
 */
int pack_objects(struct pack *p, struct input *inputs, struct err *e) MUST_USE;

/*
 * A translation memory in TMX (tmx.h).  A unit becomes a record if it has a segment in each
 * language of p->lang.
 */
int pack_tmx(struct pack *p, struct input *inputs, struct err *e) MUST_USE;

/*
 * A function that writes the record of a line.  It returns 1 if the line is skipped, else 0, or -1
 * with an error.
 */
typedef int pack_line(void *arg, struct err *e);
/*
 * Calls put() for each line of `l` that is not invalid, and counts those that are skipped in
 * p->skipped.  Flushes `w` when no further input is at hand.
 */
int pack_each_line(struct pack *p, struct pack_lines *l, struct writer *w, pack_line *put,
		   void *arg, struct err *e) MUST_USE;

/* Opens p->output; `adds` has its fields, or is NULL.  Returns NULL as writer_open(). */
struct writer *pack_open(const struct pack *p, const struct field *adds, struct err *e) MUST_USE;

#endif
