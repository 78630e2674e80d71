/* ctranslate2-file: see ctranslate2-file.h. */
#include "convert/ctranslate2-file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "stream/stream.h"

enum { NEWEST = 6, WITH_SPEC = 2, WITH_ALIASES = 3, WITH_TYPES = 4 };

/* Of the int16 matrices of version 1. */
#define INT16_SCALE ((real)1000)

struct in { const unsigned char *start, *p, *end; };

static const struct type { const char *name; enum weight_type type; size_t size; } types[] = {
	{ "float32", WEIGHT_F32, 4 }, { "int8", WEIGHT_OTHER, 1 }, { "int16", WEIGHT_OTHER, 2 },
	{ "int32", WEIGHT_OTHER, 4 }, { "float16", WEIGHT_F16, 2 }, { "bfloat16", WEIGHT_BF16, 2 },
};
enum { TYPES = sizeof(types) / sizeof(*types), FLOAT32 = 0, INT8 = 1, INT16 = 2 };

static int
truncated(const struct in *file, const char *name, struct err *e)
{
	return err_set(e, EXIT_INPUT, "truncated at byte %zu: expected %s",
		       (size_t)(file->end - file->start), name);
}

static int
ct2_file_take(struct in *file, int bytes, uint32_t *x, const char *name, struct err *e)
{
	*x = 0;
	if (file->end - file->p < bytes)
		return truncated(file, name, e);
	*x = (uint32_t)little_endian(file->p, bytes);
	file->p += bytes;
	return 0;
}

static int
ct2_file_take_text(struct in *file, struct str *s, const char *name, struct err *e)
{
	uint32_t n;

	if (ct2_file_take(file, 2, &n, name, e))
		return -1;
	if ((size_t)(file->end - file->p) < n)
		return truncated(file, name, e);
	if (!n || file->p[n - 1])
		return err_set(e, EXIT_INPUT, "byte %zu: expected %s, a text with a NUL byte",
			       (size_t)(file->p - file->start), name);
	*s = (struct str){ (const char *)file->p, n - 1 };
	file->p += n;
	return 0;
}

/* How long a name is in a message at most. */
static int
ct2_file_shown(struct str s)
{
	return s.n < 200 ? (int)s.n : 200;
}

/* The type of a tensor and its bytes. */
static int
take_type(struct in *file, int version, struct str name, const struct type **type, uint64_t *bytes,
	  struct err *e)
{
	static const int of_size[] = { [4] = FLOAT32, [2] = INT16, [1] = INT8 };
	uint32_t id, n;

	if (ct2_file_take(file, 1, &id, "a type", e) ||
	    ct2_file_take(file, 4, &n, "a number of bytes", e))
		return -1;
	*bytes = n;
	if (version < WITH_TYPES) {
		if (id != 1 && id != 2 && id != 4)
			return err_set(e, EXIT_INPUT, "tensor %.*s has elements of %u bytes, "
				       "expected 1, 2 or 4", ct2_file_shown(name), name.s,
				       (unsigned)id);
		*bytes = (uint64_t)n * id;
		id = (uint32_t)of_size[id];
	}
	if (id >= TYPES)
		return err_set(e, EXIT_INPUT, "tensor %.*s has type number %u, expected 0 to %d",
			       ct2_file_shown(name), name.s, (unsigned)id, TYPES - 1);
	*type = &types[id];
	return 0;
}

/* Replaces the first occurrence of a text; whether there was one. */
static bool
replace(struct buf *name, const char *old, const char *new_text)
{
	const char *at = strstr(name->data, old);
	struct buf new = { 0 };

	if (!at)
		return false;
	buf_add(&new, name->data, (size_t)(at - name->data));
	buf_add_str(&new, new_text);
	buf_add_str(&new, at + strlen(old));
	buf_release(name);
	*name = new;
	return true;
}

