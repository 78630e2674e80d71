/* binary: see binary.h.  Without recursion, because a tree may be as deep as its file is long. */
#include "parser/binary.h"

#include <string.h>

/* The lowest node of a unary chain: a tag, a word without a tag, or a phrase that branches. */
static int
chain_end(const struct tree *t, int node)
{
	while (!t->node[node].leaf && !tree_is_tag(t, node) &&
	       t->node[node + 1].last == t->node[node].last)
		node++;
	return node;
}

/*
 * The label of the chain from node to end: the labels of its phrases.  end counts only if it is a
 * phrase; a phrase may have an empty label.
 */
static const char *
chain_label(const struct tree *t, int node, int end, struct arena *mem)
{
	int stop = t->node[end].leaf || tree_is_tag(t, end) ? end : end + 1;
	size_t n = 1;
	char *label, *at;

	for (int i = node; i < stop; i++)
		n += strlen(t->node[i].label) + 1;
	at = label = arena_get(mem, n);
	for (int i = node; i < stop; i++) {
		if (at > label && *t->node[i].label)
			*at++ = ' ';
		at = stpcpy(at, t->node[i].label);
	}
	return at > label ? label : BINARY_NONE;
}

/*
 * Adds the spans of a phrase without its last child, without its last two children, and so on, down
 * to two children.  Returns their number.
 */
static int
prefixes(const struct tree *t, int node, struct binary_span *span)
{
	int first = t->node[node].first, n = 0, child = node + 1;

	child = tree_after(t, child);
	for (child = tree_after(t, child); child <= t->node[node].last;
	     child = tree_after(t, child))
		span[n++] = (struct binary_span){ first, t->node[child].first, BINARY_NONE };
	for (int i = 0, j = n - 1; i < j; i++, j--) {
		struct binary_span kept = span[i];

		span[i] = span[j];
		span[j] = kept;
	}
	return n;
}

void
binary_spans(const struct tree *t, struct arena *mem, struct binary_span *span, const char **tag)
{
	for (int node = 0, end; node < t->n; node = end + 1) {
		const struct tree_node *low;

		end = chain_end(t, node);
		low = &t->node[end];
		*span++ = (struct binary_span){ low->first, low->end,
						chain_label(t, node, end, mem) };
		if (low->leaf || tree_is_tag(t, end)) {
			if (tag)
				tag[low->first] = low->leaf ? NULL : low->label;
			end = low->last;
			continue;
		}
		span += prefixes(t, end, span);
	}
}

/* Opens one phrase for each word of the label and returns their number. */
static int
binary_open_label(struct tree *t, const char *label)
{
	int n = 0;

	if (!strcmp(label, BINARY_NONE))
		return 0;
	for (;;) {
		size_t k = strcspn(label, " ");

		tree_open(t, label, k);
		n++;
		if (!label[k])
			return n;
		label += k + 1;
	}
}

struct opened { int end, phrases; };

void
binary_tree(const struct binary_span *span, int n_words, const char *const *word,
	    const char *const *tag, struct arena *scratch, struct tree *t)
{
	struct arena_mark mark = arena_mark(scratch);
	struct opened *stack = ARENA_ARRAY(scratch, struct opened, 2 * n_words);
	int depth = 0;

	tree_clear(t);
	for (int i = 0; i < 2 * n_words - 1; i++) {
		const char *label = i || strcmp(span[i].label, BINARY_NONE) ? span[i].label : "X";

		stack[depth++] = (struct opened){ span[i].end, binary_open_label(t, label) };
		if (span[i].end - span[i].first > 1)
			continue;
		tree_open(t, tag[span[i].first], strlen(tag[span[i].first]));
		tree_leaf(t, word[span[i].first], strlen(word[span[i].first]));
		tree_close(t);
		while (depth && stack[depth - 1].end == span[i].end)
			for (int k = stack[--depth].phrases; k > 0; k--)
				tree_close(t);
	}
	arena_rewind_to(scratch, mark);
}
