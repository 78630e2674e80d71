/*
 * reword: parses the words of a treebank instead of those of the text, and transfers the parse.
 *
 *	reword_split() before the sentence is parsed; job->word are then the treebank's words
 *	reword_back() after it; job->word are the words of the text again
 *
 * A word of the text gets head, relation and tags of the treebank's word in it that is nearest to
 * the root; retokenize.h has the details.
 */
#ifndef REWORD_H
#define REWORD_H

#include "parser/parsing.h"
#include "text/treebank-words.h"
#include "trees/retokenize.h"

/* Which words are parsed: those of the text, or those of a treebank. */
enum reword_words_of { REWORD_GIVEN, REWORD_TREEBANK };
extern const char *const reword_names[];	/* "given", "treebank", NULL */

/* What reword_back() needs of a sentence. */
struct reword_words {
	const char *const *word;	/* [parts.n_text] of the text */
	struct treebank_words parts;
};

/* Memory for all sentences; empty if zero-initialized. */
struct reword {
	struct retokenize cut;
	struct dep_sentence parse, text;
	struct tree from, to;
	struct buf out;
};

void reword_release(struct reword *r);

/*
 * Replaces the words of the job by those of the treebank, unless they are the same.  Memory is of
 * the arena, which must live until the parse was used.
 */
void reword_split(struct reword_words *words, const struct treebank_rules *rules,
		  struct parse_job *job, struct arena *mem);
/* Replaces the words and results of the job by those of the text. */
void reword_back(struct reword *r, const struct reword_words *words, struct parse_job *job,
		 struct arena *mem);

#endif
