/* arrays-out: see arrays-out.h. */
#include "exchange/arrays-out.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/output.h"
#include "exchange/array.h"
#include "stream/archive.h"

struct arrays_out {
	const struct name_map *fields;
	struct array *array;		/* one for each field */
	struct output *npy;		/* one of the two is NULL */
	struct archive_out *npz;
};

static bool
is_common(const struct arrays_out *a, size_t i)
{
	return a->npy || array_is_fixed(&a->fields->pair[i].parsed);
}

struct arrays_out *
arrays_out_open(const char *path, const struct name_map *fields, bool zip, unsigned flags,
		struct err *e)
{
	struct arrays_out *a;

	for (size_t i = 0; i < fields->n; i++)
		if (array_check(&fields->pair[i], e))
			return NULL;
	a = xcalloc(1, sizeof(*a));
	a->fields = fields;
	a->array = xcalloc(fields->n + 1, sizeof(*a->array));
	if (zip)
		a->npz = archive_out_zip(path, flags, e);
	else
		a->npy = output_open(path, flags | OUTPUT_BINARY, e);
	if (a->npz || a->npy)
		return a;
	arrays_out_abandon(a);
	return NULL;
}

static int
put_member(void *arg, const void *p, size_t n, struct err *e)
{
	return archive_out_data(arg, p, n, e);
}

static int
arrays_out_put_output(void *arg, const void *p, size_t n, struct err *e)
{
	return output_write(arg, p, n, e);
}

/* A file of the .npz: the common array of field i, or the value of a record with this number. */
static int
write_member(struct arrays_out *a, size_t i, int64_t number, struct err *e)
{
	const struct name_pair *f = &a->fields->pair[i];
	const bool axis = number < 0;
	char *name = axis ? xasprintf("%s.npy", f->key)
			  : xasprintf("%s/%" PRId64 ".npy", f->key, number);
	int bad = archive_out_begin(a->npz, name, array_bytes(&a->array[i], &f->parsed, axis), e);

	free(name);
	return bad ? -1 : array_write(&a->array[i], &f->parsed, axis, put_member, a->npz, e);
}

int
arrays_out_add(struct arrays_out *a, const struct record *rec, const char *where, int64_t number,
	       struct err *e)
{
	for (size_t i = 0; i < a->fields->n; i++) {
		const struct name_pair *f = &a->fields->pair[i];
		int r = array_add(&a->array[i], f, rec, where, e);

		if (r < 0)
			return -1;
		if (is_common(a, i)) {
			if (!r)
				return err_set(e, EXIT_INPUT, "%s has no %s, expected it in each "
					       "record", where, f->field);
			continue;
		}
		if (r && write_member(a, i, number, e))
			return -1;
		array_clear(&a->array[i]);
	}
	return 0;
}

static void
arrays_out_release(struct arrays_out *a)
{
	for (size_t i = 0; i < a->fields->n; i++)
		array_release(&a->array[i]);
	free(a->array);
	free(a);
}

int
arrays_out_finish(struct arrays_out *a, struct err *e)
{
	int bad = 0;

	for (size_t i = 0; i < a->fields->n && !bad; i++) {
		if (!is_common(a, i))
			continue;
		bad = a->npz ? write_member(a, i, -1, e)
			     : array_write(&a->array[i], &a->fields->pair[i].parsed, true,
					   arrays_out_put_output, a->npy, e);
	}
	if (bad) {
		arrays_out_abandon(a);
		return -1;
	}
	bad = a->npz ? archive_out_finish(a->npz, e) : output_finish(a->npy, e);
	arrays_out_release(a);
	return bad;
}

void
arrays_out_abandon(struct arrays_out *a)
{
	if (!a)
		return;
	archive_out_abandon(a->npz);
	output_abandon(a->npy);
	arrays_out_release(a);
}
