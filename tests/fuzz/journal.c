/* journal: any bytes are a journal of nmt-search, whose scores are then found, or are refused. */
#include <string.h>

#include "base/buf.h"
#include "tune/journal.h"

#include "fuzz.h"

static const char search[] = "{\"data\":\"1-2,3-4\",\"objective\":\"nll\",\"base\":\"\",";

/* The number of complete lines. */
static size_t
count_lines(const char *text, size_t n)
{
	size_t lines = 0;

	for (size_t i = 0; i < n; i++)
		lines += text[i] == '\n';
	return lines;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	static const struct trial first = { .options = "--lr 1", .seed = 1 };
	const char *text = (const char *)data;
	struct journal *j, *again;
	size_t whole, same;
	struct err e;

	j = journal_memory("journal", text, n, search, 1, &whole, &e);
	if (!j) {
		must(e.status == EXIT_INPUT);
		return 0;
	}
	must(whole <= n && (!whole || text[whole - 1] == '\n'));
	must(!memchr(text + whole, '\n', n - whole));
	must(!journal_score(j, &first) || count_lines(text, whole));
	again = journal_memory("journal", text, whole, search, 1, &same, &e);
	must(again && same == whole);
	must(!journal_score(j, &first) == !journal_score(again, &first));
	journal_close(again);
	journal_close(j);
	return 0;
}
