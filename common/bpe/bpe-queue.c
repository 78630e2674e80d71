/*
 * bpe-queue: finds the most frequent pair of a training; see bpe-train-parts.h.
 *
 * A heap of pairs.  Its entries may be stale: they are corrected when they reach the top.
 */
#include <string.h>

#include "base/mem.h"
#include "bpe/bpe-train-parts.h"

static int
compare_symbols(const struct bpe_trainer *t, uint32_t a, uint32_t b)
{
	const char *x, *y;
	size_t n, m;
	int c;

	if (a == b)
		return 0;
	if (t->prefix[a] != t->prefix[b])
		return t->prefix[a] < t->prefix[b] ? -1 : 1;
	x = strmap_text(&t->symbols, (int)a, &n);
	y = strmap_text(&t->symbols, (int)b, &m);
	c = memcmp(x, y, n < m ? n : m);
	return c ? c : (n > m) - (n < m);
}

/* Is a more frequent than b or, if equally frequent, later in code-point order? */
static bool
is_better(const struct bpe_trainer *t, struct bpe_queued a, struct bpe_queued b)
{
	const struct bpe_train_pair *p = &t->pair[a.pair], *q = &t->pair[b.pair];
	int c;

	if (a.count != b.count)
		return a.count > b.count;
	c = compare_symbols(t, p->left, q->left);
	return (c ? c : compare_symbols(t, p->right, q->right)) > 0;
}

static void
heap_push(struct bpe_trainer *t, struct bpe_queued new)
{
	size_t i = t->n_heap++;

	t->heap = mem_grow(t->heap, &t->heap_room, t->n_heap, sizeof(*t->heap));
	while (i > 0 && is_better(t, new, t->heap[(i - 1) / 2])) {
		t->heap[i] = t->heap[(i - 1) / 2];
		i = (i - 1) / 2;
	}
	t->heap[i] = new;
}

static void
heap_sink(struct bpe_trainer *t, size_t i, struct bpe_queued new)
{
	for (;;) {
		size_t child = 2 * i + 1;

		if (child + 1 < t->n_heap && is_better(t, t->heap[child + 1], t->heap[child]))
			child++;
		if (child >= t->n_heap || !is_better(t, t->heap[child], new))
			break;
		t->heap[i] = t->heap[child];
		i = child;
	}
	t->heap[i] = new;
}

static void
heap_pop(struct bpe_trainer *t)
{
	if (--t->n_heap)
		heap_sink(t, 0, t->heap[t->n_heap]);
}

void
bpe_queue_add(struct bpe_trainer *t, uint32_t p)
{
	t->pair[p].queued = t->pair[p].stat;
	heap_push(t, (struct bpe_queued){ t->pair[p].stat, p });
}

/* Corrects the top of the heap until it is the maximum of the table. */
bool
bpe_queue_best(struct bpe_trainer *t, uint32_t *best)
{
	while (t->n_heap) {
		const struct bpe_queued top = t->heap[0];
		struct bpe_train_pair *p = &t->pair[top.pair];

		if (top.count != p->queued) {
			heap_pop(t);
		} else if (!p->in_table || p->stat <= 0) {
			p->queued = BPE_NOT_QUEUED;
			heap_pop(t);
		} else if (p->stat != top.count) {
			p->queued = p->stat;
			heap_sink(t, 0, (struct bpe_queued){ p->stat, top.pair });
		} else {
			*best = top.pair;
			return true;
		}
	}
	return false;
}
