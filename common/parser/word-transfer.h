/*
 * word-transfer: divides a text into words as in a treebank before it is parsed, for example
 * "don't" into "do" and "n't", and transfers the parse to the words of the text.
 *
 *	word_transfer_split() before the sentence is parsed; job->word are then the treebank's words
 *	word_transfer_back() after that; job->word are the words of the text again
 *
 * A word of the text gets the head, the relation and the tags of that one of its treebank words
 * that is nearest to the root; see trees/retokenize.h.
 */
#ifndef WORD_TRANSFER_H
#define WORD_TRANSFER_H

#include "parser/parsing.h"
#include "text/treebank-words.h"
#include "trees/retokenize.h"

/*
 * Sets s to the words and results of a job, without its tree.  The texts of the results are not
 * copied.
 */
void parse_job_deps(const struct parse_job *job, struct dep_sentence *s);

/* The words that are parsed: those of the text, or those of a treebank. */
enum word_transfer_words_of { TRANSFER_GIVEN, TRANSFER_TREEBANK };
extern const char *const word_transfer_names[];	/* "given", "treebank", NULL */

/* What word_transfer_back() needs to know about a sentence. */
struct word_transfer_words {
	const char *const *word;	/* [parts.n_text] words of the text */
	struct treebank_words parts;
};

/* Memory that is reused for all sentences.  It is empty if all bytes are 0. */
struct word_transfer {
	struct retokenize cut;
	struct dep_sentence parse, text;
	struct tree from, to;
	struct buf out;
};

void word_transfer_release(struct word_transfer *r);

/*
 * Replaces the words of `job` (parsing.h) by the words of a treebank, as `rules`
 * (text/treebank-words.h) divide them, unless they are the same.  Sets *words.  All memory is
 * allocated in `mem`, which must live until the parse has been used.
 */
void word_transfer_split(struct word_transfer_words *words, const struct treebank_rules *rules,
			 struct parse_job *job, struct arena *mem);
/*
 * After the parse, replaces the words and results of `job` by those of the text, allocated in
 * `mem`.
 */
void word_transfer_back(struct word_transfer *r, const struct word_transfer_words *words,
			struct parse_job *job, struct arena *mem);

#endif
