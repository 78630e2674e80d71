/* paper-test: see paper-test.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "stream/input.h"
#include "text/paper-test.h"

/* Field i, from 0, of a line of fields with tabs between; "" where there is none. */
static const char *
field_at(const char *line, int i, size_t *n)
{
	for (; i > 0 && line; i--)
		line = (line = strchr(line, '\t')) ? line + 1 : NULL;
	*n = line ? strcspn(line, "\t") : 0;
	return line ? line : "";
}

static int
field_named(const char *head, const char *name)
{
	size_t n;

	for (int i = 0; *field_at(head, i, &n); i++)
		if (n == strlen(name) && !memcmp(field_at(head, i, &n), name, n))
			return i;
	return -1;
}

/* The last line of a table of bleu --paired --format tsv. */
static int
read_p(struct input *in, const char *name, double *p, struct err *e)
{
	struct buf head = { 0 }, last = { 0 };
	const char *line, *text;
	size_t n;
	int more, at;

	while ((more = input_line(in, &line, &n, e)) > 0) {
		struct buf *to = head.n ? &last : &head;

		buf_clear(to);
		buf_add(to, line, n);
	}
	at = !more && head.n && last.n ? field_named(head.data, name) : -1;
	if (!more && at < 0)
		more = err_set(e, EXIT_INPUT, "%s: no table with %s", input_name(in), name);
	if (!more) {
		text = field_at(last.data, at, &n);
		more = num_float(text, n, 0, 1, p, e) ? err_wrap(e, "%s: %s", input_name(in), name) : 0;
		e->status = EXIT_INPUT;
	}
	buf_release(&head);
	buf_release(&last);
	return more;
}

static int
test_of(const struct outcomes *o, enum grid_test test, const struct facts *run, const char *base,
	double *p, struct err *e)
{
	static const char *const names[] = { "p_bootstrap", "p_sign" };
	char *path = xasprintf("%s/%s/%s/%s/%s/%s.tsv", o->versus ? o->versus : "", run->paper,
			       run->column, run->variant, run->seed, base);
	struct input *in = o->versus ? input_open(path, INPUT_UTF8, e) : NULL;
	int status = 0;

	*p = NAN;
	if (in)
		status = read_p(in, names[test], p, e);
	input_close(in);
	free(path);
	return status;
}

static int
ascending(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The median, of an even number the larger in the middle; NAN of none. */
static double
median(double *p, size_t n)
{
	qsort(p, n, sizeof(*p), ascending);
	return n ? p[n / 2] : NAN;
}

int
paper_test(const struct outcomes *o, enum grid_test test, const struct run_pair *pair, size_t n,
	   double mean, double *p, struct buf *seeds, struct err *e)
{
	double *of_seed = xcalloc(n + 1, sizeof(*of_seed));
	size_t n_tested = 0;
	int status = 0;

	for (size_t i = 0; i < n && !status; i++) {
		double v;

		status = test_of(o, test, pair[i].run, pair[i].base->variant, &v, e);
		if (status || isnan(v))
			continue;
		buf_printf(seeds, "%s%.4f", seeds->n ? " " : "", v);
		of_seed[n_tested++] = pair[i].d * mean < 0 ? 1 : v;
	}
	*p = median(of_seed, n_tested);
	free(of_seed);
	return status;
}
