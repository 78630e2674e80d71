/*
 * sought-heads: the heads that head-find looks for: those that align words (aligning-heads.h), or
 * those of another enum found_what (found-heads.h).
 */
#ifndef SOUGHT_HEADS_H
#define SOUGHT_HEADS_H

#include "analysis/found-report.h"

struct sought_heads {
	/* Set by the caller: */
	enum found_what kind;
	const char *gold;		/* file of gold alignments, for FOUND_ALIGN; the next three
					 * members are also for it */
	bool one_based, content_only;
	enum aligning_rows rows;
	const char *relations, *margin;	/* for FOUND_SYNTAX: the texts of relation_list_parse() and
					 * head_roles_margin() */

	/* The other members are private. */
	struct aligning_heads aligning;
	struct aligning_report report;
	struct relation_list list;
	struct found_heads found;
};

/*
 * Returns -1 as head_roles_margin(), relation_list_parse(), and aligning_heads_begin() or
 * found_heads_begin().
 */
int sought_heads_begin(struct sought_heads *s, struct site_list sites, struct err *e) MUST_USE;
void sought_heads_release(struct sought_heads *s);	/* also without sought_heads_begin() */

/* Returns -1 with EXIT_INPUT if a stream with this header lacks the trees that are needed. */
int sought_heads_check_header(const struct sought_heads *s, const struct header *h,
			      struct err *e) MUST_USE;
/* Adds a sentence to a struct sought_heads. */
sentence_attention_take sought_heads_add;
/*
 * After the last sentence of a stream with this number of records: finds the set.  -1 with
 * EXIT_INPUT as aligning_heads_check() and found_heads_rank().
 */
int sought_heads_end(struct sought_heads *s, int64_t records, struct err *e) MUST_USE;

/*
 * Sets `set` [heads of all sites] to true for the heads that were found, and returns their number.
 */
size_t sought_heads_set(const struct sought_heads *s, bool *set);
/* Appends the report.  losses, and the name of the model in the signature, may be NULL. */
void sought_heads_write(struct sought_heads *s, const struct set_losses *losses, const char *model,
			enum aligning_form form, struct buf *out);

#endif
