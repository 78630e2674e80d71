/* model-file: writing a model; see model-file.h and heed-model(5).  model-load.c reads it. */
#include "model/model-file.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "model/member.h"
#include "stream/archive.h"

#define PIECE 16384	/* numbers converted at a time */

/* What one member holds: bytes as they are, or a parameter. */
struct content {
	const char *type;
	const void *data;		/* NULL: x */
	size_t n;			/* bytes */
	const real *x;
	const struct param *param;
};

struct saving {
	const struct model *m;
	const struct model_extra *extra;
	size_t n_extra;
	struct archive_out *out;
	struct buf src, tgt;		/* vocabularies as text */
	struct member *member;
	struct content *content;
	size_t n, room, room_content;
	uint32_t crc;			/* of all contents so far */
};

/* n numbers from x as little-endian fp32, into out. */
static void
to_f32(const real *x, size_t n, unsigned char *out)
{
	for (size_t i = 0; i < n; i++) {
		float f = (float)x[i];
		uint32_t u;

		memcpy(&u, &f, sizeof(u));
		for (int k = 0; k < 4; k++)
			*out++ = (unsigned char)(u >> 8 * k);
	}
}

typedef int use_bytes(struct saving *s, const void *p, size_t n, uint32_t *crc, struct err *e);

/* Calls use for all bytes of a content, piece by piece. */
static int
each_piece(struct saving *s, const struct content *c, use_bytes *use, uint32_t *crc, struct err *e)
{
	unsigned char piece[4 * PIECE];
	size_t left = c->n / 4;

	if (c->data || !c->n)
		return use(s, c->data, c->n, crc, e);
	for (const real *x = c->x; left;) {
		size_t k = left < PIECE ? left : PIECE;

		to_f32(x, k, piece);
		if (use(s, piece, 4 * k, crc, e))
			return -1;
		x += k;
		left -= k;
	}
	return 0;
}

static int
use_for_sum(struct saving *s, const void *p, size_t n, uint32_t *crc, struct err *e)
{
	(void)s;
	(void)e;
	*crc = crc32_add(*crc, p, n);
	return 0;
}

static int
use_for_file(struct saving *s, const void *p, size_t n, uint32_t *crc, struct err *e)
{
	*crc = crc32_add(*crc, p, n);
	return archive_out_data(s->out, p, n, e);
}

static void
add(struct saving *s, char *name, const struct content *c)
{
	struct buf shape;
	struct err unused;
	struct member *m;

	s->member = mem_grow(s->member, &s->room, s->n + 1, sizeof(*s->member));
	s->content = mem_grow(s->content, &s->room_content, s->n + 1, sizeof(*s->content));
	buf_init(&shape);
	if (c->param)
		member_shape(c->param, &shape);
	else
		buf_add_char(&shape, '-');
	m = &s->member[s->n];
	*m = (struct member){
		.name = name, .type = (char *)c->type, .shape = shape.data, .size = c->n
	};
	s->content[s->n++] = *c;
	if (each_piece(s, c, use_for_sum, &m->crc, &unused))
		bug("a sum in memory failed");
}

static void
add_bytes(struct saving *s, const char *name, const char *type, const void *p, size_t n)
{
	const struct content c = { .type = type, .data = n ? p : "", .n = n };

	add(s, xstrdup(name), &c);
}

static void
add_all(struct saving *s)
{
	const struct model *m = s->m;

	vocab_write(&m->src, &s->src);
	vocab_write(&m->tgt, &s->tgt);
	add_bytes(s, MEMBER_SRC, "text", s->src.data, s->src.n);
	add_bytes(s, MEMBER_TGT, "text", s->tgt.data, s->tgt.n);
	if (m->codes)
		add_bytes(s, MEMBER_CODES, "text", m->codes, m->codes_n);
	if (m->tgt_valid)
		add_bytes(s, MEMBER_MASK, "bytes", m->tgt_valid, (size_t)m->tgt.n);
	for (size_t i = 0; i < m->params.n; i++) {
		const struct param *p = m->params.list[i];
		const struct content c = { .type = "f32", .n = 4 * p->n, .x = p->x, .param = p };

		add(s, xasprintf(MEMBER_PARAM "%s", p->name), &c);
	}
	for (size_t i = 0; i < s->n_extra; i++)
		add_bytes(s, s->extra[i].name, "bytes", s->extra[i].data, s->extra[i].n);
}

