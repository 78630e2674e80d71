/*
 * parse-agreement: scores parses of a system against gold trees.  parse-score(1) defines the
 * measures.
 *
 * Dependencies are scored as by the program conll18_ud_eval with gold words; further measures
 * include subtypes of relations or leave out punctuation.  Brackets are scored as by EVALB with the
 * parameters COLLINS.prm (Sekine and Collins 1997).  That is, the label PRT counts as ADVP,
 * function labels are ignored, nodes labeled TOP do not count, and words with the gold tags , : ``
 * '' or . are deleted.  Other than with EVALB, nodes labeled ROOT and VROOT do not count either.
 * EVALB deletes words of each tree by the tags of that tree, and leaves a sentence out if the
 * remaining words of both trees differ; here, the gold tags apply to both trees.
 *
 * The two trees of a sentence must have the same number of words.
 */
#ifndef PARSE_AGREEMENT_H
#define PARSE_AGREEMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strmap.h"
#include "trees/conllu.h"
#include "trees/tree.h"

/* The number of items that are in both trees, in gold, and in the tree of the system. */
struct agreement { int64_t correct, gold, system; };

/* An agreement for each relation or label: of[i] is that of the name with number i in `names`. */
struct agreements {
	struct strmap names;
	struct agreement *of;
	size_t room;
};

enum { DEP_UAS, DEP_LAS, DEP_LAS_SUBTYPES, DEP_RELS, DEP_RELS_SUBTYPES, DEP_MEASURES };

/* A struct of zeros has no sentences. */
struct dep_score {
	int64_t words, no_punct;		/* number of words; number of words without those
						 * that gold tags PUNCT */
	int64_t correct[2][DEP_MEASURES];	/* for each measure, the number of correct words:
						 * [0] among `words`, [1] among `no_punct` */
	int64_t upos, xpos;		/* number of words with a correct tag */
	unsigned gold_has, system_has;		/* DEP_HAS_*: the columns that have values other
						 * than "_" so far */
	struct agreements rels;			/* by relation without subtype; correct: both the
						 * head and the relation */
};

enum { DEP_HAS_UPOS = 1, DEP_HAS_XPOS = 2, DEP_HAS_RELS = 4 };

void dep_score_release(struct dep_score *d);
/* Adds a sentence; both trees must have heads. */
void dep_score_add(struct dep_score *d, const struct dep_sentence *gold,
		   const struct dep_sentence *system);

struct bracket_score {
	bool punctuation;			/* set by bracket_score_init(): count punctuation,
						 * that is, delete no words */
	int64_t sentences;
	int64_t words, tags;			/* number of words that were not deleted, and of
						 * those among them with a correct tag */
	int64_t complete, none_crossing;	/* number of sentences in which all brackets are
						 * correct, and in which no bracket crosses */
	int64_t crossing;			/* number of brackets of the system that cross a
						 * gold bracket */
	struct agreement labeled, unlabeled;
	struct agreements labels;
	struct bracket_work *work;		/* private */
};

void bracket_score_init(struct bracket_score *b, bool punctuation);
void bracket_score_release(struct bracket_score *b);
/* Adds a sentence, given by its two trees. */
void bracket_score_add(struct bracket_score *b, const struct tree *gold, const struct tree *system);

/*
 * How the table of scores is written.  `tsv`: as TSV with six digits after the decimal point; else
 * in aligned columns with two digits.
 */
struct score_table {
	bool tsv, each;				/* `each`: also print a row for each relation and
						 * label */
	const char *only;			/* print only the score of the measure with this
						 * name; or NULL */
};

/*
 * Appends the table of scores to `out`.  `b` was initialized with `punctuation` false, and
 * `b_punct` with true.  `d`, `b` and `b_punct` may be NULL; the table then does not have their
 * measures.  Returns -1 with EXIT_USAGE if t->only is not NULL and there is no such measure.
 */
int score_table_write(const struct score_table *t, const struct dep_score *d,
		      const struct bracket_score *b, const struct bracket_score *b_punct,
		      struct buf *out, struct err *e) MUST_USE;

#endif
