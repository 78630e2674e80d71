/* near-name: see near-name.h. */
#include "base/near-name.h"

#include <string.h>

enum { MAX_NAME = 64, MAX_DISTANCE = 2 };

static size_t
least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Wagner and Fischer 1974, with exchanges: distances of prefixes of a and b, row by row. */
static size_t
near_name_distance(const char *a, size_t n, const char *b, size_t m)
{
	size_t row[3][MAX_NAME + 1];

	for (size_t i = 0; i <= n; i++) {
		size_t *now = row[i % 3], *last = row[(i + 2) % 3], *before = row[(i + 1) % 3];

		now[0] = i;
		for (size_t j = 1; j <= m; j++) {
			now[j] = now[j - 1] + 1;
			if (!i)
				continue;
			now[j] = least(now[j], last[j] + 1);
			now[j] = least(now[j], last[j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				now[j] = least(now[j], before[j - 2] + 1);
		}
	}
	return row[n % 3][m];
}

void
near_name_add(struct near_name *best, const char *typed, size_t n, const char *known)
{
	const size_t m = strlen(known);
	size_t d;

	if (n > MAX_NAME || m > MAX_NAME)
		return;
	d = near_name_distance(typed, n, known, m);
	if (d > MAX_DISTANCE || 2 * d > n || (best->name && d >= best->distance))
		return;
	best->name = known;
	best->distance = d;
}

bool
near_name_hint(const struct near_name *best, struct err *e)
{
	if (best->name)
		err_hint(e, "did you mean %s?", best->name);
	return best->name;
}
