/*
 * model-load: reading a model; see model-file.h and heed-model(5).
 *
 * Nothing is believed: the tar's blocks, the map, each member's name, size and
 * sum, the table against what the configuration asks for, and `end`.  Memory is
 * taken only for what the file has bytes for.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/mem.h"
#include "model/layers.h"
#include "model/member.h"
#include "model/model-file.h"
#include "model/tar-check.h"
#include "stream/archive.h"

#define PIECE      ((size_t)65536)
#define MOST_MAP   ((size_t)4 << 20)	/* bytes of the map, and of a vocabulary: what is made */
#define MOST_VOCAB ((size_t)32 << 20)	/* of them takes several times that */

struct loading {
	struct archive_in *in;
	size_t file_size;
	char *map_bytes;
	struct record *map;
	struct member *member;		/* the table */
	size_t n, at;			/* rows; the next one to come */
	uint32_t crc;			/* of all contents so far */
	struct model *m;
	struct vocab src, tgt;
	model_take *take;
	void *arg;
};

/* Map: strings that must be C strings. */
static char *
map_text(const struct loading *l, const char *key, struct err *e)
{
	struct str s;

	if (record_str(l->map, key, &s) || memchr(s.s, 0, s.n)) {
		err_set(e, EXIT_INPUT, MEMBER_MAP " has no text %s", key);
		return NULL;
	}
	return xstrndup(s.s, s.n);
}

static int
map_settings(const struct loading *l, const char *key, const struct opt *table, void *state,
	     struct err *e)
{
	char *text = map_text(l, key, e);
	int r;

	if (!text)
		return -1;
	r = cli_settings(table, state, text, e);
	if (r) {
		err_wrap(e, "%s", key);
		e->status = EXIT_INPUT;
	}
	free(text);
	return r;
}

static int
check_digest(const struct loading *l, const char *key, const struct vocab *v, struct err *e)
{
	char *found = map_text(l, key, e), *digest;
	int r = -1;

	if (!found)
		return -1;
	digest = xasprintf("%016llx", (unsigned long long)vocab_digest(v));
	if (strcmp(found, digest))
		err_set(e, EXIT_INPUT, "%s has digest %s, expected %s", key, digest, found);
	else
		r = 0;
	free(digest);
	free(found);
	return r;
}

/* The member that must come now, for its size; the row itself is taken by next_member(). */
static const struct member *
peek(const struct loading *l)
{
	return l->at < l->n ? &l->member[l->at] : NULL;
}

static bool
next_is(const struct loading *l, const char *name)
{
	return l->at < l->n && !strcmp(l->member[l->at].name, name);
}

static int
next_member(struct loading *l, const char *expected, int64_t size, struct err *e)
{
	const char *name;
	int64_t found;
	int r = archive_in_next(l->in, &name, &found, e);

	if (r < 0)
		return -1;
	if (!r)
		return err_set(e, EXIT_INPUT, "it ends before member %s", expected);
	if (strcmp(name, expected))
		return err_set(e, EXIT_INPUT, "found member %s, expected %s", name, expected);
	if (size >= 0 && found != size)
		return err_set(e, EXIT_INPUT, "%s has %lld bytes, expected %lld", name,
			       (long long)found, (long long)size);
	return 0;
}

static int
check_sum(const struct member *m, uint32_t crc, struct err *e)
{
	if (crc == m->crc)
		return 0;
	return err_set(e, EXIT_INPUT, "%s has crc %08lx, expected %08lx", m->name,
		       (unsigned long)crc, (unsigned long)m->crc);
}

/* The whole next member, malloc'ed; it must be the next row's. */
static char *
read_bytes(struct loading *l, size_t *n, struct err *e)
{
	const struct member *m = &l->member[l->at++];
	char *p;

	if (next_member(l, m->name, (int64_t)m->size, e))
		return NULL;
	p = archive_in_all(l->in, m->size, n, e);
	if (!p)
		return NULL;
	l->crc = crc32_add(l->crc, p, *n);
	if (*n == m->size && !check_sum(m, crc32_add(0, p, *n), e))
		return p;
	if (*n != m->size)
		err_set(e, EXIT_INPUT, "%s has %zu bytes, expected %zu", m->name, *n, m->size);
	free(p);
	return NULL;
}

