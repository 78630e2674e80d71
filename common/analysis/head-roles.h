/*
 * head-roles: measures of what the heads of a model attend to, and the role of each head.
 *
 * The roles are those of Voita et al. 2019, Analyzing multi-head self-attention, section 5.  The
 * measures are computed from attention weights over many sentences (attention-sums.h,
 * syntax-sums.h, rare-words.h).  They are columns of a table of heads; shares and accuracies are
 * from 0 to 1:
 *
 *	confidence entropy distance	as in attention-sums.h
 *	offset positional		the most frequent offset (attention-sums.h), and its share
 *	offsets.O			the share of each offset O, -5 ... 5
 *	syntax.REL.dep			encoder self-attention: the share of the arcs of relation
 *					REL whose dependent attends most to its syntactic head
 *	syntax.REL.head			encoder self-attention: the share of the arcs of relation
 *					REL whose syntactic head attends most to the dependent
 *	syntax.REL.base			the accuracy of always attending to the most frequent offset
 *					of the arcs of relation REL
 *	rare rare2			first encoder layer: the share of the rows that attend most
 *					to the rarest token of the sentence, and to one of its two
 *					rarest tokens
 *	role				the first of these that applies: "positional" if the share
 *					positional is at least ROLE_POSITIONAL; "syntactic" if, for
 *					a relation with at least ROLE_ARCS arcs, syntax.REL.dep or
 *					syntax.REL.head exceeds syntax.REL.base by the margin;
 *					"rare" if rare2 is at least ROLE_RARE; "other"
 *
 * Syntactic measures leave out sentences without a dependency tree.  The measures rare and rare2
 * leave out sentences without a rare token (rare-words.h).  `treeless` counts the sentences without
 * a tree, and `rare_sentences` those with a rare token.  A site is an attention layer; arrays
 * [heads of all sites] have the order of attention/attention-heads.h.
 *
 * If the member `errors` is true, each measure but syntax.REL.base and offset also has a column
 * MEASURE.error with its standard error over sentences (scores/ratio-error.h).  The error of
 * positional treats the most frequent offset as a constant.
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
enum { ROLE_ARCS = 30 };	/* with fewer arcs, a high share may be due to chance */

struct head_roles {
	/* Set by the caller, who keeps ownership, before head_roles_begin(): */
	struct site_list sites;
	const struct relation_list *relations;	/* not NULL, but may be empty */
	const struct rare_words *rare;		/* ranks of the vocabulary of sentence_attention.id;
						 * NULL: rare words are not measured */
	int frequent;				/* number of the most frequent vocabulary entries;
						 * the others are rare */
	bool by_sentence;			/* confidence is the mean over sentences of the mean
						 * of each sentence, not the mean over all rows */
	bool errors;				/* measure standard errors, too */
	bool trees;				/* the stream has dependency trees and the words of
						 * subwords */
	enum syntax_unit unit;
	double margin;				/* by how much the accuracy of a syntactic head
						 * exceeds the baseline; usually 0.1 */
	bool relative;				/* true: the margin is a fraction of the baseline;
						 * false: a difference of accuracies */

	/* Set by the functions below, initially zeros: */
	int64_t sentences, treeless, rare_sentences;	/* numbers of sentences; see above */
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
	int64_t *found;				/* [relations][SYNTAX_WAYS] number of correct arcs
						 * in one sentence */
	struct syntax_arcs arcs;
	struct dep_sentence tree;
	struct side_fields fields;
	struct piece_words words;
	int *best;
	double *row;
	size_t best_room, row_room;
};

/*
 * Sets r->margin and r->relative by a text "abs:N", an absolute difference of N percent, or
 * "rel:N", N percent of the baseline.  Returns -1 with EXIT_USAGE for other texts.
 */
int head_roles_margin(struct head_roles *r, const char *text, struct err *e) MUST_USE;

/* Allocates the private members.  There must be at least one site. */
void head_roles_begin(struct head_roles *r);
void head_roles_release(struct head_roles *r);

/*
 * Adds a sentence.  The heads of the decoder are measured only if the sentence has a target.
 * Returns -1 with EXIT_INPUT if its tree or words do not fit its subwords.
 */
int head_roles_add(struct head_roles *r, const struct sentence_attention *s,
		   struct err *e) MUST_USE;
/* The names of enum syntax_way (syntax-sums.h) in columns: dep, head. */
extern const char *const syntax_ways[];
/*
 * How often a head attends along the arcs of a relation in one direction.  `at` is the index of the
 * head among those of all sites, and `relation` an index of r->relations.  `share` is the accuracy,
 * NAN without arcs.  `error` is its standard error, NAN unless `errors` of head_roles is true.
 * `base` is the baseline, and `arcs` the number of arcs in all sentences.
 */
struct role_syntax {
	double share, error, base;
	int64_t arcs;
	bool syntactic;		/* `share` exceeds `base` by the margin, and there are at least
				 * ROLE_ARCS arcs */
};
struct role_syntax head_roles_syntax(const struct head_roles *r, size_t at, size_t relation,
				     enum syntax_way way);
/* Sets the columns of all measures and of the roles in the table. */
void head_roles_fill(const struct head_roles *r, struct head_table *t);

#endif
