/*
 * sought-heads: the heads that head-find(1) looks for.  These are the heads that align words
 * (aligning-heads.h), or the heads with one of the other functions of enum found_what
 * (found-heads.h).
 */
#ifndef SOUGHT_HEADS_H
#define SOUGHT_HEADS_H

#include "analysis/found-report.h"

struct sought_heads {
	/* Set by the caller, in a struct of zeros, before sought_heads_begin(): */
	enum found_what kind;
	/*
	 * For FOUND_ALIGN: the file of gold alignments, whether it counts words from 1 and not from
	 * 0, and `content_only` and `rows` of aligning-heads.h.
	 */
	const char *gold;
	bool one_based, content_only;
	enum aligning_rows rows;
	const char *relations, *margin;	/* texts for relation_list_parse() and head_roles_margin();
					 * used for FOUND_SYNTAX, but must be valid for all kinds
					 * but FOUND_ALIGN */

	/* The other members are private. */
	struct aligning_heads aligning;
	struct aligning_report report;
	struct relation_list list;
	struct found_heads found;
};

/*
 * Prepares `s` for sentences.  `sites` are the attention layers of the model, and must outlive `s`.
 * Returns -1 as aligning_heads_begin() for FOUND_ALIGN, else as head_roles_margin(),
 * relation_list_parse() or found_heads_begin().  Release `s` also after an error.
 */
int sought_heads_begin(struct sought_heads *s, struct site_list sites, struct err *e) MUST_USE;
void sought_heads_release(struct sought_heads *s);	/* also if it was not begun */

/*
 * Returns -1 with EXIT_INPUT if the header `h` has no dependency trees although s->kind needs them.
 */
int sought_heads_check_header(const struct sought_heads *s, const struct header *h,
			      struct err *e) MUST_USE;
/*
 * Adds a sentence; `arg` is a struct sought_heads.  Errors as in aligning_heads_add() or
 * found_heads_add().
 */
sentence_attention_take sought_heads_add;
/*
 * Finds the set of heads.  Call it after the last sentence of a stream with `records` records.
 * Returns -1 with EXIT_INPUT as aligning_heads_check() or found_heads_rank().
 */
int sought_heads_end(struct sought_heads *s, int64_t records, struct err *e) MUST_USE;

/*
 * Sets the elements of `set` [heads of all sites] (attention/attention-heads.h) to true for the
 * heads that were found, and returns their number.  The other elements must be false before.
 */
size_t sought_heads_set(const struct sought_heads *s, bool *set);
/*
 * Appends the report (aligning-report.h, found-report.h).  `losses` is the loss without the set;
 * NULL: not measured.  `model` is the digest of the model for the signature, or NULL.
 */
void sought_heads_write(struct sought_heads *s, const struct set_losses *losses, const char *model,
			enum aligning_form form, struct buf *out);

#endif