static int
read_map(struct loading *l, struct err *e)
{
	int64_t format;
	size_t n;

	if (next_member(l, MEMBER_MAP, -1, e))
		return -1;
	l->map_bytes = archive_in_all(l->in, MOST_MAP, &n, e);
	if (!l->map_bytes)
		return -1;
	l->crc = crc32_add(0, l->map_bytes, n);
	l->map = record_new();
	if (record_decode(l->map, l->map_bytes, n, e))
		return err_wrap(e, MEMBER_MAP);
	if (record_int(l->map, "format", &format))
		return err_set(e, EXIT_INPUT, MEMBER_MAP " has no format number");
	if (format != MODEL_FORMAT)
		return err_set(e, EXIT_INPUT, "model format %lld, this program reads %d",
			       (long long)format, MODEL_FORMAT);
	return 0;
}

static int
read_table(struct loading *l, struct err *e)
{
	const struct str *row;
	size_t n, total = 0;

	if (record_strs(l->map, "members", &row, &n))
		return err_set(e, EXIT_INPUT, MEMBER_MAP " has no table of members");
	l->member = xcalloc(n + 1, sizeof(*l->member));
	for (; l->n < n; l->n++) {
		struct member *m = &l->member[l->n];

		if (member_parse(m, row[l->n].s, row[l->n].n, e))
			return err_wrap(e, "member %zu", l->n + 1);
		if (m->size > l->file_size - total) {
			err_set(e, EXIT_INPUT, "%s should have %zu bytes, more than the file",
				m->name, m->size);
			l->n++;
			return -1;
		}
		total += m->size;
	}
	return 0;
}

static int
read_vocab(struct loading *l, const char *name, const char *digest, struct vocab *v, struct err *e)
{
	size_t n;
	char *text;
	int r;

	if (!next_is(l, name))
		return err_set(e, EXIT_INPUT, "the table has no %s in its place", name);
	if (l->member[l->at].size > MOST_VOCAB)
		return err_set(e, EXIT_INPUT, "%s has %zu bytes, at most %zu are taken", name,
			       l->member[l->at].size, MOST_VOCAB);
	text = read_bytes(l, &n, e);
	if (!text)
		return -1;
	r = vocab_read(v, text, n, e);
	free(text);
	if (r) {
		vocab_init(v);
		err_wrap(e, "%s", name);
		e->status = EXIT_INPUT;
		return -1;
	}
	return check_digest(l, digest, v, e);
}

static int
check_versions(const struct loading *l, struct err *e)
{
	const struct attention_set *set = l->m->attention;
	const int32_t *version;
	size_t n;

	if (record_ints(l->map, "attention.version", &version, &n) || n != attention_set_n(set))
		return err_set(e, EXIT_INPUT, "not every attention variant has a version");
	for (size_t i = 0; i < n; i++) {
		const struct attention_variant *v = attention_set_variant(set, i);

		if (version[i] != v->version)
			return err_set(e, EXIT_INPUT,
				       "attention %s is of version %d, this program has %d",
				       v->name, (int)version[i], v->version);
	}
	return 0;
}

/* The attention specs as C strings; NULL-terminated. */
static char **
map_specs(const struct loading *l, size_t *n, struct err *e)
{
	const struct str *v;
	char **spec;

	if (record_strs(l->map, "attention", &v, n)) {
		err_set(e, EXIT_INPUT, MEMBER_MAP " has no list of attention variants");
		return NULL;
	}
	spec = xcalloc(*n + 1, sizeof(*spec));
	for (size_t i = 0; i < *n; i++)
		spec[i] = xstrndup(v[i].s, v[i].n);
	return spec;
}

static int
make_model(struct loading *l, struct err *e)
{
	struct model_config config = presets[0].config;
	size_t n;
	char **spec;

	if (map_settings(l, "config", model_config_options, &config, e))
		return -1;
	spec = map_specs(l, &n, e);
	if (!spec)
		return -1;
	l->m = model_new(&config, &l->src, &l->tgt, (const char *const *)spec, n, e);
	for (size_t i = 0; i < n; i++)
		free(spec[i]);
	free(spec);
	if (l->m)
		return check_versions(l, e);
	e->status = EXIT_INPUT;
	return -1;
}

