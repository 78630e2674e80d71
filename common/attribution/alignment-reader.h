/*
 * alignment-reader: reads word alignments, one sentence at a time.  The input is a text file with a
 * line of links for each sentence (data/links.h), or a stream whose records have links or values
 * from which links follow.
 */
#ifndef ALIGNMENT_READER_H
#define ALIGNMENT_READER_H

#include <stdint.h>

#include "analysis/stored-attention.h"
#include "analysis/word-alignment.h"
#include "attribution/token-alignment.h"
#include "base/buf.h"
#include "data/links.h"
#include "stream/input.h"
#include "stream/stream.h"

/*
 * The fields of streams that can be read: links between source and reference, links between source
 * and translation, token attributions of head-lrp(1), and weights of cross-attention.
 */
enum { ALIGNMENT_TGT, ALIGNMENT_HYP, ALIGNMENT_RELEVANCE, ALIGNMENT_ATTENTION };
extern const char *const alignment_fields[];	/* names by the enum above, then NULL */

struct alignment_reader {
	struct input *text;		/* open for a text file; else NULL */
	struct reader *in;		/* open for a stream; else NULL */
	char *name;			/* of the file, for messages */
	const char *method;		/* "text", the name of the field, or for token attributions
					 * the rule of head-lrp(1) */
	int field;
	struct token_alignment tokens;	/* for ALIGNMENT_RELEVANCE */
	struct stored_attention stored;	/* for ALIGNMENT_ATTENTION, like the member `heads` */
	struct word_alignment heads;
	bool ahead;			/* private: the next sentence with weights has been read,
					 * but others without weights come before it */
	struct buf line;

	int64_t sentences;		/* number of sentences so far, including those without
					 * links */
	/*
	 * The numbers of words of the current sentence.  They are unknown in a text file and, of
	 * ALIGNMENT_ATTENTION, in a sentence without weights; both are then LINK_WORDS, a number
	 * larger than that of any sentence.
	 */
	int source_words, target_words;
};

/*
 * Overwrites *r, and opens the file `path`; NULL and "-" mean standard input.  `field` is the field
 * to read from a stream, ALIGNMENT_*.  If `field` is -1, the field is ALIGNMENT_TGT, ALIGNMENT_HYP
 * or ALIGNMENT_RELEVANCE, whichever the stream has, or else ALIGNMENT_ATTENTION.  For
 * ALIGNMENT_ATTENTION, `heads` is the list of heads that align, or NULL, as in
 * word_alignment_begin() (analysis/word-alignment.h).  Returns -1 with EXIT_INPUT if the
 * stream does not have the field.  Returns -1 with EXIT_USAGE if `field` is -1 and the stream has
 * several of the first three fields, or if `heads` is given for another field or a text file.
 */
int alignment_reader_open(struct alignment_reader *r, const char *path, int field,
			  const char *heads, struct err *e) MUST_USE;
void alignment_reader_close(struct alignment_reader *r);

/*
 * Reads the links of the next sentence into `set`.  Returns ALIGNMENT_LINKS, or ALIGNMENT_END after
 * the last sentence, or ALIGNMENT_NONE if the sentence has no links because the program that wrote
 * the field left it out.  Returns -1 with EXIT_INPUT for a malformed line or record; the message
 * names the line or record.
 */
enum { ALIGNMENT_END, ALIGNMENT_LINKS, ALIGNMENT_NONE };
int alignment_reader_next(struct alignment_reader *r, struct link_set *set, struct err *e) MUST_USE;
/* Puts the name of the current line or record before the message of `e`; returns -1. */
int alignment_reader_wrap(const struct alignment_reader *r, struct err *e);

#endif
