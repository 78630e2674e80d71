/* yaml: any text is refused, or is a tree that can be walked, as settings and as a vocabulary. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "convert/ids.h"
#include "exchange/conf.h"
#include "stream/msgpack-in.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

/* How many values there are. */
static size_t
count(struct conf_value v)
{
	struct conf_value item;
	struct conf_walk w;
	struct str key;
	size_t n = 1;

	for (conf_walk(&w, v); conf_next(&w, &key, &item);)
		n += count(item);
	return n;
}

static void
check(const struct conf *c, size_t n)
{
	const uint8_t *p = (const uint8_t *)c->bytes.data, *end = p + c->bytes.n;
	struct buf shown = { 0 };
	enum mp_state state;
	struct ids v;
	struct err e;
	int64_t i = 7;

	if (mp_skip(p, end, 0, &state) != end)
		bug("YAML became no msgpack value");
	if (count(conf_root(c)) > n + 2)
		bug("more values than bytes");
	conf_show(conf_root(c), &shown);
	buf_release(&shown);
	if (conf_want_int(c, "a", 1, 9, &i, &e) ? e.status != EXIT_INPUT : i < 1 || i > 9)
		abort();
	v = (struct ids){ 0 };
	if (!ids_conf(&v, conf_root(c), "fuzz", 1000, &e)) {
		int *row = ids_by_row(&v, 1000);

		free(row);
	} else if (e.status != EXIT_INPUT) {
		abort();
	}
	ids_release(&v);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	char *text = xstrndup((const char *)data, n);
	struct conf c;
	struct err e;

	if (!conf_yaml(&c, "fuzz", text, n, &e))
		check(&c, n);
	else if (e.status != EXIT_INPUT)
		abort();
	conf_release(&c);
	free(text);
	return 0;
}
