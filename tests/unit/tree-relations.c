/* tree-relations: relations by hand, and of a thousand random trees by a recursive function. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "trees/tree-relations.h"

enum { TREES = 1000, MOST = 60 };

/* (S (NP (PRP He)) (VP (VBZ is) (NP (PRP$ my) (NN father))) (. .)) */
enum { NODES = 14 };
static const int32_t by_hand[NODES] = { -1, 0, 1, 2, 0, 4, 5, 4, 7, 8, 7, 10, 0, 12 };

static void
a_tree_by_hand(void **state)
{
	static const int32_t want_last[NODES] = { 13, 3, 3, 3, 11, 6, 6, 11, 9, 9, 11, 11, 13, 13 };
	static const int want[TREE_RELATIONS] = { 14, 13, 13, 5, 5, 18, 18, 55, 55 };
	int32_t last[NODES];
	int8_t relation[NODES * NODES];
	int got[TREE_RELATIONS] = { 0 };
	struct err e;

	(void)state;
	assert_int_equal(preorder_check(by_hand, NODES, &e), 0);
	preorder_last(by_hand, NODES, last);
	assert_memory_equal(last, want_last, sizeof(last));
	tree_relations(by_hand, last, NODES, relation);
	for (int i = 0; i < NODES * NODES; i++)
		got[relation[i]]++;
	for (int r = 0; r < TREE_RELATIONS; r++)
		assert_int_equal(got[r], want[r]);
}

/* In the tree above, 3 is "He", 4 VP, 7 the NP in it, 10 "NN", and 12 the tag of the full stop. */
static void
relations_are_named_after_the_key(void **state)
{
	static const struct { int query, key; enum tree_relation want; } pair[] = {
		{ 3, 2, TREE_PARENT }, { 2, 3, TREE_CHILD }, { 4, 1, TREE_LEFT_SIBLING },
		{ 4, 12, TREE_RIGHT_SIBLING }, { 10, 4, TREE_ANCESTOR }, { 4, 10, TREE_DESCENDANT },
		{ 10, 3, TREE_LEFT_OTHER }, { 3, 10, TREE_RIGHT_OTHER }, { 7, 7, TREE_SELF }
	};
	int32_t last[NODES];
	int8_t relation[NODES * NODES];

	(void)state;
	preorder_last(by_hand, NODES, last);
	tree_relations(by_hand, last, NODES, relation);
	for (size_t i = 0; i < sizeof(pair) / sizeof(*pair); i++)
		assert_int_equal(relation[pair[i].query * NODES + pair[i].key], pair[i].want);
	assert_string_equal(tree_relation_names[TREE_PARENT], "parent");
	assert_string_equal(tree_relation_names[TREE_RIGHT_OTHER], "right-other");
	assert_null(tree_relation_names[TREE_RELATIONS]);
}

/* --- random trees --- */

static struct rng rng;

/* Nodes with lists of children; they are numbered in preorder later. */
struct node { struct node *child[MOST], *up; int n, number; };

static struct node *
random_tree(struct node *node, int n)
{
	for (int i = 0; i < n; i++) {
		node[i].n = 0;
		node[i].up = i ? &node[rng_below(&rng, (uint32_t)i)] : NULL;
		if (i)
			node[i].up->child[node[i].up->n++] = &node[i];
	}
	return node;
}

static int
walk(struct node *at, int number, struct node **order, int32_t *parent)
{
	order[number] = at;
	at->number = number;
	parent[number++] = at->up ? at->up->number : -1;
	for (int i = 0; i < at->n; i++)
		number = walk(at->child[i], number, order, parent);
	return number;
}

static bool
is_below(const struct node *a, const struct node *b)
{
	for (int i = 0; i < a->n; i++)
		if (a->child[i] == b || is_below(a->child[i], b))
			return true;
	return false;
}

static enum tree_relation
relation_of(const struct node *query, const struct node *key)
{
	const bool before = key->number < query->number;

	if (query == key)
		return TREE_SELF;
	if (query->up == key)
		return TREE_PARENT;
	if (key->up == query)
		return TREE_CHILD;
	if (query->up == key->up)
		return before ? TREE_LEFT_SIBLING : TREE_RIGHT_SIBLING;
	if (is_below(key, query))
		return TREE_ANCESTOR;
	if (is_below(query, key))
		return TREE_DESCENDANT;
	return before ? TREE_LEFT_OTHER : TREE_RIGHT_OTHER;
}

static void
relations_equal_those_of_a_recursive_function(void **state)
{
	static struct node node[MOST];
	struct node *order[MOST];
	int32_t parent[MOST], last[MOST];
	int8_t relation[MOST * MOST];
	struct err e;

	(void)state;
	rng_init(&rng, 2021, 0, 0);
	for (int t = 0; t < TREES; t++) {
		const int n = 1 + (int)rng_below(&rng, MOST);

		assert_int_equal(walk(random_tree(node, n), 0, order, parent), n);
		assert_int_equal(preorder_check(parent, n, &e), 0);
		preorder_last(parent, n, last);
		tree_relations(parent, last, n, relation);
		for (int i = 0; i < n; i++)
			for (int j = 0; j < n; j++)
				assert_int_equal(relation[i * n + j],
						 relation_of(order[i], order[j]));
	}
}

static void
leaves_under_a_root_are_siblings(void **state)
{
	enum { N = 300 };
	static int32_t parent[N], last[N];
	static int8_t relation[N * N];

	(void)state;
	for (int i = 0; i < N; i++)
		parent[i] = i ? 0 : -1;
	preorder_last(parent, N, last);
	tree_relations(parent, last, N, relation);
	for (int i = 1; i < N; i++)
		for (int j = 1; j < N; j++)
			assert_int_equal(relation[i * N + j], i == j ? TREE_SELF
					 : j < i ? TREE_LEFT_SIBLING : TREE_RIGHT_SIBLING);
}

static void
refused(const int32_t *parent, int n, const char *what)
{
	struct err e;

	assert_int_equal(preorder_check(parent, n, &e), -1);
	assert_int_equal(e.status, EXIT_INPUT);
	assert_string_equal(e.text, what);
}

static void
parents_not_in_preorder_are_errors(void **state)
{
	struct err e;

	(void)state;
	assert_int_equal(preorder_check(NULL, 0, &e), 0);
	refused((const int32_t[]){ 0 }, 1, "node 0 has parent 0, expected -1");
	refused((const int32_t[]){ -1, -1 }, 2,
		"node 1 has parent -1, expected 0 or an ancestor of it");
	refused((const int32_t[]){ -1, 1 }, 2,
		"node 1 has parent 1, expected 0 or an ancestor of it");
	/* the subtree of node 1 ends before node 2 */
	refused((const int32_t[]){ -1, 0, 0, 1 }, 4,
		"node 3 has parent 1, expected 2 or an ancestor of it");
	refused((const int32_t[]){ -1, INT32_MAX }, 2,
		"node 1 has parent 2147483647, expected 0 or an ancestor of it");
	refused((const int32_t[]){ -1, INT32_MIN }, 2,
		"node 1 has parent -2147483648, expected 0 or an ancestor of it");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_tree_by_hand),
		cmocka_unit_test(relations_are_named_after_the_key),
		cmocka_unit_test(relations_equal_those_of_a_recursive_function),
		cmocka_unit_test(leaves_under_a_root_are_siblings),
		cmocka_unit_test(parents_not_in_preorder_are_errors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
