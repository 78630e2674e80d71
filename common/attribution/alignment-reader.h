/*
 * alignment-reader: reads word alignments, a sentence at a time: from a text file with a line of
 * links for each sentence (data/links.h), or from a field of a stream.
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
 * Fields of streams: links between src and tgt, links between src and hyp, token attributions,
 * weights of cross-attention.
 */
enum { ALIGNMENT_TGT, ALIGNMENT_HYP, ALIGNMENT_RELEVANCE, ALIGNMENT_ATTENTION };
extern const char *const alignment_fields[];	/* names of the fields, NULL-terminated */

struct alignment_reader {
	struct input *text;		/* open for a text file; else NULL */
	struct reader *in;		/* open for a stream; else NULL */
	char *name;			/* of the file, for messages */
	const char *method;		/* "text", the name of the field, or the rule of head-lrp */
	int field;
	struct token_alignment tokens;	/* with ALIGNMENT_RELEVANCE */
	struct stored_attention stored;	/* with ALIGNMENT_ATTENTION */
	struct word_alignment heads;
	bool ahead;			/* a sentence has been read that follows others without
					 * weights */
	struct buf line;

	int64_t sentences;		/* so far, including those left out */
	/*
	 * The numbers of words of the current sentence; LINK_WORDS for a text file, which does not
	 * have them.
	 */
	int source_words, target_words;
};

/*
 * Opens a file, or standard input for NULL and "-".  `field` is ALIGNMENT_*, the field of the
 * stream to read.  With -1, the one of the first three that the stream has is read or, without
 * them, the weights of cross-attention.  `heads` is a list of heads that align with their weights,
 * as in word_alignment_begin_sites(), or NULL.  Returns -1 with EXIT_INPUT if the stream does not
 * have the field, and with EXIT_USAGE if `field` is -1 and the stream has several of the three.
 */
int alignment_reader_open(struct alignment_reader *r, const char *path, int field,
			  const char *heads, struct err *e) MUST_USE;
void alignment_reader_close(struct alignment_reader *r);

/*
 * Reads the links of the next sentence.  Returns ALIGNMENT_LINKS, ALIGNMENT_END after the last
 * sentence, or ALIGNMENT_NONE if the program that wrote the field left the sentence out.  Returns
 * Returns -1 with EXIT_INPUT for a malformed line or record; the message names it.
 */
enum { ALIGNMENT_END, ALIGNMENT_LINKS, ALIGNMENT_NONE };
int alignment_reader_next(struct alignment_reader *r, struct link_set *set, struct err *e) MUST_USE;
/* Prefixes the message with the current line or record; returns -1. */
int alignment_reader_wrap(const struct alignment_reader *r, struct err *e);

#endif
