/*
 * head-roles: measures and roles of the heads of a model.
 *
 * The roles are those of Voita et al. 2019, Analyzing multi-head self-attention, section 5.  The
 * measures are computed from attention weights over many sentences (attention-sums.h,
 * syntax-sums.h, rare-words.h):
 *
 *	confidence entropy distance	as in attention-sums.h
 *	offset positional offsets.O	the best offset, its share, and the share of each, -5 ... 5
 *	syntax.REL.dep syntax.REL.head	encoder: how often a dependent attends most to its syntactic
 *					head, and the reverse
 *	syntax.REL.base			the accuracy of always attending to the most frequent offset
 *	rare rare2			first encoder layer: share of the rows that attend most to
 *					the rarest token of the sentence, or to one of the two
 *					rarest
 *	role				the first that applies: positional (a share of at least
 *					0.9), syntactic (a relation with enough arcs exceeds its
 *					baseline by the margin in one direction), rare (rare2 of at
 *					least 0.5), other
 *
 * Syntactic measures leave out sentences without a tree, measures of rare words sentences without a
 * rare token.  Both are counted.
 *
 * With errors, each measure but syntax.REL.base has its standard error over sentences as
 * MEASURE.error (scores/ratio-error.h).  That of positional takes the offset as known.
 */
#ifndef HEAD_ROLES_H
#define HEAD_ROLES_H

#include "analysis/attention-sums.h"
#include "analysis/head-table.h"
#include "analysis/rare-words.h"
#include "analysis/relation-list.h"
#include "analysis/sentence-attention.h"
#include "analysis/syntax-sums.h"
#include "trees/record-pieces.h"

#define ROLE_POSITIONAL 0.9
#define ROLE_RARE 0.5
enum { ROLE_ARCS = 30 };	/* with fewer arcs of a relation, a high share may be chance */

struct head_roles {
	/* Set by the caller, who keeps ownership: */
	struct site_list sites;
	const struct relation_list *relations;	/* not NULL, but may be empty */
	const struct rare_words *rare;		/* ranks of the ids of sentences (struct
						 * sentence_attention); NULL: rare words are not
						 * measured */
	int frequent;				/* number of the most frequent vocabulary entries,
						 * which are not rare */
	bool by_sentence;			/* average confidence by sentence first */
	bool errors;				/* standard errors, too */
	bool trees;				/* the stream has heads, relations and src.word */
	enum syntax_unit unit;
	double margin;				/* by how much a syntactic head exceeds its
						 * baseline; usually 0.1 */
	bool relative;				/* the margin is a fraction of the baseline */

	/* Private, initially zeros: */
	int64_t sentences, treeless, rare_sentences;
	int64_t source_rows, target_rows;	/* without end-of-sentence tokens */
	struct attention_sums *sums;		/* [heads of all sites] */
	int64_t *hits;				/* [heads of all sites][relations][SYNTAX_WAYS] */
	struct syntax_counts *counts;		/* [relations] */
	/* [heads of the first site] */
	struct rare_hits {
		int64_t rows, first, either;
		struct ratio_error first_error, either_error;
	} *rare_hits;
	struct attention_errors *sum_errors;	/* [heads of all sites] */
	struct ratio_error *hit_errors;		/* [heads of all sites][relations][SYNTAX_WAYS] */
	int64_t *found;				/* [relations][SYNTAX_WAYS] correct arcs in one
						 * sentence */
	struct syntax_arcs arcs;
	struct dep_sentence tree;
	struct side_fields fields;
	struct piece_words words;
	int *best;
	double *row;
	size_t best_room, row_room;
};

/* Sets the margin to "abs:N" or "rel:N", N in percent; -1 with EXIT_USAGE for other texts. */
int head_roles_margin(struct head_roles *r, const char *text, struct err *e) MUST_USE;

/* Allocates the private members, after the caller has set the others. */
void head_roles_begin(struct head_roles *r);
void head_roles_release(struct head_roles *r);

/*
 * Adds a sentence; with a target, the decoder's heads, too.  Returns -1 with EXIT_INPUT if its
 * trees or words do not fit its subwords.
 */
int head_roles_add(struct head_roles *r, const struct sentence_attention *s,
		   struct err *e) MUST_USE;
/* The names of directions in columns, by enum syntax_way: dep, head. */
extern const char *const syntax_ways[];
/*
 * How often head `at`, of those of all sites, attends along the arcs of a relation in a direction.
 * `share` is NAN without arcs, `error` without errors.
 */
struct role_syntax {
	double share, error, base;
	int64_t arcs;
	bool syntactic;		/* exceeds the baseline by the margin, with enough arcs */
};
struct role_syntax head_roles_syntax(const struct head_roles *r, size_t at, size_t relation,
				     enum syntax_way way);
/* Adds the measures and roles to a table. */
void head_roles_fill(const struct head_roles *r, struct head_table *t);

#endif