static void
set_text(struct record *map, const char *key, const char *text)
{
	record_set_str(map, key, text, strlen(text));
}

static void
set_settings(struct record *map, const char *key, const struct opt *table, const void *state)
{
	struct buf b;

	buf_init(&b);
	cli_settings_describe(table, state, &b);
	set_text(map, key, b.data);
	buf_release(&b);
}

static void
set_digest(struct record *map, const char *key, const struct vocab *v)
{
	char *text = xasprintf("%016llx", (unsigned long long)vocab_digest(v));

	set_text(map, key, text);
	free(text);
}

static void
set_attention(struct record *map, const struct attention_set *set)
{
	const size_t n = attention_set_n(set);
	struct buf *text = xcalloc(n + 1, sizeof(*text));
	struct str *spec = xcalloc(n + 1, sizeof(*spec));
	int32_t *version = xcalloc(n + 1, sizeof(*version));

	for (size_t i = 0; i < n; i++) {
		int v;

		attention_set_describe(set, i, &text[i], &v);
		spec[i] = (struct str){ text[i].data, text[i].n };
		version[i] = v;
	}
	record_set_strs(map, "attention", spec, n);
	record_set_ints(map, "attention.version", version, n);
	for (size_t i = 0; i < n; i++)
		buf_release(&text[i]);
	free(text);
	free(spec);
	free(version);
}

static void
set_table(struct record *map, const struct saving *s)
{
	struct buf *text = xcalloc(s->n + 1, sizeof(*text));
	struct str *row = xcalloc(s->n + 1, sizeof(*row));

	for (size_t i = 0; i < s->n; i++) {
		member_describe(&s->member[i], &text[i]);
		row[i] = (struct str){ text[i].data, text[i].n };
	}
	record_set_strs(map, "members", row, s->n);
	for (size_t i = 0; i < s->n; i++)
		buf_release(&text[i]);
	free(text);
	free(row);
}

static void
make_map(const struct saving *s, struct buf *out)
{
	const struct model *m = s->m;
	struct record *map = record_new();

	record_set_int(map, "format", MODEL_FORMAT);
	set_text(map, "preset", m->preset);
	set_settings(map, "config", model_config_options, &m->config);
	set_settings(map, "recipe", recipe_options, &m->recipe);
	set_attention(map, m->attention);
	set_digest(map, "vocab.src", &m->src);
	set_digest(map, "vocab.tgt", &m->tgt);
	record_set_int(map, "step", m->step);
	set_text(map, "pg", m->pg ? m->pg : "");
	set_table(map, s);
	record_encode(map, out);
	record_free(map);
}

static int
write_members(struct saving *s, struct err *e)
{
	const struct content *c = s->content;

	for (size_t i = 0; i < s->n; i++)
		if (archive_out_begin(s->out, s->member[i].name, c[i].n, e) ||
		    each_piece(s, &c[i], use_for_file, &s->crc, e))
			return -1;
	return 0;
}

static int
write_all(struct saving *s, struct err *e)
{
	struct buf map, end;
	int r;

	buf_init(&map);
	buf_init(&end);
	make_map(s, &map);
	s->crc = crc32_add(0, map.data, map.n);
	r = archive_out_member(s->out, MEMBER_MAP, map.data, map.n, e) || write_members(s, e);
	if (!r) {
		member_end(s->crc, s->n + 1, &end);
		r = archive_out_member(s->out, MEMBER_END, end.data, end.n, e);
	}
	buf_release(&map);
	buf_release(&end);
	return r ? -1 : 0;
}

static void
release(struct saving *s)
{
	for (size_t i = 0; i < s->n; i++) {
		free(s->member[i].name);
		free(s->member[i].shape);
	}
	free(s->member);
	free(s->content);
	buf_release(&s->src);
	buf_release(&s->tgt);
}

int
model_save(const struct model *m, const char *path, const struct model_extra *extra, size_t n_extra,
	   struct err *e)
{
	struct saving s = { .m = m, .extra = extra, .n_extra = n_extra };
	int r;

	s.out = archive_out_open(path, e);
	if (!s.out)
		return -1;
	add_all(&s);
	r = write_all(&s, e);
	if (r)
		archive_out_abandon(s.out);
	else
		r = archive_out_finish(s.out, e);
	release(&s);
	return r;
}
