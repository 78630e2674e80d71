/*
 * parse-score: how many words and brackets of parses are those of gold trees.
 *
 * Dependencies are counted as conll18_ud_eval does where the words are given, and as it does not:
 * with subtypes of relations, without punctuation.  Brackets are counted as EVALB does with the
 * parameters COLLINS.prm (Sekine and Collins 1997): PRT is ADVP, labels count up to their
 * functions, the topmost wrapper does not count, and words that gold tags as , : `` '' or . are
 * deleted.  EVALB deletes words of each tree by its own tags and leaves a sentence out where that
 * gives different words; here gold's tags speak for both.
 *
 * Gold and system have the same number of words: the caller's duty.
 */
#ifndef PARSE_SCORE_H
#define PARSE_SCORE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strmap.h"
#include "text/conllu.h"
#include "text/tree.h"

/* Things of gold, things of the system, things that both have. */
struct agreement { int64_t correct, gold, system; };

/* By relation or label: names numbered, with an agreement each. */
struct agreements {
	struct strmap names;
	struct agreement *of;
	size_t room;
};

struct agreement *agreements_of(struct agreements *a, const char *name, size_t n);
void agreements_release(struct agreements *a);

enum { DEP_UAS, DEP_LAS, DEP_LAS_SUBTYPES, DEP_RELS, DEP_RELS_SUBTYPES, DEP_MEASURES };

struct dep_score {
	int64_t sentences, words, no_punct;	/* no_punct: words that gold does not tag PUNCT */
	int64_t correct[2][DEP_MEASURES];	/* of all words; of those */
	int64_t upos, xpos;
	unsigned gold_has, system_has;		/* DEP_HAS_..: columns that are not _ everywhere */
	struct agreements rels;			/* head and relation, without subtypes */
};

enum { DEP_HAS_UPOS = 1, DEP_HAS_XPOS = 2, DEP_HAS_RELS = 4 };

void dep_score_init(struct dep_score *d);
void dep_score_release(struct dep_score *d);
void dep_score_add(struct dep_score *d, const struct dep_sentence *gold,
		   const struct dep_sentence *system);

struct bracket_score {
	bool punctuation;			/* set by the caller: nothing is deleted */
	int64_t sentences;
	int64_t words, tags;			/* not deleted; of those, with gold's tag */
	int64_t complete, none_crossing;	/* sentences */
	int64_t crossing;			/* brackets of the system */
	struct agreement labeled, unlabeled;
	struct agreements labels;
	struct bracket_work *work;
};

void bracket_score_init(struct bracket_score *b, bool punctuation);
void bracket_score_release(struct bracket_score *b);
void bracket_score_add(struct bracket_score *b, const struct tree *gold, const struct tree *system);

/* Two forms: columns for people with two digits, TSV with a header line and six. */
struct score_table {
	bool tsv, each;				/* each: relations and labels one by one */
	const char *only;			/* a measure: its score alone; or NULL */
};

/* Rows of what was scored; either may be NULL.  -1: no measure has the name asked for. */
int score_table_write(const struct score_table *t, const struct dep_score *d,
		      const struct bracket_score *b, const struct bracket_score *b_punct,
		      struct buf *out, struct err *e) MUST_USE;

#endif
