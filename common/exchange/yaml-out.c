/* yaml-out: see yaml-out.h. */
#include "exchange/yaml-out.h"

#include "base/utf8.h"
#include "stream/json-out.h"

static bool
needs_escape(int32_t c)
{
	return (c >= 0x7f && c < 0xa0) || c == 0x2028 || c == 0x2029 || c == 0xfeff ||
	       c == 0xfffe || c == 0xffff;
}

void
yaml_add_string(struct buf *out, const char *s, size_t n)
{
	struct buf json = { 0 };
	size_t len;

	json_add_string(&json, s, n);
	for (size_t i = 0; i < json.n; i += len) {
		const int32_t c = utf8_next(json.data + i, json.n - i, &len);

		if (needs_escape(c))
			buf_printf(out, "\\u%04x", (unsigned)c);
		else
			buf_add(out, json.data + i, len);
	}
	buf_release(&json);
}
