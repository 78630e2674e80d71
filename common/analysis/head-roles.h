/*
 * head-roles: what the heads of a model do with attention, and what they are called for it.
 *
 * Measures of a table of heads, from their weights on many sentences (attention-sums.h,
 * syntax-sums.h, rare-words.h):
 *
 *	confidence entropy distance	as there
 *	offset positional offsets.O	the best offset, its share, and that of each, -5 ... 5
 *	syntax.REL.dep syntax.REL.head	encoder: how often a dependent looks at its head, and the reverse
 *	syntax.REL.base			what a fixed offset would get
 *	rare rare2			first encoder layer: share of rows that look at the rarest token of
 *					the sentence, at one of the two rarest
 *	role				the first that holds: positional (share of 0.9 and more), syntactic
 *					(some relation of which there are arcs enough, and some way, beyond its
 *					base and a margin), rare (rare2 of 0.5 and more), other
 *
 * Sentences without a tree, or without a rare token, are passed over where one is wanted, and
 * counted.
 */
#ifndef HEAD_ROLES_H
#define HEAD_ROLES_H

#include "analysis/attention-sums.h"
#include "analysis/head-table.h"
#include "analysis/rare-words.h"
#include "analysis/relation-list.h"
#include "analysis/syntax-sums.h"
#include "model/model.h"
#include "text/record-pieces.h"

#define ROLE_POSITIONAL 0.9
#define ROLE_RARE 0.5
enum { ROLE_ARCS = 30 };	/* of a relation: of fewer chance alone may get beyond the margin */

struct head_roles {
	const struct model *m;			/* the caller's, up to relative */
	const struct relation_list *relations;
	const struct rare_words *rare;
	int frequent;				/* types that are not rare */
	bool by_sentence;			/* confidence: the mean of sentences' means */
	bool trees;				/* the stream has heads, relations and words of
						 * pieces */
	enum syntax_unit unit;
	double margin;				/* 0.1 */
	bool relative;				/* ... of the base, not of all arcs */

	int64_t sentences, treeless, rare_sentences;	/* from here on head-roles.c's: all zeros at
							 * first */
	int64_t source_rows, target_rows;	/* without end symbols */
	struct attention_sums *sums;		/* [heads of all sites, in their order] */
	int64_t *hits;				/* [those][relations][ways] */
	struct syntax_counts *counts;		/* [relations] */
	struct rare_hits { int64_t rows, first, either; } *rare_hits;	/* [heads of the first
									 * site] */
	struct syntax_arcs arcs;
	struct dep_sentence tree;
	struct dep_fields fields;
	struct piece_words words;
	int *best;
	double *row;
	size_t best_room, row_room;
};

void head_roles_begin(struct head_roles *r);
void head_roles_release(struct head_roles *r);

/* A batch that has just gone through the encoder, or both sides.  EXIT_INPUT, naming the record. */
int head_roles_add(struct head_roles *r, struct tape *t, const struct batch *b,
		   struct err *e) MUST_USE;
void head_roles_fill(const struct head_roles *r, struct head_table *t);

#endif
