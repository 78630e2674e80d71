/* dep-check: checks that heads are a tree; see conllu.h. */
#include <stdbool.h>
#include <stdlib.h>

#include "base/mem.h"
#include "trees/conllu.h"

static int
check_ranges(const int *head, int n, struct err *e)
{
	bool root = false;

	for (int i = 0; i < n; i++) {
		if (head[i] < 0 || head[i] > n) {
			err_set(e, EXIT_INPUT, "head %d, expected one from 0 to %d", head[i], n);
			return i + 1;
		}
		root = root || !head[i];
	}
	if (n && !root)
		return err_set(e, EXIT_INPUT, "no word has head 0, expected at least one root");
	return 0;
}

/* seen[w] is the word whose path to the root visited w first; visiting w twice is a cycle. */
static int
find_cycle(const int *head, int n, int *seen)
{
	for (int i = 1; i <= n; i++) {
		int w = i;

		for (; w && !seen[w]; w = head[w - 1])
			seen[w] = i;
		if (w && seen[w] == i)
			return w;
	}
	return 0;
}

int
dep_fault(const int *head, int n, struct err *e)
{
	int bad = check_ranges(head, n, e);
	int *seen;

	if (bad)
		return bad;
	seen = xcalloc((size_t)n + 1, sizeof(*seen));
	bad = find_cycle(head, n, seen);
	free(seen);
	if (bad)
		err_set(e, EXIT_INPUT, "cycle through head %d, expected a path to a root",
			head[bad - 1]);
	return bad;
}

int
dep_check(const int *head, int n, struct err *e)
{
	const int bad = dep_fault(head, n, e);

	return bad > 0 ? err_wrap(e, "word %d", bad) : bad;
}
