/* safetensors: see safetensors.h. */
#include "convert/safetensors.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "exchange/conf.h"
#include "stream/cells.h"

#define MAX_HEADER ((uint64_t)100 << 20)

static const struct dtype { const char *name; enum weight_type type; size_t size; } dtypes[] = {
	{ "F32", WEIGHT_F32, 4 }, { "F16", WEIGHT_F16, 2 }, { "BF16", WEIGHT_BF16, 2 },
	{ "F64", WEIGHT_F64, 8 }, { "I64", WEIGHT_OTHER, 8 }, { "U64", WEIGHT_OTHER, 8 },
	{ "I32", WEIGHT_OTHER, 4 }, { "U32", WEIGHT_OTHER, 4 }, { "I16", WEIGHT_OTHER, 2 },
	{ "U16", WEIGHT_OTHER, 2 }, { "I8", WEIGHT_OTHER, 1 }, { "U8", WEIGHT_OTHER, 1 },
	{ "BOOL", WEIGHT_OTHER, 1 }, { NULL, WEIGHT_OTHER, 0 }
};

static const struct dtype *
find_dtype(struct conf_value v)
{
	struct str s;

	for (const struct dtype *t = dtypes; conf_text(v, &s) && t->name; t++)
		if (str_is(s, t->name))
			return t;
	return NULL;
}

/* A list of at most max integers that are not negative; how many, or -1. */
static int
integers(struct conf_value list, int64_t *out, int max)
{
	struct conf_value v;
	struct conf_walk w;
	struct str key;
	int n = 0;

	if (!conf_is_list(list))
		return -1;
	for (conf_walk(&w, list); conf_next(&w, &key, &v); n++)
		if (n == max || !conf_int(v, &out[n]) || out[n] < 0)
			return -1;
	return n;
}

/* One tensor of the object; the bytes of all are p[0..n). */
static int
safetensors_add_tensor(struct weights *w, struct str name, struct conf_value v,
		       const unsigned char *p, size_t n, struct err *e)
{
	const int cut = (int)(name.n < 200 ? name.n : 200);
	const struct dtype *t = find_dtype(conf_in(v, "dtype"));
	int64_t d[WEIGHT_DIMS], at[2];
	const int n_dim = integers(conf_in(v, "shape"), d, WEIGHT_DIMS);
	struct weight *x;

	if (!t)
		return err_set(e, EXIT_INPUT,
			       "tensor %.*s: expected dtype F32, F16, BF16, F64 or an "
			       "integer's",
			       cut, name.s);
	if (n_dim < 0 || integers(conf_in(v, "data_offsets"), at, 2) != 2)
		return err_set(e, EXIT_INPUT,
			       "tensor %.*s: expected a shape of at most %d integers "
			       "and two data_offsets",
			       cut, name.s, WEIGHT_DIMS);
	x = weights_add(w, name.s, name.n, t->type, t->name, t->size, n_dim, d, e);
	if (!x)
		return -1;
	if (at[0] > at[1] || (uint64_t)at[1] > n || (uint64_t)(at[1] - at[0]) != x->bytes)
		return err_set(e, EXIT_INPUT,
			       "tensor %.*s: data_offsets %lld to %lld, expected %zu "
			       "bytes of the file's %zu",
			       cut, name.s, (long long)at[0], (long long)at[1], x->bytes, n);
	x->data = p + at[0];
	return 0;
}

static int
safetensors_by_place(const void *a, const void *b)
{
	const struct weight *const *x = a, *const *y = b;

	if ((*x)->data != (*y)->data)
		return (*x)->data < (*y)->data ? -1 : 1;
	return (*x)->bytes < (*y)->bytes ? -1 : (*x)->bytes > (*y)->bytes;
}

/* One after another, from the first byte to the last. */
static int
check_places(const struct weights *w, size_t first, const unsigned char *p, size_t n,
	     struct err *e)
{
	const size_t count = w->n - first;
	const struct weight **order = xreallocarray(NULL, count + 1, sizeof(*order));
	int r = 0;

	for (size_t i = 0; i < count; i++)
		order[i] = &w->list[first + i];
	qsort(order, count, sizeof(*order), safetensors_by_place);
	for (size_t i = 0; !r && i < count; i++) {
		if (order[i]->data != p)
			r = err_set(e, EXIT_INPUT,
				    "tensor %s: its bytes overlap with those of "
				    "another, or bytes between them belong to none",
				    order[i]->name);
		p += order[i]->bytes;
		n -= order[i]->bytes;
	}
	free(order);
	if (!r && n)
		r = err_set(e, EXIT_INPUT, "%zu bytes after the last tensor", n);
	return r;
}