static int
fill_facts(struct loading *l, struct err *e)
{
	struct model *m = l->m;
	char *preset = map_text(l, "preset", e);

	if (!preset)
		return -1;
	snprintf(m->preset, sizeof(m->preset), "%s", preset);
	free(preset);
	m->recipe = presets[0].recipe;
	if (map_settings(l, "recipe", recipe_options, &m->recipe, e))
		return -1;
	if (record_int(l->map, "step", &m->step) || m->step < 0)
		return err_set(e, EXIT_INPUT, MEMBER_MAP " has no number of steps");
	m->pg = map_text(l, "pg", e);
	return m->pg ? 0 : -1;
}

static int
read_codes(struct loading *l, struct err *e)
{
	if (!next_is(l, MEMBER_CODES))
		return 0;
	l->m->codes = read_bytes(l, &l->m->codes_n, e);
	return l->m->codes ? 0 : -1;
}

static int
read_mask(struct loading *l, struct err *e)
{
	struct model *m = l->m;
	char *p;
	size_t n;

	if (!m->config.output_mask)
		return 0;
	if (!next_is(l, MEMBER_MASK))
		return err_set(e, EXIT_INPUT, "the table has no %s in its place", MEMBER_MASK);
	p = read_bytes(l, &n, e);
	if (!p)
		return -1;
	if (n == (size_t)m->tgt.n)
		memcpy(m->tgt_valid, p, n);
	free(p);
	if (n != (size_t)m->tgt.n)
		return err_set(e, EXIT_INPUT, "%s is for %zu types, the vocabulary has %d",
			       MEMBER_MASK, n, m->tgt.n);
	return 0;
}

/* Is row i of the table this parameter? */
static int
check_param(const struct member *m, const struct param *p, struct err *e)
{
	struct buf shape;
	int r = 0;

	buf_init(&shape);
	member_shape(p, &shape);
	if (strncmp(m->name, MEMBER_PARAM, strlen(MEMBER_PARAM)) ||
	    strcmp(m->name + strlen(MEMBER_PARAM), p->name))
		r = err_set(e, EXIT_INPUT, "found %s in the table, expected " MEMBER_PARAM "%s",
			    m->name, p->name);
	else if (strcmp(m->type, "f32") || strcmp(m->shape, shape.data) || m->size / 4 != p->n ||
		 m->size % 4)
		r = err_set(e, EXIT_INPUT, "%s is %s %s of %zu bytes, expected f32 %s", m->name,
			    m->type, m->shape, m->size, shape.data);
	buf_release(&shape);
	return r;
}

/* Before memory is taken: the table has exactly the configuration's parameters next. */
static int
check_params(const struct loading *l, struct err *e)
{
	const struct params *p = &l->m->params;

	if (p->n > l->n - l->at)
		return err_set(e, EXIT_INPUT, "%zu parameters are missing", p->n - (l->n - l->at));
	for (size_t i = 0; i < p->n; i++)
		if (check_param(&l->member[l->at + i], p->list[i], e))
			return -1;
	return 0;
}

