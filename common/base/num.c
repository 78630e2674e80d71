/* num: strict number parsing; see num.h. */
#include "base/num.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST 64	/* characters; longer ones are not numbers */

/* strtod() and strtoll() need a NUL byte and skip white space: add the one, refuse the other. */
static const char *
num_terminated(char text[LONGEST + 1], const char *s, size_t n)
{
	if (!n || n > LONGEST || !strchr("+-.0123456789", s[0]) || memchr(s, 0, n))
		return NULL;
	memcpy(text, s, n);
	text[n] = 0;
	return text;
}

int
num_int(const char *s, size_t n, int64_t min, int64_t max, int64_t *v, struct err *e)
{
	char text[LONGEST + 1], *end = text;
	long long x = 0;

	errno = 0;
	if (num_terminated(text, s, n))
		x = strtoll(text, &end, 10);
	if (end == text || *end || errno || x < min || x > max)
		return err_set(e, EXIT_USAGE, "'%.*s', expected an integer from %lld to %lld",
			       n > LONGEST ? LONGEST : (int)n, s, (long long)min, (long long)max);
	*v = x;
	return 0;
}

int
num_float(const char *s, size_t n, double min, double max, double *v, struct err *e)
{
	char text[LONGEST + 1], *end = text;
	double x = 0;

	errno = 0;
	/* No hexadecimal, inf or nan. */
	if (num_terminated(text, s, n) && !strpbrk(text, "xXnN"))
		x = strtod(text, &end);
	if (end == text || *end || !isfinite(x) || x < min || x > max)
		return err_set(e, EXIT_USAGE, "'%.*s', expected a number from %g to %g",
			       n > LONGEST ? LONGEST : (int)n, s, min, max);
	*v = x;
	return 0;
}