static int
add_tensors(struct weights *w, const struct conf *header, const unsigned char *p, size_t n,
	    struct err *e)
{
	const size_t first = w->n;
	struct conf_value v;
	struct conf_walk walk;
	struct str name;

	conf_walk(&walk, conf_root(header));
	while (conf_next(&walk, &name, &v)) {
		if (name.n == 12 && !memcmp(name.s, "__metadata__", 12))
			continue;
		if (safetensors_add_tensor(w, name, v, p, n, e))
			return err_wrap(e, "%s", header->name);
	}
	return check_places(w, first, p, n, e) ? err_wrap(e, "%s", header->name) : 0;
}

int
safetensors_memory(struct weights *w, const char *name, const void *bytes, size_t n, struct err *e)
{
	const unsigned char *p = bytes;
	struct conf header;
	const uint64_t size = n >= 8 ? little_endian(p, 8) : 0;
	char *text;
	int r;

	if (n < 8 || size > n - 8 || size > MAX_HEADER)
		return err_set(e, EXIT_INPUT,
			       "%s: not a safetensors file, or cut: expected a header "
			       "of %llu bytes",
			       name, (unsigned long long)size);
	text = xstrndup((const char *)p + 8, (size_t)size);
	r = conf_json(&header, name, text, (size_t)size, e);
	free(text);
	if (r)
		return -1;
	r = add_tensors(w, &header, p + 8 + size, n - 8 - (size_t)size, e);
	conf_release(&header);
	return r;
}

int
safetensors_open(struct weights *w, const char *path, struct err *e)
{
	const struct file_map *m = weights_map(w, path, e);

	return m ? safetensors_memory(w, path, m->p, m->n, e) : -1;
}

/* The tensors of one file, which must be those that the index says. */
static int
open_shard(struct weights *w, const struct conf *index, struct str file, struct err *e)
{
	char *folder = file_folder(index->name), *path = file_named(folder, file);
	int r;

	if (!path)
		r = err_set(e, EXIT_INPUT, "%s: expected the name of a file in the same folder, "
			    "found %.*s", index->name, (int)(file.n < 200 ? file.n : 200), file.s);
	else
		r = file_expect(path, e) ? -1 : safetensors_open(w, path, e);
	free(path);
	free(folder);
	return r;
}

/* The files that are open: `end` is the number of tensors after each of them. */
struct shards { struct strmap file; size_t *end, room; };

/* Opens a file unless it is open, and tells whether it has a tensor. */
static int
find_in_shard(struct weights *w, struct shards *s, const struct conf *index, struct str file,
	      struct str name, bool *found, struct err *e)
{
	const size_t before = s->file.n, k = (size_t)strmap_add(&s->file, file.s, file.n);
	int i;

	if (k == before) {
		if (open_shard(w, index, file, e))
			return -1;
		s->end = mem_grow(s->end, &s->room, k + 1, sizeof(*s->end));
		s->end[k] = w->n;
	}
	i = strmap_find(&w->names, name.s, name.n);
	*found = i >= 0 && (size_t)i < s->end[k] && (!k || (size_t)i >= s->end[k - 1]);
	return 0;
}

/* Opens each file at its first tensor, and checks where all tensors are; others are refused. */
static int
open_shards(struct weights *w, const struct conf *index, struct shards *s, struct err *e)
{
	const struct conf_value map = conf_get(index, "weight_map");
	struct conf_value v;
	struct conf_walk walk;
	struct str name, file;
	size_t n = 0;

	if (!conf_is_map(map))
		return conf_refuse(index, "weight_map", "a map from tensors to files", e);
	for (conf_walk(&walk, map); conf_next(&walk, &name, &v); n++) {
		bool found;

		if (!conf_text(v, &file))
			return conf_refuse(index, "weight_map", "a map from tensors to files", e);
		if (find_in_shard(w, s, index, file, name, &found, e))
			return -1;
		if (!found)
			return err_set(e, EXIT_INPUT, "%s: tensor %.*s is not in %.*s", index->name,
				       (int)(name.n < 200 ? name.n : 200), name.s,
				       (int)(file.n < 200 ? file.n : 200), file.s);
	}
	if (n != w->n)
		return err_set(e, EXIT_INPUT, "%s: names %zu tensors, the files have %zu",
			       index->name, n, w->n);
	return 0;
}

int
safetensors_open_index(struct weights *w, const char *path, struct err *e)
{
	struct shards s = { .end = NULL };
	struct conf index;
	int r;

	if (conf_open(&index, path, false, e))
		return -1;
	r = open_shards(w, &index, &s, e);
	strmap_release(&s.file);
	free(s.end);
	conf_release(&index);
	return r;
}
