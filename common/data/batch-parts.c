/* batch-parts: see batch-parts.h. */
#include "data/batch-parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

struct part_load { int64_t tokens; uint32_t part; };

static bool
is_before(const struct part_load *a, const struct part_load *b)
{
	return a->tokens != b->tokens ? a->tokens < b->tokens : a->part < b->part;
}

/* Restores the order of a heap of n whose first element has grown. */
static void
sift_down(struct part_load *heap, size_t n)
{
	const struct part_load moved = heap[0];
	size_t at = 0;

	for (size_t child; (child = 2 * at + 1) < n; at = child) {
		if (child + 1 < n && is_before(&heap[child + 1], &heap[child]))
			child++;
		if (is_before(&moved, &heap[child]))
			break;
		heap[at] = heap[child];
	}
	heap[at] = moved;
}

/* Sets of[], and start[k + 1] to the number of records of part k. */
static void
assign(struct batch_parts *p, const struct corpus *c, const uint32_t *record, size_t n,
       size_t parts)
{
	memset(p->start, 0, (parts + 1) * sizeof(*p->start));
	for (size_t k = 0; k < parts; k++)
		p->heap[k] = (struct part_load){ 0, (uint32_t)k };
	for (size_t i = 0; i < n; i++) {
		const struct corpus_pair *pair = &c->pair[record[i]];

		p->of[i] = p->heap[0].part;
		p->start[p->of[i] + 1]++;
		p->heap[0].tokens += pair->src + pair->tgt;
		sift_down(p->heap, parts);
	}
}

void
batch_parts_divide(struct batch_parts *p, const struct corpus *c, const uint32_t *record, size_t n,
		   int parts)
{
	const size_t k = (size_t)parts;

	p->record = mem_grow(p->record, &p->room[0], n + 1, sizeof(*p->record));
	p->of = mem_grow(p->of, &p->room[1], n + 1, sizeof(*p->of));
	p->start = mem_grow(p->start, &p->room[2], k + 1, sizeof(*p->start));
	p->heap = mem_grow(p->heap, &p->room[3], k, sizeof(*p->heap));
	assign(p, c, record, n, k);
	for (size_t i = 0; i < k; i++)
		p->start[i + 1] += p->start[i];
	/* Backwards, so that start[part + 1], the end of a part, moves to its beginning. */
	for (size_t i = n; i-- > 0;)
		p->record[--p->start[p->of[i] + 1]] = record[i];
	memmove(p->start, p->start + 1, k * sizeof(*p->start));
	p->start[k] = n;
}

size_t
batch_parts_get(const struct batch_parts *p, int part, const uint32_t **record)
{
	*record = p->record + p->start[part];
	return p->start[part + 1] - p->start[part];
}

void
batch_parts_release(struct batch_parts *p)
{
	free(p->record);
	free(p->start);
	free(p->of);
	free(p->heap);
	memset(p, 0, sizeof(*p));
}
