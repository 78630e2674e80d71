/* po-file: any bytes are a catalog in text form or are refused; strings are text in UTF-8. */
#include <string.h>

#include "base/utf8.h"
#include "corpora/gettext.h"
#include "fuzz.h"

static void
check(struct str s)
{
	must(utf8_text(s.s, s.n) == s.n);
}

static int
look(void *arg, const struct message *m, struct err *e)
{
	(void)arg;
	(void)e;
	must(m->forms >= 1 && m->forms <= MESSAGE_FORMS && (m->forms == 1 || m->plural.s));
	must(m->original.s && (m->original.n || m->context.s));
	if (m->context.s)
		check(m->context);
	check(m->original);
	if (m->plural.s)
		check(m->plural);
	for (int i = 0; i < m->forms; i++) {
		must(m->form[i].s != NULL);
		check(m->form[i]);
	}
	return 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct err e = { .status = EXIT_OK };
	struct input *in = input_memory("fuzz", data, n, INPUT_UTF8, &e);

	if (in && po_read(in, look, NULL, &e))
		must(e.status == EXIT_INPUT);
	input_close(in);
	return 0;
}
