/* method: common functions of token attributions; see method.h. */
#include "attribution/method.h"

#include <string.h>

enum { ROWS_TOGETHER = 4096 };

int
method_copies(struct method_run *r, int n, struct batch *b, struct err *e)
{
	const struct record **rec;
	struct batch_rules rules;
	int64_t *number;
	struct arena *mem;

	tape_rewind(r->tape);
	mem = tape_arena(r->tape);
	rec = ARENA_ARRAY(mem, const struct record *, n);
	number = ARENA_ARRAY(mem, int64_t, n);
	for (int i = 0; i < n; i++) {
		rec[i] = r->rec;
		number[i] = r->number;
	}
	model_batch_rules(r->m, &rules);
	rules.word_dropout = 0;
	rules.cut = r->cut;
	return model_batch(r->m, b, mem, rec, number, n, &rules, e);
}

int
method_together(int rows)
{
	return rows < ROWS_TOGETHER ? ROWS_TOGETHER / rows : 1;
}

void
method_watch(void *arg, const struct node *n, enum tape_phase phase, bool done)
{
	struct method_run *r = arg;

	if (phase == TAPE_FORWARD && done && !strncmp(n->op->name, "residual", 8))
		r->residual[r->n_residual++] = (struct node *)(uintptr_t)n;
}

int
method_layer(const struct model *m, bool target, int layer)
{
	return target ? 2 * (int)m->config.enc_layers + 3 * layer : 2 * layer;
}
