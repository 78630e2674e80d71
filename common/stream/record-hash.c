/* record-hash: see record-hash.h. */
#include "stream/record-hash.h"

#include <string.h>

#include "base/hash.h"
#include "stream/header-parts.h"
#include "stream/msgpack-out.h"
#include "stream/record-parts.h"

/* The declared type of a field that the record has. */
static enum type_base
declared_type(const struct record *rec, const char *name)
{
	const int i = record_find(rec, name, strlen(name))->declared;

	return i < 0 || !rec->header ? TYPE_OTHER : rec->header->field[i].parsed.base;
}

/*
 * Appends the number or the list of numbers to `out`, in the encoding of the record_set functions;
 * nothing for all other values.
 */
static void
put_numbers(const struct record *rec, const char *name, struct buf *out)
{
	const enum type_base type = declared_type(rec, name);
	const int32_t *list;
	int64_t i;
	double v;
	size_t n;

	if (type == TYPE_FLOAT && !record_float(rec, name, &v)) {
		mp_put_float(out, v);
	} else if (type == TYPE_INT && !record_int(rec, name, &i)) {
		mp_put_int(out, i);
	} else if (type == TYPE_INTS && !record_ints(rec, name, &list, &n)) {
		mp_put_array(out, n);
		for (size_t k = 0; k < n; k++)
			mp_put_int(out, list[k]);
	}
}

uint64_t
record_hash(const struct record *rec, const char *name, uint64_t h, bool *present)
{
	struct buf numbers = { 0 };
	const void *p;
	struct str s;
	size_t n;

	*present = !record_raw(rec, name, &p, &n);
	if (!*present)
		return hash_fnv1a(h, "-", 1);
	if (!record_str(rec, name, &s))
		return hash_fnv1a(hash_fnv1a(h, "s", 1), s.s, s.n);
	put_numbers(rec, name, &numbers);
	h = hash_fnv1a(h, "m", 1);
	h = numbers.n ? hash_fnv1a(h, numbers.data, numbers.n) : hash_fnv1a(h, p, n);
	buf_release(&numbers);
	return h;
}
