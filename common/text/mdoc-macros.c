#include "text/man-reader.h"
void
mdoc_macro(struct man_reader *r, const char *name, size_t name_n, const char *args, size_t n)
{
	(void)name; (void)name_n; (void)args; (void)n;
	r->t.odd = true;
}
