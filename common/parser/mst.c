/* mst: the maximum spanning tree; see mst.h. */
#include "parser/mst.h"

#include <math.h>
#include <stdbool.h>

/* The best head of a word, the first of equal ones; NaN is never better. */
static int
best_head(const float *score, int dep, int n)
{
	float best = -INFINITY;
	int head = 0;

	for (int h = 0; h <= n; h++)
		if (score[h] > best && h != dep) {
			best = score[h];
			head = h;
		}
	return head;
}

static bool
is_below_root(const int *head, int n, int word)
{
	for (int steps = 0; word && steps < n; steps++)
		word = head[word - 1];
	return !word;
}

static bool
is_tree(const int *head, int n)
{
	int roots = 0;

	for (int i = 0; i < n; i++)
		roots += head[i] == 0;
	for (int i = 1; i <= n && roots == 1; i++)
		if (!is_below_root(head, n, i))
			return false;
	return roots == 1;
}

/*
 * The weight of an arc: rank is compared first, then sum.  The rank counts infinite scores, so that
 * finite ones keep their effect.  It also makes an arc from the root cost more than n other arcs
 * can gain, so that the tree has exactly one root word.
 */
struct weight {
	double sum;
	int rank;
};

struct arc { int head, dep; };		/* words */

/*
 * Nodes 0 ... n are the root and the words; nodes from n+1 on are contracted cycles.  Each node has
 * a row of the tables: column h has the best arc from word h to a word of the node.  A cycle takes
 * over the row of one of its nodes.
 */
struct mst {
	int n, n_nodes;
	struct weight *in;	/* [n+1][n+1] minus the weight of the arc that it replaces */
	int *dep;		/* [n+1][n+1] its word of the node */
	int *node_of;		/* [n+1] the outermost node of a word */
	struct node {
		int row, cycle;			/* cycle: the node it was contracted into */
		int place;			/* in the path; -1 if it was never there */
		bool done;			/* connected with the root by chosen arcs */
		struct arc arc;			/* the chosen arc */
		struct weight weight;		/* its weight in the table */
	} *node;
	int *path, n_path;	/* nodes, each the head of the one before it */
};

static bool
heavier(struct weight a, struct weight b)
{
	return a.rank != b.rank ? a.rank > b.rank : a.sum > b.sum;
}

static struct weight
less(struct weight a, struct weight b)
{
	return (struct weight){ a.sum - b.sum, a.rank - b.rank };
}

static struct weight
weight_of(float score, bool from_root, int n)
{
	struct weight w = { 0, from_root ? -(2 * n + 1) : 0 };

	if (isfinite(score))
		w.sum = (double)score;
	else
		w.rank += score > 0 ? 1 : -1;
	return w;
}

static size_t
mst_cell(const struct mst *m, int row, int head)
{
	return (size_t)row * ((size_t)m->n + 1) + (size_t)head;
}

static void
mst_init(struct mst *m, const float *score, size_t ld, int n, struct arena *scratch)
{
	size_t side = (size_t)n + 1;

	m->n = n;
	m->n_nodes = n + 1;
	m->in = ARENA_ARRAY(scratch, struct weight, side * side);
	m->dep = ARENA_ARRAY(scratch, int, side * side);
	m->node_of = ARENA_ARRAY(scratch, int, side);
	m->node = ARENA_ARRAY(scratch, struct node, 2 * side);
	m->path = ARENA_ARRAY(scratch, int, side);
	for (int d = 0; d <= n; d++) {
		m->node_of[d] = d;
		m->node[d] = (struct node){ .row = d, .place = -1, .done = d == 0 };
		for (int h = 0; h <= n && d; h++) {
			float x = score[(size_t)d * ld + (size_t)h];

			m->in[mst_cell(m, d, h)] = weight_of(x, h == 0, n);
			m->dep[mst_cell(m, d, h)] = d;
		}
	}
}

/* Chooses the heaviest arc from outside the node; the root is always outside. */
static void
choose_arc(struct mst *m, int node)
{
	struct node *v = &m->node[node];
	const struct weight *in = &m->in[mst_cell(m, v->row, 0)];
	int best = 0;

	for (int h = 1; h <= m->n; h++)
		if (m->node_of[h] != node && heavier(in[h], in[best]))
			best = h;
	v->weight = in[best];
	v->arc = (struct arc){ best, m->dep[mst_cell(m, v->row, best)] };
}

/*
 * Merges the arcs into a node of the cycle into the row of the cycle.  Each would replace the arc
 * that is chosen for the node.
 */
static void
merge_row(struct mst *m, int row, const struct node *v)
{
	for (int h = 0; h <= m->n; h++) {
		struct weight w = less(m->in[mst_cell(m, v->row, h)], v->weight);

		if (v->row == row || heavier(w, m->in[mst_cell(m, row, h)])) {
			m->in[mst_cell(m, row, h)] = w;
			m->dep[mst_cell(m, row, h)] = m->dep[mst_cell(m, v->row, h)];
		}
	}
}

/* Contracts the end of the path, from place first on, to a node, which becomes its last one. */
static void
contract(struct mst *m, int first)
{
	int cycle = m->n_nodes++, row = m->node[m->path[first]].row;

	for (int i = first; i < m->n_path; i++) {
		struct node *v = &m->node[m->path[i]];

		merge_row(m, row, v);
		v->cycle = cycle;
	}
	for (int w = 1; w <= m->n; w++) {
		int place = m->node[m->node_of[w]].place;

		if (place >= first && m->path[place] == m->node_of[w])
			m->node_of[w] = cycle;
	}
	m->node[cycle] = (struct node){ .row = row, .place = first };
	m->path[first] = cycle;
	m->n_path = first + 1;
}

/* Follows heads from a node up to a node that is connected with the root, contracting cycles. */
static void
mst_grow(struct mst *m, int start)
{
	int next = start;

	m->n_path = 0;
	while (!m->node[next].done) {
		if (m->node[next].place >= 0) {
			contract(m, m->node[next].place);
		} else {
			m->node[next].place = m->n_path;
			m->path[m->n_path++] = next;
		}
		next = m->path[m->n_path - 1];
		choose_arc(m, next);
		next = m->node_of[m->node[next].arc.head];
	}
	for (int i = 0; i < m->n_path; i++)
		m->node[m->path[i]].done = true;
}

/* Expands cycles, last first: the arc into a cycle replaces the arc of the node that it ends in. */
static void
mst_read_off(struct mst *m, int *head)
{
	for (int c = m->n_nodes - 1; c > m->n; c--) {
		int v = m->node[c].arc.dep;

		while (m->node[v].cycle != c)
			v = m->node[v].cycle;
		m->node[v].arc = m->node[c].arc;
	}
	for (int d = 1; d <= m->n; d++)
		head[d - 1] = m->node[d].arc.head;
}

void
mst_heads(const float *score, size_t ld, int n, int *head, struct arena *scratch)
{
	struct arena_mark mark = arena_mark(scratch);
	struct mst m;

	for (int d = 1; d <= n; d++)
		head[d - 1] = best_head(score + (size_t)d * ld, d, n);
	if (is_tree(head, n))
		return;
	mst_init(&m, score, ld, n, scratch);
	for (int d = 1; d <= n; d++)
		mst_grow(&m, m.node_of[d]);
	mst_read_off(&m, head);
	arena_rewind_to(scratch, mark);
}
