/*
 * links: reads a word alignment in Pharaoh format.
 *
 * "3-4" is a link from source word 3 to target word 4, from 0 unless the caller says 1.  "3p4" and
 * "3?4" are possible links of gold alignments, the others are sure.  Links are separated by blanks.
 */
#ifndef LINKS_H
#define LINKS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/compiler.h"
#include "base/err.h"
#include "stream/stream.h"

struct link { int source, target; bool sure; };		/* words from 0 */

/* The numbers of words of a sentence; in the text, the first word has the number first, 0 or 1. */
struct link_words { int source, target, first; };
enum { LINK_WORDS = 1 << 20 };		/* of a side whose words are not known */

/*
 * Reads the next link from *s, up to a line feed, and moves *s after it.  Returns 1, 0 at the end,
 * or -1 with EXIT_INPUT for a malformed link, or one of other words.
 */
int link_next(const char **s, const struct link_words *w, struct link *found,
	      struct err *e) MUST_USE;

/* The word of each token of a side; word NULL: the tokens are the words. */
struct link_side { const int32_t *word; int tokens, words; };

/*
 * The words of a side with this number of tokens, by src.word or tgt.word, if the record has it.
 * -1 with EXIT_INPUT if the field does not fit.
 */
int link_side_read(struct link_side *s, const struct record *rec, const char *field, int tokens,
		   struct err *e) MUST_USE;
int link_side_word(const struct link_side *s, int token);

#endif
