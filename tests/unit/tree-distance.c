/* Depths and distances in random trees, compared with those of the shortest paths (Floyd 1962). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/rng.h"
#include "trees/tree-distance.h"

enum { MOST = 12, TREES = 200 };

/* A random tree, or several: the head of each word comes earlier in a random order, or is 0. */
static void
random_heads(struct rng *r, int n, int32_t *head)
{
	uint32_t order[MOST];

	rng_permutation(r, order, (size_t)n);
	for (int i = 0; i < n; i++) {
		const uint32_t k = rng_below(r, (uint32_t)i + 1);

		head[order[i]] = k ? (int32_t)order[k - 1] + 1 : 0;
	}
}

static void
shortest_paths(const int32_t *head, int n, int to[MOST + 1][MOST + 1])
{
	for (int a = 0; a <= n; a++)
		for (int b = 0; b <= n; b++)
			to[a][b] = a == b ? 0 : (a && head[a - 1] == b) || (b && head[b - 1] == a)
				? 1 : 1000;
	for (int k = 0; k <= n; k++)
		for (int a = 0; a <= n; a++)
			for (int b = 0; b <= n; b++)
				if (to[a][k] + to[k][b] < to[a][b])
					to[a][b] = to[a][k] + to[k][b];
}

static void
distances_are_those_of_shortest_paths(void **state)
{
	int path[MOST + 1][MOST + 1], depth[MOST + 1];
	int32_t head[MOST];
	struct rng r;

	(void)state;
	rng_init(&r, 1, rng_purpose("tree distance test"), 0);
	for (int tree = 0; tree < TREES; tree++) {
		const int n = (int)rng_below(&r, MOST) + 1;

		random_heads(&r, n, head);
		shortest_paths(head, n, path);
		tree_depths(head, n, depth);
		for (int a = 0; a <= n; a++) {
			assert_int_equal(depth[a], path[a][0]);
			for (int b = 0; b <= n; b++) {
				assert_int_equal(tree_distance(head, depth, a, b, 100), path[a][b]);
				assert_int_equal(tree_distance(head, depth, a, b, 2),
						 path[a][b] < 2 ? path[a][b] : 2);
			}
		}
	}
}

/* Each word depends on the next one: with a path to the root for each word, half a minute. */
static void
a_long_chain(void **state)
{
	enum { WORDS = 200000 };
	int32_t *head = malloc(WORDS * sizeof(*head));
	int *depth = malloc((WORDS + 1) * sizeof(*depth));

	(void)state;
	for (int w = 1; w <= WORDS; w++)
		head[w - 1] = w < WORDS ? w + 1 : 0;
	alarm(5);
	tree_depths(head, WORDS, depth);
	alarm(0);
	for (int w = 1; w <= WORDS; w++)
		assert_int_equal(depth[w], WORDS - w + 1);
	free(head);
	free(depth);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(distances_are_those_of_shortest_paths),
		cmocka_unit_test(a_long_chain),
	};

	return cmocka_run_group_tests_name("tree distances", tests, NULL, NULL);
}
