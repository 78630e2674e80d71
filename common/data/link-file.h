/*
 * link-file: gold alignments, a file with a line of links for each sentence.
 *
 * The links are in Pharaoh format (data/links.h).  The links of a line are checked when it is read,
 * because the numbers of words of its sentence are known only then.
 */
#ifndef LINK_FILE_H
#define LINK_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "data/link-set.h"

struct input;

struct link_file {
	char *name;
	int first;			/* the number of the first word, 0 or 1 */
	struct buf text;		/* the lines, each with a NUL */
	size_t *line;			/* [lines] where each begins */
	size_t lines, line_room;
	/* Were lines read, and do these have links, and links of the first word? */
	bool read, any, any_first;
	bool warned;
};

/*
 * Reads a file whose first word has the number first, 0 or 1.  -1 with EXIT_INPUT if it has no
 * lines, is not UTF-8, or has NUL bytes.  link_file_from() closes the input.
 */
int link_file_open(struct link_file *f, const char *path, int first, struct err *e) MUST_USE;
int link_file_from(struct link_file *f, struct input *input, int first, struct err *e) MUST_USE;
void link_file_release(struct link_file *f);

/*
 * The links of sentence number i, from 0, with these numbers of words.  -1 with EXIT_INPUT for a
 * malformed line, a link beyond the words, or a sentence without a line; the message names the file
 * and the line.
 */
int link_file_read(struct link_file *f, int64_t i, int source_words, int target_words,
		   struct link_set *set, struct err *e) MUST_USE;
/*
 * After the last of this number of sentences: -1 with EXIT_INPUT if there are more lines, or if
 * the lines that were read have no links.  Warns if no link has the word 0, because the file then
 * probably counts from 1.
 */
int link_file_check(struct link_file *f, int64_t sentences, struct err *e) MUST_USE;

#endif
