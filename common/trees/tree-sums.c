/* tree-sums: see tree-sums.h. */
#include "trees/tree-sums.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/mem.h"

static const char *const arc_names[TREE_STATS_ARCS] = { "1", "2", "3-4", "5-8", "9-16", "17+" };

void
tree_sums_release(struct tree_sums *s)
{
	free(s->place);
	*s = (struct tree_sums){ .sentences = 0 };
}

static void
add_layers(struct tree_sums *s, const struct tree *t)
{
	int top = 0;

	s->place = mem_grow(s->place, &s->place_room, (size_t)t->n_words, sizeof(*s->place));
	phrase_places(t, 0, s->place);
	for (int i = 0; i < t->n_words; i++) {
		const int layer = s->place[i].layer;

		s->layers += layer;
		top = layer > top ? layer : top;
	}
	s->leaf_words += t->n_words;
	s->tops += top;
	s->layer_max = top > s->layer_max ? top : s->layer_max;
}

static void
tree_sums_add_tree(struct tree_sums *s, const struct tree *t, int64_t n_leaves)
{
	int tags = 0;

	for (int i = 1; i < t->n; i++)	/* the root counts as a phrase */
		tags += !t->node[i].leaf && tree_is_tag(t, i);
	s->trees++;
	s->tags += tags;
	s->phrases += t->n - t->n_words - tags;
	s->leaves += n_leaves;
	add_layers(s, t);
}

/* The class of a length: its logarithm to base 2, rounded up, limited to the last class. */
static int
arc_class(int length)
{
	int i = 0;

	while (i < TREE_STATS_ARCS - 1 && length > 1 << i)
		i++;
	return i;
}

static void
add_arcs(struct tree_sums *s, const struct dep_sentence *d)
{
	s->heads++;
	for (int i = 0; i < d->n; i++) {
		if (!d->word[i].head)
			continue;
		s->arcs++;
		s->arc[arc_class(abs(d->word[i].head - 1 - i))]++;
	}
}

void
tree_sums_add(struct tree_sums *s, int n_words, int64_t n_pieces, const struct tree *t,
	      const struct dep_sentence *deps)
{
	s->sentences++;
	s->words += n_words;
	s->cut += n_pieces >= 0;
	s->pieces += n_pieces >= 0 ? n_pieces : 0;
	if (!n_words)
		return;
	if (t)
		tree_sums_add_tree(s, t, n_pieces >= 0 ? n_pieces : n_words);
	else
		s->no_tree++;
	if (deps)
		add_arcs(s, deps);
	else
		s->no_heads++;
}

void
tree_sums_names(struct buf *out)
{
	buf_add_str(out, "file\tsentences\twords\tpieces\tno-tree\tphrases\ttags\tinterior\t"
		    "nodes\tnodes.tags\tlayer\tlayer.top\tlayer.max\tno-heads");
	for (int i = 0; i < TREE_STATS_ARCS; i++)
		buf_printf(out, "\tarc.%s", arc_names[i]);
	buf_add_char(out, '\n');
}

/* Appends sum / n, or "-" if n is 0. */
static void
put_mean(struct buf *out, int64_t sum, int64_t n)
{
	if (n)
		buf_printf(out, "\t%.4f", (double)sum / (double)n);
	else
		buf_add_str(out, "\t-");
}

void
tree_sums_row(const struct tree_sums *s, const char *name, struct buf *out)
{
	const int64_t nodes = s->leaves + s->phrases;

	buf_printf(out, "%s\t%" PRId64, name, s->sentences);
	put_mean(out, s->words, s->sentences);
	put_mean(out, s->pieces, s->cut);
	buf_printf(out, "\t%" PRId64, s->no_tree);
	put_mean(out, s->phrases, s->trees);
	put_mean(out, s->tags, s->trees);
	put_mean(out, s->phrases + s->tags, s->trees);
	put_mean(out, nodes, s->trees);
	put_mean(out, nodes + s->tags, s->trees);
	put_mean(out, s->layers, s->leaf_words);
	put_mean(out, s->tops, s->trees);
	if (s->trees)
		buf_printf(out, "\t%d", s->layer_max);
	else
		buf_add_str(out, "\t-");
	buf_printf(out, "\t%" PRId64, s->no_heads);
	for (int i = 0; i < TREE_STATS_ARCS; i++)
		put_mean(out, s->arc[i], s->arcs);
	buf_add_char(out, '\n');
}
