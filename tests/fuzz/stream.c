/*
 * stream: any bytes are a stream or are refused.  All values are decoded and converted to JSON,
 * which restores the same bytes, except for NaNs.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "stream/json-in.h"
#include "stream/json-out.h"
#include "stream/record-parts.h"
#include "stream/stream.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void
touch(const struct record *rec)
{
	for (int i = 0; i < record_n_fields(rec); i++) {
		struct str s = record_name(rec, i);
		char name[64];
		const struct str *strs;
		const int32_t *ints;
		struct tensor t;
		int64_t v;
		double f;
		size_t len;

		if (s.n >= sizeof(name))
			continue;
		memcpy(name, s.s, s.n);
		name[s.n] = 0;
		record_int(rec, name, &v);
		record_float(rec, name, &f);
		record_ints(rec, name, &ints, &len);
		record_strs(rec, name, &strs, &len);
		if (!record_tensor(rec, name, &t) && t.n_dim == 2 && t.type == TENSOR_BITS &&
		    t.d[0] && t.d[1])
			(void)tensor_bit(&t, t.d[0] - 1, t.d[1] - 1);
	}
}

/* The bytes of a NaN may change, so with a NaN only the JSON is compared. */
static bool
same_text(const struct reader *r, const struct buf *text, const struct buf *bytes)
{
	struct record *rec = record_new();
	struct buf again = { 0 };
	struct err e;
	size_t used;
	bool same = strstr(text->data, "{\"$float\":\"nan\"}") &&
		    record_parse(rec, reader_header(r), (const uint8_t *)bytes->data, bytes->n,
				 &used,
				 &e) == 1 && used == bytes->n;

	if (same)
		json_add_record(&again, rec);
	same = same && again.n == text->n && !memcmp(again.data, text->data, text->n);
	buf_release(&again);
	record_free(rec);
	return same;
}

static void
there_and_back(const struct reader *r, const struct record *rec)
{
	struct buf text = { 0 }, bytes = { 0 }, again = { 0 };
	struct err e = { .status = EXIT_OK };
	bool same;

	record_encode(rec, &bytes);
	json_add_record(&text, rec);
	if (json_read(text.data, text.n, reader_header(r), &again, &e))
		bug("a record cannot come back from %s: %s", text.data, e.text);
	same = again.n == bytes.n && !memcmp(again.data, bytes.data, bytes.n);
	if (!same && !same_text(r, &text, &again))
		bug("a record changed on its way through %s", text.data);
	buf_release(&text);
	buf_release(&bytes);
	buf_release(&again);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct record *rec, *copy = record_new();
	struct reader *r;
	struct err e;

	r = reader_memory("fuzz", data, n, NULL, NULL, &e);
	while (r && reader_next(r, &rec, &e) > 0) {
		touch(rec);
		there_and_back(r, rec);
		record_copy(copy, rec);
		touch(copy);
	}
	reader_close(r);
	record_free(copy);
	return 0;
}
