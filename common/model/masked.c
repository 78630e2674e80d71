/* masked: see masked.h. */
#include "model/masked.h"

#include "base/err.h"

int
masked_entries(const struct model *m)
{
	int n = 0;

	for (int i = VOCAB_SPECIALS; m->tgt_valid && i < m->tgt.n; i++)
		n += !m->tgt_valid[i];
	return n;
}

void
masked_add(struct masked *x, const struct model *m, const struct batch *b)
{
	x->targets += b->tgt.layout.rows;
	for (int i = 0; m->tgt_valid && i < b->tgt.layout.rows; i++)
		x->masked += !m->tgt_valid[b->tgt.out[i]];
}

void
masked_warn(const struct masked *x, const char *input, const char *effect)
{
	if (x->masked)
		warn("%s: the model's output mask excludes %lld of %lld target tokens: %s", input,
		     (long long)x->masked, (long long)x->targets, effect);
}