/* Names of revision 1 are those of OpenNMT-tf's graph. */
static void
rename_old(struct buf *name)
{
	static const char *const pairs[][2] = {
		{ "transformer/", "" }, { ":0", "" }, { "w_embs", "embeddings/weight" },
		{ "kernel", "weight" }, { "LayerNorm", "layer_norm" }, { "dense", "projection" },
		{ "conv1d_", "linear_" }, { "conv1d", "linear_0" },
		{ "masked_multi_head", "self_attention" },
	};

	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++)
		replace(name, pairs[i][0], pairs[i][1]);
	replace(name, "multi_head",
		strstr(name->data, "encoder") ? "self_attention" : "attention");
}

static struct weight *
ct2_file_add_named(struct weights *w, const struct ct2_file *f, struct str name,
		   const struct type *type, int n_dim, const int64_t *d, struct err *e)
{
	struct buf text = { 0 };
	struct weight *x;

	buf_add(&text, name.s, name.n);
	if (f->revision == 1 && !memchr(name.s, 0, name.n))
		rename_old(&text);
	x = weights_add(w, text.data, text.n, type->type, type->name, type->size, n_dim, d, e);
	buf_release(&text);
	return x;
}

static int
take_tensor(struct in *file, struct weights *w, const struct ct2_file *f, struct err *e)
{
	const struct type *type = types;
	int64_t d[WEIGHT_DIMS];
	uint32_t n_dim, length;
	struct weight *x;
	struct str name;
	uint64_t bytes = 0;

	if (ct2_file_take_text(file, &name, "the name of a tensor", e) ||
	    ct2_file_take(file, 1, &n_dim, "a number of dimensions", e))
		return -1;
	if (n_dim > WEIGHT_DIMS)
		return err_set(e, EXIT_INPUT, "tensor %.*s has %u dimensions, expected at most %d",
			       ct2_file_shown(name), name.s, (unsigned)n_dim, WEIGHT_DIMS);
	for (uint32_t i = 0; i < n_dim; i++) {
		if (ct2_file_take(file, 4, &length, "a dimension", e))
			return -1;
		d[i] = length;
	}
	if (take_type(file, f->version, name, &type, &bytes, e))
		return -1;
	x = ct2_file_add_named(w, f, name, type, (int)n_dim, d, e);
	if (!x)
		return -1;
	if (bytes != x->bytes)
		return err_set(e, EXIT_INPUT, "tensor %s has %llu bytes, expected %zu", x->name,
			       (unsigned long long)bytes, x->bytes);
	if ((size_t)(file->end - file->p) < x->bytes)
		return truncated(file, "the elements of a tensor", e);
	x->data = file->p;
	file->p += x->bytes;
	return 0;
}

/* The scales of a quantized matrix, which are in a tensor of their own. */
static int
quantize(struct weights *w, struct weight *x, enum weight_type type, struct err *e)
{
	const real of_old_files = INT16_SCALE;
	char *name = xasprintf("%s_scale", x->name);
	struct weight *scale = weights_find(w, name);
	real *values;
	int r;

	free(name);
	if (!scale && type == WEIGHT_I16)
		return weight_quantized(x, type, &of_old_files, 1, e);
	if (!scale)
		return err_set(e, EXIT_INPUT, "tensor %s has type int8, expected %s_scale for it",
			       x->name, x->name);
	if (scale->type == WEIGHT_OTHER || scale->n > x->n)
		return err_set(e, EXIT_INPUT, "tensor %s: expected one float for each row of %s",
			       scale->name, x->name);
	values = xreallocarray(NULL, scale->n + 1, sizeof(*values));
	weight_get(scale, 0, scale->n, values);
	r = weight_quantized(x, type, values, scale->n, e);
	free(values);
	if (!scale->use.n)
		buf_printf(&scale->use, "- (the scale of %s)", x->name);
	return r;
}

static int
quantize_all(struct weights *w, struct err *e)
{
	for (size_t i = 0; i < w->n; i++) {
		struct weight *x = &w->list[i];
		const bool i8 = !strcmp(x->type_name, "int8");

		if (x->n_dim == 2 && x->n && (i8 || !strcmp(x->type_name, "int16")) &&
		    quantize(w, x, i8 ? WEIGHT_I8 : WEIGHT_I16, e))
			return -1;
	}
	return 0;
}