static void
from_f32(const unsigned char *p, size_t n, real *x)
{
	for (size_t i = 0; i < n; i++, p += 4) {
		uint32_t u = (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 |
			     (uint32_t)p[3] << 24;
		float f;

		memcpy(&f, &u, sizeof(f));
		x[i] = (real)f;
	}
}

/* Exactly n bytes of this member. */
static int
read_exactly(struct loading *l, unsigned char *p, size_t n, struct err *e)
{
	while (n) {
		ptrdiff_t k = archive_in_read(l->in, p, n, e);

		if (k < 0)
			return -1;
		if (!k)
			return err_set(e, EXIT_INPUT, "%s is cut", l->member[l->at - 1].name);
		p += k;
		n -= (size_t)k;
	}
	return 0;
}

static int
read_param(struct loading *l, const struct param *p, struct err *e)
{
	const struct member *m = &l->member[l->at++];
	unsigned char piece[PIECE];
	uint32_t crc = 0;
	real *x = p->x;

	if (next_member(l, m->name, (int64_t)m->size, e))
		return -1;
	for (size_t left = m->size, k; left; left -= k) {
		k = left < PIECE ? left : PIECE;
		if (read_exactly(l, piece, k, e))
			return -1;
		crc = crc32_add(crc, piece, k);
		l->crc = crc32_add(l->crc, piece, k);
		from_f32(piece, k / 4, x);
		x += k / 4;
	}
	return check_sum(m, crc, e);
}

static int
read_params(struct loading *l, bool gradients, struct err *e)
{
	struct params *p = &l->m->params;

	if (check_params(l, e))
		return -1;
	params_allocate(p, gradients);
	for (size_t i = 0; i < p->n; i++)
		if (read_param(l, p->list[i], e))
			return -1;
	return 0;
}

static int
read_extras(struct loading *l, struct err *e)
{
	while (peek(l)) {
		const char *name = peek(l)->name;
		size_t n;
		char *p = read_bytes(l, &n, e);
		int r;

		if (!p)
			return -1;
		r = l->take ? l->take(l->arg, name, p, n, e) : 0;
		free(p);
		if (r)
			return -1;
	}
	return 0;
}

static int
read_end(struct loading *l, struct err *e)
{
	struct buf expected;
	const char *name;
	int64_t size;
	size_t n;
	char *p = NULL;
	int r = -1;

	buf_init(&expected);
	member_end(l->crc, l->n + 1, &expected);
	if (!next_member(l, MEMBER_END, -1, e))
		p = archive_in_all(l->in, 2 * expected.n, &n, e);
	if (p && (n != expected.n || memcmp(p, expected.data, n)))
		err_set(e, EXIT_INPUT, "its end does not say what was found: %.*s",
			(int)expected.n - 1, expected.data);
	else if (p)
		r = archive_in_next(l->in, &name, &size, e);
	if (r > 0)
		r = err_set(e, EXIT_INPUT, "member %s stands behind the end", name);
	free(p);
	buf_release(&expected);
	return r;
}

static int
read_all(struct loading *l, bool gradients, struct err *e)
{
	return read_map(l, e) || read_table(l, e) ||
	       read_vocab(l, MEMBER_SRC, "vocab.src", &l->src, e) ||
	       read_vocab(l, MEMBER_TGT, "vocab.tgt", &l->tgt, e) ||
	       make_model(l, e) || fill_facts(l, e) || read_codes(l, e) || read_mask(l, e) ||
	       read_params(l, gradients, e) || read_extras(l, e) || read_end(l, e) ? -1 : 0;
}

static void
release(struct loading *l)
{
	archive_in_close(l->in);
	record_free(l->map);
	free(l->map_bytes);
	for (size_t i = 0; i < l->n; i++)
		member_release(&l->member[i]);
	free(l->member);
	vocab_release(&l->src);
	vocab_release(&l->tgt);
}

struct model *
model_load_memory(const char *name, const void *p, size_t n, bool gradients, model_take *take,
		  void *arg, struct err *e)
{
	struct loading l = { .file_size = n, .take = take, .arg = arg };
	int r;

	vocab_init(&l.src);
	vocab_init(&l.tgt);
	r = tar_check(p, n, e);
	if (!r) {
		l.in = archive_in_memory(name, p, n, e);
		r = l.in ? read_all(&l, gradients, e) : -1;
	}
	if (r) {
		err_wrap(e, "%s: not a whole model", name);
		model_free(l.m);
		l.m = NULL;
	}
	release(&l);
	return l.m;
}

/* The file's bytes, mapped; it is only read once, front to back. */
static void *
map_file(const char *path, size_t *n, struct err *e)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	void *p = MAP_FAILED;

	if (fd < 0) {
		err_system(e, "cannot open %s", path);
		return NULL;
	}
	if (fstat(fd, &st))
		err_system(e, "cannot read %s", path);
	else if (!S_ISREG(st.st_mode) || !st.st_size)
		err_set(e, EXIT_INPUT, "%s: not a model, %s", path,
			S_ISREG(st.st_mode) ? "it is empty" : "a regular file was expected");
	else {
		*n = (size_t)st.st_size;
		p = mmap(NULL, *n, PROT_READ, MAP_PRIVATE, fd, 0);
		if (p == MAP_FAILED)
			err_system(e, "cannot read %s", path);
	}
	close(fd);
	return p == MAP_FAILED ? NULL : p;
}

struct model *
model_load(const char *path, bool gradients, model_take *take, void *arg, struct err *e)
{
	struct model *m;
	size_t n;
	void *p = map_file(path, &n, e);

	if (!p)
		return NULL;
	m = model_load_memory(path, p, n, gradients, take, arg, e);
	munmap(p, n);
	return m;
}
