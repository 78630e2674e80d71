/*
 * links: word alignments in Pharaoh format: single links, sets of links with scores, and files.
 *
 * "3-4" is a link between source word 3 and target word 4.  Words count from 0, or from 1 if the
 * caller says so.  "3p4" and "3?4" are possible links of gold alignments; links with "-" are sure.
 * Links are separated by spaces or tabs.
 */
#ifndef LINKS_H
#define LINKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/compiler.h"
#include "base/err.h"
#include "stream/stream.h"

struct input;

struct link { int source, target; bool sure; };		/* words from 0 */

/*
 * The numbers of source and target words of a sentence pair.  `first` is 0 if words count from 0 in
 * the text, and 1 if they count from 1.
 */
struct link_words { int source, target, first; };
enum { LINK_WORDS = 1 << 20 };		/* for a side whose number of words is not known */

/*
 * Reads the next link of a line at *s, sets *found to it, and moves *s after it.  The line ends
 * with a line end or a NUL byte.  Returns 1, 0 at the end of the line, or -1 with EXIT_INPUT if the
 * link is malformed, or if w shows that the sentence pair does not have its words.
 */
int link_next(const char **s, const struct link_words *w, struct link *found,
	      struct err *e) MUST_USE;

/* The word of each token of a side.  `word` is NULL if the tokens are the words. */
struct link_side { const int32_t *word; int tokens, words; };

/*
 * Sets s for a side with `tokens` tokens.  `field` is the name of the field with the words,
 * "src.word" or "tgt.word".  If the record lacks the field, the tokens are the words.  The result
 * is valid until the record changes.  Returns -1 with EXIT_INPUT if the field does not have a word
 * for each token, in order.
 */
int link_side_read(struct link_side *s, const struct record *rec, const char *field, int tokens,
		   struct err *e) MUST_USE;
/* Returns the word of a token; both count from 0. */
int link_side_word(const struct link_side *s, int token);

/*
 * Sets of links, and their scores against gold alignments.
 *
 * S are the sure links of the gold alignments, P are their sure and possible links, and A are the
 * links that are scored.  The scores are (Och and Ney 2003, A systematic comparison of various
 * statistical alignment models, equation 37)
 *
 *	precision = |A and P| / |A|
 *	recall = |A and S| / |S|
 *	alignment error rate = 1 - (|A and S| + |A and P|) / (|A| + |S|)
 *
 * with the numbers of links in all sentences.  F1 is the harmonic mean of precision and recall.
 * The translation score is the fraction of the target words with a link in P that have a link which
 * is in both A and P.  A fraction with denominator 0 is 0; the alignment error rate is then 1.
 */

/*
 * The links of a sentence, sorted by target word and then by source word, without duplicates.
 * Zero-initialize it.
 */
struct link_set { struct link *v; size_t n, room; };

void link_set_release(struct link_set *s);
/*
 * link_set_clear() empties the set.  link_set_add() adds a link, which must come after all links of
 * the set in this order.
 */
void link_set_clear(struct link_set *s);
void link_set_add(struct link_set *s, struct link link);
/*
 * Replaces the contents of the set by the links of a line, in any order.  Of duplicate links, a
 * sure one is kept.  Returns -1 with EXIT_INPUT if link_next() fails.
 */
int link_set_read(struct link_set *s, const char *line, const struct link_words *w,
		  struct err *e) MUST_USE;

/* Sums over sentences.  Zero-initialize it. */
struct link_score {
	int64_t links, sure, possible;	/* |A|, |A and S|, |A and P| */
	int64_t gold_sure;		/* |S| */
	int64_t words, right;		/* target words with a link in P; in both A and P */
};

/* Adds the counts of a sentence with the gold links `gold` and the scored links `a`. */
void link_score_add(struct link_score *s, const struct link_set *gold, const struct link_set *a);

/*
 * A measure and its name: precision, recall, f1, aer and translation.  link_measures ends with {0}.
 */
struct link_measure { const char *name; double (*of)(const struct link_score *s); };
extern const struct link_measure link_measures[];
double link_score_aer(const struct link_score *s);		/* alignment error rate */
double link_score_translation(const struct link_score *s);	/* translation score */

/*
 * A file of gold alignments, with a line of links for each sentence.
 *
 * link_file_open() reads the lines.  link_file_read() checks the links of a line, because the
 * caller knows the numbers of words of its sentence only then.
 */

struct link_file {
	char *name;			/* of the file, for messages */
	int first;			/* the number of the first word, 0 or 1 */
	struct buf text;		/* the lines, each with a NUL */
	size_t *line;			/* [lines] the byte of `text` at which each begins */
	size_t lines, line_room;
	/*
	 * Was link_file_read() called; did a line have a link; did a link have the first word of a
	 * side?
	 */
	bool read, any, any_first;
	bool warned;			/* link_file_check() has been called */
};

/*
 * Read the lines of a file, or of an open input (stream/input.h), which link_file_from() closes in
 * any case.  `first` is 0 if words count from 0 in the file, and 1 if they count from 1.  Returns
 * -1 with EXIT_INPUT if the file has no lines, is not UTF-8, or has NUL bytes, or with the error of
 * input_open().  Call link_file_release() in any case.
 */
int link_file_open(struct link_file *f, const char *path, int first, struct err *e) MUST_USE;
int link_file_from(struct link_file *f, struct input *input, int first, struct err *e) MUST_USE;
void link_file_release(struct link_file *f);

/*
 * Sets `set` to the links of sentence i, from 0, which has these numbers of words.  Returns -1 with
 * EXIT_INPUT if the line is malformed, if a word of a link does not exist, or if the file has no
 * line for the sentence.  The message names the file and the line.
 */
int link_file_read(struct link_file *f, int64_t i, int source_words, int target_words,
		   struct link_set *set, struct err *e) MUST_USE;
/*
 * Call it after the last sentence.  Returns -1 with EXIT_INPUT unless the file has `sentences`
 * lines, or if lines were read and none has a link.  Warns if words count from 0 and no link has a
 * word 0, because the words of the file then probably count from 1.
 */
int link_file_check(struct link_file *f, int64_t sentences, struct err *e) MUST_USE;

#endif
