/*
 * fixed-heads: encoder heads with fixed patterns of position instead of learned weights.
 *
 * Raganato, Scherrer and Tiedemann 2020, Fixed encoder self-attention patterns in Transformer-based
 * machine translation, section 3.  Seven of eight heads are fixed: current, previous and next
 * token, left and right context, start and end of the sentence; ops/fixed-weights.c has the
 * weights.  The last head is learned.  With fewer heads, `patterns` selects the patterns.
 *
 * The queries and keys of fixed heads are not read, so their parameters receive no gradient.  The
 * end-of-sentence token counts as a token.
 */
#include <stdlib.h>
#include <string.h>

#include "attention/attention.h"
#include "base/cli.h"
#include "base/mem.h"
#include "base/near-name.h"
#include "ops/ops.h"

/* As enum pattern, from PATTERN_CURRENT. */
static const char *const names[] = {
	"current", "previous", "next", "left", "right", "start", "end", NULL
};
enum { N_PATTERNS = PATTERN_END };

struct state {
	int64_t first, last;
	char *patterns;			/* as given */
	unsigned char *of;		/* [heads] enum pattern of the retained heads */
};

static const struct state defaults = { .first = 1 };

static const struct opt options[] = {
	ATTENTION_FIRST(struct state, 1024), ATTENTION_LAST(struct state, 1024),
	{ .kind = OPT_STRING, .long_name = "patterns", .arg = "list",
	  .help = "patterns of the first heads, such as previous+next (none)",
	  .at = offsetof(struct state, patterns) },
	{ .kind = OPT_END }
};

/* The patterns of all heads before pruning: those of the list, in order. */
static int
read_fixed_patterns(const char *list, int heads, unsigned char *pattern_of, struct err *e)
{
	int at = 0;

	for (const char *s = list;; s++) {
		const size_t n = strcspn(s, "+");
		const int pattern = name_index(names, s, n);

		if (pattern < 0)
			return err_set(e, EXIT_USAGE, "pattern '%.*s', expected current, previous, "
				       "next, left, right, start or end", (int)n, s);
		if (at == heads)
			return err_set(e, EXIT_USAGE, "patterns for more than %d heads", heads);
		pattern_of[at++] = (unsigned char)(PATTERN_CURRENT + pattern);
		s += n;
		if (!*s)
			return 0;
	}
}

/* The patterns of the paper, in its order, for all heads but the last. */
static int
default_patterns(int heads, unsigned char *pattern_of, struct err *e)
{
	if (heads < 2)
		return err_set(e, EXIT_USAGE, "%d head, expected at least 2, or patterns", heads);
	for (int h = 0; h < heads - 1 && h < N_PATTERNS; h++)
		pattern_of[h] = (unsigned char)(PATTERN_CURRENT + h);
	return 0;
}

static int
fixed_heads_open(struct attention *a, const struct site *s, struct err *e)
{
	struct state *st = attention_state(a);
	const int r = attention_in_encoder(s, st->first, st->last, e);
	unsigned char *all;

	if (r)
		return r;
	all = xcalloc((size_t)s->all_heads + 1, 1);
	if (st->patterns && *st->patterns ? read_fixed_patterns(st->patterns, s->all_heads, all, e)
					  : default_patterns(s->all_heads, all, e)) {
		free(all);
		return -1;
	}
	st->of = xcalloc((size_t)s->heads + 1, 1);
	for (int h = 0; h < s->heads; h++)
		st->of[h] = all[s->head[h]];
	free(all);
	return 0;
}

static void
fixed_heads_close(struct attention *a)
{
	free(((struct state *)attention_state(a))->of);
}

static struct node *
fixed_heads_weights(const struct attention *a, struct tape *t, const struct att_nodes *n)
{
	const struct state *st = attention_state(a);

	return op_fixed_weights(t, n->weights, &(struct patterns){ st->of });
}

static const struct attention_case cases[] = {
	{ "fixed-heads", NOT_NEUTRAL },
	{ "fixed-heads:patterns=previous+left,last=1", NOT_NEUTRAL },
	{ "fixed-heads:patterns=next+right,first=2", NOT_NEUTRAL },
	{ "fixed-heads:patterns=start+end relative:k=2", NOT_NEUTRAL },
	{ 0 }
};

const struct attention_variant attention_fixed_heads = {
	.name = "fixed-heads",
	.paper = "Raganato, Scherrer and Tiedemann 2020, fixed encoder self-attention patterns",
	.version = 1,
	.state_size = sizeof(struct state),
	.defaults = &defaults,
	.options = options,
	.open = fixed_heads_open,
	.close = fixed_heads_close,
	.weights = fixed_heads_weights,
	.cases = cases,
};
