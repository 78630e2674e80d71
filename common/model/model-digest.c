/* model-digest: tells models apart; see model.h. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "model/model.h"

/* The name with its terminating null, so that the names "a", "bc" are not "ab", "c". */
static uint64_t
add_param(uint64_t h, const struct param *p)
{
	h = hash_fnv1a(h, p->name, strlen(p->name) + 1);
	h = hash_fnv1a(h, p->d, (size_t)p->n_dim * sizeof(*p->d));
	return hash_fnv1a(h, p->x, p->n * sizeof(*p->x));
}

void
model_digest(const struct model *m, char digest[MODEL_DIGEST_SIZE])
{
	const uint64_t vocab[] = { vocab_digest(&m->src), vocab_digest(&m->tgt) };
	struct buf removed = { 0 };
	uint64_t h = hash_fnv1a(HASH_FNV1A, vocab, sizeof(vocab));

	model_removed_heads(m, NULL, &removed);
	h = hash_fnv1a(h, removed.data, removed.n);
	buf_release(&removed);
	for (size_t i = 0; i < m->params.n; i++)
		h = add_param(h, m->params.list[i]);
	snprintf(digest, MODEL_DIGEST_SIZE, "%016" PRIx64, h);
}
