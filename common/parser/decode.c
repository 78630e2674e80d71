/* decode: see decode.h. */
#include "parser/decode.h"

#include <string.h>

#include "parser/binary.h"
#include "parser/chart.h"
#include "parser/mst.h"
#include "tape/op.h"

/* The relation of the root word, and only of it, as in Universal Dependencies. */
#define ROOT "root"

struct decoding {
	struct network *n;
	struct tape *t;
	const struct pack *p;
	const struct decode_settings *set;
	struct arena *mem;
	struct sentence *out;
};

static int
n_words(const struct decoding *d, int i)
{
	return d->p->rows.len[i] - 1;
}

/* The index of the largest of x[n], except index forbidden, or -1 for none. */
static int
network_largest(const real *x, int n, int forbidden)
{
	int best = forbidden == 0 && n > 1 ? 1 : 0;

	for (int i = best + 1; i < n; i++)
		if (i != forbidden && x[i] > x[best])
			best = i;
	return best;
}

static void
decode_tags(const struct decoding *d, struct node *h)
{
	struct node *hidden = network_tags(d->n, d->t, h);

	for (int set = 0; set < LABEL_TAGS; set++) {
		int types = (int)d->n->labels[set].n;
		struct node *x = types ? network_logits(d->n, d->t, hidden, set) : NULL;

		for (int i = 0; i < d->p->n; i++) {
			int *tag = x ? ARENA_ARRAY(d->mem, int, n_words(d, i)) : NULL;
			ptrdiff_t row = d->p->rows.start[i] + 1;

			for (int k = 0; x && k < n_words(d, i); k++)
				tag[k] = network_largest(x->x + (row + k) * types, types, -1);
			d->out[i].tag[set] = tag;
		}
	}
}

/* The logits of labels for pairs of rows of x. */
static const real *
pair_logits(const struct decoding *d, struct node *x, int set, int pairs, const int *first,
	    const int *second)
{
	const struct layout *l = network_list(pairs, NULL, tape_arena(d->t));

	x = network_pairs(d->n, d->t, x, set, l, first, second);
	return network_logits(d->n, d->t, x, set)->x;
}

static void
decode_arcs(const struct decoding *d, struct node *h)
{
	struct node *score = network_arcs(d->n, d->t, h, d->p);
	struct arena *scratch = tape_pass(d->t)->scratch;
	int pairs = d->p->rows.rows - d->p->n, at = 0, types = (int)d->n->labels[LABEL_REL].n;
	int *first = ARENA_ARRAY(tape_arena(d->t), int, pairs);
	int *second = ARENA_ARRAY(tape_arena(d->t), int, pairs);
	int root = strmap_find(&d->n->labels[LABEL_REL], ROOT, strlen(ROOT));
	const real *x;

	for (int i = 0; i < d->p->n; i++) {
		int N = n_words(d, i), row = d->p->rows.start[i];
		struct sentence *s = &d->out[i];

		s->head = ARENA_ARRAY(d->mem, int, N);
		s->rel = ARENA_ARRAY(d->mem, int, N);
		if (d->set->projective)
			eisner_heads(score->x + score->block[i], (size_t)N + 1, N, s->head,
				     scratch);
		else
			mst_heads(score->x + score->block[i], (size_t)N + 1, N, s->head, scratch);
		for (int k = 0; k < N; k++, at++) {
			first[at] = row + 1 + k;
			second[at] = row + s->head[k];
		}
	}
	x = pair_logits(d, h, LABEL_REL, pairs, first, second);
	for (int i = 0; i < d->p->n; i++)
		for (int k = 0; k < n_words(d, i); k++, x += types)
			d->out[i].rel[k] = root >= 0 && !d->out[i].head[k] ? root :
					   network_largest(x, types, root);
}

static void
decode_spans(const struct decoding *d, struct node *h)
{
	struct node *fences = network_fences(d->t, h);
	struct node *score = network_spans(d->n, d->t, fences, d->p);
	struct arena *scratch = tape_pass(d->t)->scratch;
	int pairs = 2 * (d->p->rows.rows - d->p->n) - d->p->n, at = 0;
	int types = (int)d->n->labels[LABEL_SPAN].n;
	int *first = ARENA_ARRAY(tape_arena(d->t), int, pairs);
	int *second = ARENA_ARRAY(tape_arena(d->t), int, pairs);
	int none = strmap_find(&d->n->labels[LABEL_SPAN], BINARY_NONE, strlen(BINARY_NONE));
	const real *x;

	for (int i = 0; i < d->p->n; i++) {
		int N = n_words(d, i), row = d->p->rows.start[i];
		struct gold_span *span = ARENA_ARRAY(d->mem, struct gold_span, 2 * N - 1);

		cky_spans(score->x + score->block[i], (size_t)N + 1, N, span, scratch);
		d->out[i].span = span;
		for (int k = 0; k < 2 * N - 1; k++, at++) {
			first[at] = row + span[k].first;
			second[at] = row + span[k].end;
		}
	}
	x = pair_logits(d, fences, LABEL_SPAN, pairs, first, second);
	for (int i = 0; i < d->p->n; i++)
		for (int k = 0; k < 2 * n_words(d, i) - 1; k++, x += types)
			d->out[i].span[k].label = network_largest(x, types, k ? -1 : none);
}

void
network_decode(struct network *n, struct tape *t, const struct pack *p,
	       const struct decode_settings *s, struct arena *mem, struct sentence *out)
{
	struct decoding d = { n, t, p, s, mem, out };
	struct node *h;

	memset(out, 0, (size_t)p->n * sizeof(*out));
	for (int i = 0; i < p->n; i++)
		out[i].n = n_words(&d, i);
	if (!p->n)
		return;
	h = network_encode(n, t, p);
	decode_tags(&d, h);
	if (s->arcs && network_has_arcs(n))
		decode_arcs(&d, h);
	if (s->spans && network_has_spans(n))
		decode_spans(&d, h);
}
