/*
 * json: any text is JSON for one msgpack value, whose JSON gives the same value, or is refused.
 * JSON of other programs becomes one value, whose keys are all text.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "stream/header-parts.h"
#include "stream/json-in.h"
#include "stream/json-out.h"
#include "stream/msgpack-in.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void
check(const struct buf *first)
{
	const uint8_t *p = (const uint8_t *)first->data, *end = p + first->n;
	struct buf text = { 0 }, again = { 0 };
	enum mp_state state;
	struct err e;

	if (mp_skip(p, end, 0, &state) != end)
		bug("JSON became no msgpack value");
	json_add_value(&text, NULL, first->data, first->n);
	if (json_read(text.data, text.n, NULL, &again, &e) || again.n != first->n ||
	    memcmp(again.data, first->data, first->n))
		bug("a value changed on its way through %s: %s", text.data, e.text);
	buf_release(&text);
	buf_release(&again);
}

static void
check_plain(const struct buf *out)
{
	const uint8_t *p = (const uint8_t *)out->data, *end = p + out->n;
	enum mp_state state;

	if (mp_skip(p, end, 0, &state) != end)
		bug("JSON became no msgpack value");
	for (struct mp m; p < end;) {
		p = mp_get(p, end, &m, &state);
		if (m.kind == MP_MAP && m.n && (!mp_get(p, end, &m, &state) || m.kind != MP_STR))
			bug("a key is no text");
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct header *types = header_new("any");
	char *text = xstrndup((const char *)data, n);
	struct buf out = { 0 };
	struct err e;

	n = strlen(text);	/* like a line of a file, which ends at a NUL byte */
	header_add_field(types, "a", "f32[n,m]");
	header_add_field(types, "b", "bits[n,k]");
	header_add_field(types, "c", "i8[n]");
	if (!json_read(text, n, types, &out, &e))
		check(&out);
	buf_clear(&out);
	if (!json_read_plain(text, n, true, &out, &e))
		check_plain(&out);
	buf_release(&out);
	header_free(types);
	free(text);
	return 0;
}
