/* mo-file: any bytes are a compiled catalog or are refused; strings lie within and are UTF-8. */
#include <string.h>

#include "base/utf8.h"
#include "corpora/gettext.h"
#include "fuzz.h"

struct seen { const char *p; size_t n, used; };

static void
check(struct seen *seen, struct str s)
{
	must(s.s >= seen->p && s.s + s.n < seen->p + seen->n);
	must(utf8_check(s.s, s.n) == s.n);
	must(!memchr(s.s, '\0', s.n));
	seen->used += s.n + 1;
}

static int
look(void *arg, const struct message *m, struct err *e)
{
	struct seen *seen = arg;

	(void)e;
	must(m->forms >= 1 && m->forms <= MESSAGE_FORMS && (m->forms == 1 || m->plural.s));
	must(m->original.n || m->context.s);
	if (m->context.s)
		check(seen, m->context);
	check(seen, m->original);
	if (m->plural.s)
		check(seen, m->plural);
	for (int i = 0; i < m->forms; i++)
		check(seen, m->form[i]);
	return 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct seen seen = { (const char *)data, n, 0 };
	struct err e = { .status = EXIT_OK };

	if (mo_read((const char *)data, n, look, &seen, &e))
		must(e.status == EXIT_INPUT);
	must(seen.used <= n);
	return 0;
}
