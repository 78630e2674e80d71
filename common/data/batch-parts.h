/*
 * batch-parts: divides the records of a batch.
 *
 * Each record goes to the part that has the fewest tokens so far (source plus target), and to the
 * first of several such parts.  No two parts differ by more tokens than the longest record has.
 * The division depends on the records and the number of parts alone.
 */
#ifndef BATCH_PARTS_H
#define BATCH_PARTS_H

#include "data/corpus.h"

/* All zeros: no parts.  Reused from one batch to the next. */
struct batch_parts {
	uint32_t *record;		/* [n] the records, part by part, each part in order */
	size_t *start;			/* [parts + 1] part k begins at record[start[k]] */
	uint32_t *of;			/* [n] the part of each record */
	struct part_load *heap;		/* [parts] */
	size_t room[4];
};

/* Divides n records of the corpus into `parts` parts, at least 1. */
void batch_parts_divide(struct batch_parts *p, const struct corpus *c, const uint32_t *record,
			size_t n, int parts);
/* Points *record to the records of a part and returns their number. */
size_t batch_parts_get(const struct batch_parts *p, int part, const uint32_t **record);
void batch_parts_release(struct batch_parts *p);

#endif