/* A second name of a tensor, with the same bytes and scales. */
static int
take_alias(struct in *file, struct weights *w, struct err *e)
{
	struct str alias, name;
	struct weight *x;
	int of;

	if (ct2_file_take_text(file, &alias, "an alias", e) ||
	    ct2_file_take_text(file, &name, "the name of a tensor", e))
		return -1;
	of = strmap_find(&w->names, name.s, name.n);
	if (of < 0)
		return err_set(e, EXIT_INPUT, "alias %.*s is of %.*s, expected a tensor",
			       ct2_file_shown(alias), alias.s, ct2_file_shown(name), name.s);
	x = &w->list[of];
	x = weights_add(w, alias.s, alias.n, x->type, x->type_name, x->n ? x->bytes / x->n : 1,
			x->n_dim, x->d, e);
	if (!x)
		return -1;
	x->data = w->list[of].data;
	x->scales = w->list[of].scales;
	if (x->scales) {
		x->scale = xreallocarray(NULL, x->scales, sizeof(*x->scale));
		memcpy(x->scale, w->list[of].scale, x->scales * sizeof(*x->scale));
	}
	return 0;
}

static int
take_head(struct in *file, struct ct2_file *f, struct err *e)
{
	uint32_t version, revision = 1;
	struct str spec = { "", 0 };

	if (ct2_file_take(file, 4, &version, "a version", e))
		return -1;
	if (version < 1 || version > NEWEST)
		return err_set(e, EXIT_INPUT, "version %u, expected 1 to %d", (unsigned)version,
			       NEWEST);
	if (version >= WITH_SPEC &&
	    (ct2_file_take_text(file, &spec, "the name of a specification", e) ||
				     ct2_file_take(file, 4, &revision, "a revision", e)))
		return -1;
	*f = (struct ct2_file){ .version = (int)version, .revision = revision };
	snprintf(f->spec, sizeof(f->spec), "%.*s", ct2_file_shown(spec), spec.s);
	return 0;
}

static int
ct2_file_read_all(struct in *file, struct weights *w, struct ct2_file *f, struct err *e)
{
	uint32_t n, aliases = 0;

	if (take_head(file, f, e) || ct2_file_take(file, 4, &n, "the number of tensors", e))
		return -1;
	while (n-- > 0)
		if (take_tensor(file, w, f, e))
			return -1;
	if (quantize_all(w, e) ||
	    (f->version >= WITH_ALIASES &&
	     ct2_file_take(file, 4, &aliases, "the number of aliases", e)))
		return -1;
	while (aliases-- > 0)
		if (take_alias(file, w, e))
			return -1;
	if (file->p < file->end)
		return err_set(e, EXIT_INPUT, "%zu bytes after the last %s, expected none",
			       (size_t)(file->end - file->p),
			       f->version >= WITH_ALIASES ? "alias" : "tensor");
	return 0;
}

int
ct2_memory(struct weights *w, const char *name, const void *p, size_t n, struct ct2_file *f,
	   struct err *e)
{
	const unsigned char *bytes = n ? p : (const void *)"";
	struct in in = { bytes, bytes, bytes + n };

	return ct2_file_read_all(&in, w, f, e) ? err_wrap(e, "%s", name) : 0;
}

int
ct2_open(struct weights *w, const char *path, struct ct2_file *f, struct err *e)
{
	const struct file_map *m = weights_map(w, path, e);

	return m ? ct2_memory(w, path, m->p, m->n, f, e) : -1;
}

bool
ct2_is(const char *path)
{
	struct file_map m;
	struct err unused;
	bool is;

	if (file_map(&m, path, &unused))
		return false;
	is = m.n >= 4 && m.p[0] && !m.p[1] && !m.p[2] && !m.p[3];
	file_unmap(&m);
	return is;
}

bool
ct2_number(const struct weight *w, double *x)
{
	const char *type = w->type_name;
	real value;

	if (w->n != 1)
		return false;
	if (w->type != WEIGHT_OTHER) {
		weight_get(w, 0, 1, &value);
		*x = (double)value;
	} else if (!strcmp(type, "int8")) {
		*x = (int8_t)w->data[0];
	} else if (!strcmp(type, "int16")) {
		*x = (int16_t)little_endian(w->data, 2);
	} else {
		*x = (int32_t)little_endian(w->data, 4);
	}
	return true;
}
