/*
 * man-blocks: any bytes are a page or are refused.  The text of blocks is UTF-8 with single
 * spaces.  A page is aligned with itself completely, and with another page in order and by kind.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "corpora/man-blocks.h"
#include "corpora/man-pages.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void
check_blocks(const struct man_page *p)
{
	size_t i;

	for (i = 0; i < p->n; i++) {
		const char *s = p->text.data + p->block[i].at;
		size_t n = p->block[i].n;

		if (!n || strlen(s) != n || utf8_check(s, n) != n || strstr(s, "  ") ||
		    *s == ' ' || s[n - 1] == ' ')
			abort();
		if (!strchr("Sspt" "l", (int)p->block[i].kind))
			abort();
	}
}

static void
check_partners(const struct man_page *a, const struct man_page *b)
{
	size_t *partner = xcalloc(a->n + 1, sizeof(*partner)), i, last = SIZE_MAX;
	bool same = man_align(a, b, partner);

	for (i = 0; i < a->n; i++) {
		if (partner[i] == SIZE_MAX && !same)
			continue;
		if (partner[i] >= b->n || (last != SIZE_MAX && partner[i] <= last) ||
		    a->block[i].kind != b->block[partner[i]].kind)
			abort();
		last = partner[i];
		if (a == b && last != i)
			abort();
	}
	if (a == b && !same)
		abort();
	free(partner);
}

/* Aligns the input with its second half. */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct man_page a, b;
	struct err e;
	int r;

	a = (struct man_page){ 0 };
	b = (struct man_page){ 0 };
	r = man_page_read(&a, (const char *)data, n, &e);
	if (!r) {
		check_blocks(&a);
		check_partners(&a, &a);
		r = man_page_read(&b, (const char *)data + n / 2, n - n / 2, &e);
	}
	if (!r) {
		check_blocks(&b);
		check_partners(&a, &b);
		check_partners(&b, &a);
	}
	if (r && e.status != EXIT_INPUT)
		abort();
	man_page_release(&a);
	man_page_release(&b);
	return 0;
}
