/* attention-top: see attention-top.h. */
#include "attention/attention-top.h"

#include "base/arena.h"
#include "tape/tape.h"

int
attention_heads_before(const struct attention *a, const struct attention *end)
{
	int n = 0;

	for (a = attention_leader(a); a != end; a = attention_next(a))
		n += attention_site(a)->heads;
	return n;
}

bool
attention_is_top(const struct attention *a, int head, attention_values *values, int64_t n)
{
	const real x = values(a)[head];
	bool before = true;		/* the site is before a's */
	int64_t higher = 0;

	for (const struct attention *b = attention_leader(a); b; b = attention_next(b)) {
		const int heads = attention_site(b)->heads;
		const int first = b == a ? head : before ? heads : 0;
		const real *y = values(b);

		for (int h = 0; h < heads; h++)
			higher += y[h] > x || (y[h] == x && h < first);
		before &= b != a;
	}
	return higher < n;
}

struct node *
attention_constant(const struct attention *a, struct tape *t, real *gate)
{
	struct node *n = tape_leaf(t, NULL, 1, &attention_site(a)->heads, gate, NULL);

	n->parameter = 1;
	return n;
}

struct node *
attention_top_gates(const struct attention *a, struct tape *t, attention_values *values, int64_t n)
{
	const int heads = attention_site(a)->heads;
	real *gate = ARENA_ARRAY(tape_arena(t), real, heads);

	for (int h = 0; h < heads; h++)
		gate[h] = attention_is_top(a, h, values, n);
	return attention_constant(a, t, gate);
}
