/*
 * parse-agreement: scores of parses against gold trees; parse-score(1) defines the measures.
 *
 * Dependencies are scored as by conll18_ud_eval with gold words, and also with subtypes of
 * relations and without punctuation.  Brackets are scored as by EVALB with the parameters
 * COLLINS.prm (Sekine and Collins 1997): PRT is ADVP, function labels are ignored, nodes labeled
 * TOP and, in addition, ROOT and VROOT do not count, and words that gold tags as , : `` '' or . are
 * deleted.  EVALB deletes the words of each tree by its own tags, and leaves a sentence out if the
 * remaining words differ; here, the gold tags apply to both trees.
 *
 * The caller makes sure that gold and system have the same number of words.
 */
#ifndef PARSE_AGREEMENT_H
#define PARSE_AGREEMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strmap.h"
#include "trees/conllu.h"
#include "trees/tree.h"

/* The number of items in gold, in the system, and in both. */
struct agreement { int64_t correct, gold, system; };

/* An agreement for each relation or label; of[i] is that of name number i. */
struct agreements {
	struct strmap names;
	struct agreement *of;
	size_t room;
};

/* The agreement of a name of n bytes, added if it is new; valid until the next call. */
struct agreement *agreements_of(struct agreements *a, const char *name, size_t n);
void agreements_release(struct agreements *a);

enum { DEP_UAS, DEP_LAS, DEP_LAS_SUBTYPES, DEP_RELS, DEP_RELS_SUBTYPES, DEP_MEASURES };

struct dep_score {
	int64_t words, no_punct;		/* no_punct: words that gold does not tag PUNCT */
	int64_t correct[2][DEP_MEASURES];	/* numbers of correct words, among `words` and among
						 * `no_punct` */
	int64_t upos, xpos;		/* words with a correct tag */
	unsigned gold_has, system_has;		/* DEP_HAS_...: columns that are not always _ */
	struct agreements rels;			/* head and relation, without subtypes */
};

enum { DEP_HAS_UPOS = 1, DEP_HAS_XPOS = 2, DEP_HAS_RELS = 4 };

void dep_score_init(struct dep_score *d);
void dep_score_release(struct dep_score *d);
/* Adds a sentence; both sides must have heads. */
void dep_score_add(struct dep_score *d, const struct dep_sentence *gold,
		   const struct dep_sentence *system);

struct bracket_score {
	bool punctuation;			/* delete no words */
	int64_t sentences;
	int64_t words, tags;			/* words that were not deleted; those with a correct
						 * tag */
	int64_t complete, none_crossing;	/* sentences in which all brackets are correct, and
						 * no bracket crosses */
	int64_t crossing;			/* system brackets that cross gold */
	struct agreement labeled, unlabeled;
	struct agreements labels;
	struct bracket_work *work;		/* private */
};

void bracket_score_init(struct bracket_score *b, bool punctuation);
void bracket_score_release(struct bracket_score *b);
/* Adds a sentence. */
void bracket_score_add(struct bracket_score *b, const struct tree *gold, const struct tree *system);

/* The form of the table: aligned columns with two digits, or TSV with six digits. */
struct score_table {
	bool tsv, each;				/* each: also print rows for relations and labels */
	const char *only;			/* print only the score of this measure */
};

/*
 * Appends the table to `out`.  d, b and `b_punct`, which was initialized with `punctuation`, may be
 * NULL.  Returns -1 with EXIT_USAGE if t->only is not NULL, and there is no such measure.
 */
int score_table_write(const struct score_table *t, const struct dep_score *d,
		      const struct bracket_score *b, const struct bracket_score *b_punct,
		      struct buf *out, struct err *e) MUST_USE;

#endif
