/* facts-add: builds the text of facts; see facts-add.h. */
#include <stdbool.h>
#include <string.h>

#include "results/facts-add.h"
#include "results/ledger.h"
#include "results/outcome.h"
#include "results/run-scores.h"
#include "stream/input.h"

void
facts_add(struct buf *facts, const char *name, const char *value)
{
	buf_printf(facts, "%s\t%s\n", name, value);
}

static bool
is_name(const char *s, size_t n)
{
	return n && strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
			   "0123456789._-") >= n;
}

/* The last facts of a record. */
static bool
is_computed(const char *s, size_t n)
{
	return (n == 6 && !strncmp(s, "digest", n)) || (n == 8 && !strncmp(s, "checksum", n));
}

int
facts_add_operand(struct buf *facts, const char *text, struct err *e)
{
	const size_t n = strcspn(text, "=");
	const char *value = text + n + 1;

	if (!text[n] || !is_name(text, n) || strpbrk(value, "\t\n"))
		return err_usage(e, "'%s', expected name=value without tabs and line ends", text);
	if (is_computed(text, n))
		return err_usage(e, "%s: expected no %.*s, since the program computes it", text,
				 (int)n, text);
	if (!*value)
		return 0;
	buf_printf(facts, "%.*s\t", (int)n, text);
	if (n == 8 && !strncmp(text, "settings", 8))
		ledger_settings(value, facts);
	else
		buf_add_str(facts, value);
	buf_add_char(facts, '\n');
	return 0;
}

int
facts_add_file(struct buf *facts, const char *path, struct err *e)
{
	struct input *in = input_open(path, INPUT_UTF8, e);
	const char *line;
	size_t n;
	int r = in ? 0 : -1;

	while (!r && (r = input_line(in, &line, &n, e)) > 0) {
		const size_t length = strcspn(line, "\t");

		r = 0;
		if (!line[length] || !is_name(line, length))
			r = input_error(in, e, "expected name, tab and value");
		else if (is_computed(line, length))
			r = input_error(in, e, "expected no %.*s, since the program computes it",
					(int)length, line);
		buf_add(facts, line, n);
		buf_add_char(facts, '\n');
	}
	input_close(in);
	return r;
}

int
facts_add_other_test(struct buf *facts, const char *operand, const char *model, struct err *e)
{
	const size_t n = strcspn(operand, "=");
	double nll;

	if (!operand[n] || !is_name(operand, n))
		return err_usage(e, "--also %s: expected name=file, with a name of letters, "
				 "digits, '.', '_' and '-'", operand);
	if (run_scores_nll(operand + n + 1, model, &nll, e))
		return -1;
	buf_printf(facts, OTHER_TEST "%.*s.nll\t%.6f\n", (int)n, operand, nll);
	return 0;
}
