/*
 * links: word alignments in Pharaoh format: their links, sets of links, and files.
 *
 * "3-4" is a link from source word 3 to target word 4, from 0 unless the caller says 1.  "3p4" and
 * "3?4" are possible links of gold alignments, the others are sure.  Links are separated by blanks.
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

/* The numbers of words of a sentence; `first`: the number of the first word in the text, 0 or 1. */
struct link_words { int source, target, first; };
enum { LINK_WORDS = 1 << 20 };		/* of a side whose words are not known */

/*
 * Reads the next link from *s, up to a line feed, and moves *s after it.  Returns 1, 0 at the end,
 * or -1 with EXIT_INPUT for a malformed link, or for one beyond the words.
 */
int link_next(const char **s, const struct link_words *w, struct link *found,
	      struct err *e) MUST_USE;

/* The word of each token of a side; word NULL: the tokens are the words. */
struct link_side { const int32_t *word; int tokens, words; };

/*
 * The words of a side with this number of tokens, by src.word or tgt.word, if the record has it.
 * Returns -1 with EXIT_INPUT if the field does not fit.
 */
int link_side_read(struct link_side *s, const struct record *rec, const char *field, int tokens,
		   struct err *e) MUST_USE;
/* The word of a token, from 0. */
int link_side_word(const struct link_side *s, int token);

/*
 * The links of a sentence, sorted and without duplicates, and scores of such sets.
 *
 * Gold alignments have sure links S and possible links P, which include S.  A are the links that
 * are scored (Och and Ney 2003, A systematic comparison of various statistical alignment models,
 * equation 37):
 *
 *	precision = |A and P| / |A|
 *	recall = |A and S| / |S|
 *	alignment error rate = 1 - (|A and S| + |A and P|) / (|A| + |S|)
 *
 * over all sentences.  F1 is the harmonic mean of precision and recall.  The translation score is
 * the fraction of target words with a link in P that have a link in both A and P.  A fraction of
 * nothing is 0.
 */

/* Sorted by target word, then by source word. */
struct link_set { struct link *v; size_t n, room; };

void link_set_release(struct link_set *s);
/* Empties the set, and adds the links in the order of the set. */
void link_set_clear(struct link_set *s);
void link_set_add(struct link_set *s, struct link link);
/*
 * Replaces the set by the links of a line.  Of duplicates, a sure link is kept.  Returns -1 with
 * EXIT_INPUT as link_next().
 */
int link_set_read(struct link_set *s, const char *line, const struct link_words *w,
		  struct err *e) MUST_USE;

/* Sums over sentences. */
struct link_score {
	int64_t links, sure, possible;	/* |A|, |A and S|, |A and P| */
	int64_t gold_sure;		/* |S| */
	int64_t words, right;		/* target words with a link in P; in both A and P */
};

/* Adds the counts of a sentence with gold alignments `gold` and links a. */
void link_score_add(struct link_score *s, const struct link_set *gold, const struct link_set *a);

/* The measures precision, recall, f1, aer and translation.  Ends with {0}. */
struct link_measure { const char *name; double (*of)(const struct link_score *s); };
extern const struct link_measure link_measures[];
double link_score_aer(const struct link_score *s);
double link_score_translation(const struct link_score *s);

/*
 * Gold alignments, a file with a line of links for each sentence.
 *
 * The links of a line are checked when it is read, because the numbers of words of its sentence are
 * known only then.
 */

struct link_file {
	char *name;			/* of the file, for messages */
	int first;			/* the number of the first word, 0 or 1 */
	struct buf text;		/* the lines, each with a NUL */
	size_t *line;			/* [lines] where each begins */
	size_t lines, line_room;
	/* Were lines read, and do these have links, and links of the first word? */
	bool read, any, any_first;
	bool warned;
};

/*
 * Reads a file whose first word has the number `first`, 0 or 1.  Returns -1 with EXIT_INPUT if it
 * has no lines, is not UTF-8, or has NUL bytes.  link_file_from() closes the input.
 */
int link_file_open(struct link_file *f, const char *path, int first, struct err *e) MUST_USE;
int link_file_from(struct link_file *f, struct input *input, int first, struct err *e) MUST_USE;
void link_file_release(struct link_file *f);

/*
 * The links of sentence number i, from 0, with these numbers of words.  Returns -1 with EXIT_INPUT
 * for a malformed line, a link beyond the words, or a sentence without a line; the message names
 * the file and the line.
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
