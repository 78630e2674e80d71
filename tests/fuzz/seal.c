/* seal: see seal.h. */
#define _GNU_SOURCE	/* memmem() */
#include "seal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "exchange/file.h"
#include "model-file/member.h"
#include "stream/header-parts.h"
#include "stream/msgpack-in.h"
#include "stream/msgpack-out.h"
#include "stream/stream.h"

/* One stream of several joined ones, from its header to its end record. */
struct part {
	int64_t records;
	uint32_t crc;
	bool open;
};

static void
end_part(struct part *s, struct buf *out)
{
	if (s->open) {
		mp_put_array(out, 3);
		mp_put_text(out, "heed-end");
		mp_put_int(out, s->records);
		mp_put_uint(out, s->crc);
	}
	*s = (struct part){ 0 };
}

/* Is the object at p an array whose first element is this word? */
static bool
begins_with(const uint8_t *p, const uint8_t *end, const char *word)
{
	enum mp_state state;
	struct mp m, name;

	p = mp_get(p, end, &m, &state);
	if (!p || m.kind != MP_ARRAY || !m.n)
		return false;
	return mp_get(p, end, &name, &state) && mp_is(&name, word);
}

static bool
is_map(const uint8_t *p, const uint8_t *end)
{
	enum mp_state state;
	struct mp m;

	return mp_get(p, end, &m, &state) && m.kind == MP_MAP;
}

void
seal_stream(const void *p, size_t n, struct buf *out)
{
	const uint8_t *at = p, *end = n ? at + n : at, *next;
	struct part part = { 0 };
	enum mp_state state;

	if (!n || !begins_with(at, end, "heed")) {
		struct header *h = header_new("pairs");

		header_encode(h, out);
		header_free(h);
		part = (struct part){ .open = true, .crc = crc32_add(0, out->data, out->n) };
	}
	for (; at != end && (next = mp_skip(at, end, 0, &state)); at = next) {
		if (begins_with(at, end, "heed-end"))
			continue;
		if (begins_with(at, end, "heed")) {
			end_part(&part, out);
			part.open = true;
		}
		part.records += is_map(at, end);
		part.crc = crc32_add(part.crc, at, (size_t)(next - at));
		buf_add(out, at, (size_t)(next - at));
	}
	end_part(&part, out);
}

enum { MOST = 256, BLOCK = 512 };

/* The members of a bundle in the order of the file. */
struct members {
	struct entry {
		char name[101];
		const char *p;
		size_t n;
	} entry[MOST];
	size_t n;
};

/* The next line "==NAME", which begins a member; or end. */
static const char *
next_line(const char *at, const char *end)
{
	const char *line = at < end ? memmem(at, (size_t)(end - at), "\n==", 3) : NULL;

	return line ? line : end;
}

static void
split(struct members *all, const char *at, const char *end)
{
	while (all->n < MOST && end - at > 2) {
		struct entry *m = &all->entry[all->n++];
		const char *stop = memchr(at, '\n', (size_t)(end - at));
		size_t n;

		stop = stop ? stop : end;
		n = (size_t)(stop - at) < 2 ? 0 : (size_t)(stop - at) - 2;
		snprintf(m->name, sizeof(m->name), "%.*s", (int)n, at + 2);
		m->p = stop < end ? stop + 1 : end;
		at = next_line(stop, end);
		m->n = at > m->p ? (size_t)(at - m->p) : 0;
		at += at < end;
	}
}

/* Sets size and checksum of the member in a row; keeps the row if it is malformed. */
static void
seal_row(const struct str *row, const struct entry *m, struct buf *out)
{
	struct member of;
	struct err e;

	if (!m || member_parse(&of, row->s, row->n, &e)) {
		buf_add(out, row->s, row->n);
		return;
	}
	of.size = m->n;
	of.crc = crc32_add(0, m->p, m->n);
	member_describe(&of, out);
	member_release(&of);
}

/* The map with its table of sizes and checksums. */
static void
seal_map(const struct members *all, struct buf *out)
{
	struct record *map = record_new();
	const struct str *row;
	struct buf *text;
	struct str *sealed;
	struct err e;
	size_t n;

	if (record_decode(map, all->entry[0].p, all->entry[0].n, &e) ||
	    record_strs(map, "members", &row, &n)) {
		buf_add(out, all->entry[0].p, all->entry[0].n);
		record_free(map);
		return;
	}
	text = xcalloc(n + 1, sizeof(*text));
	sealed = xcalloc(n + 1, sizeof(*sealed));
	for (size_t i = 0; i < n; i++) {
		seal_row(&row[i], i + 1 < all->n ? &all->entry[i + 1] : NULL, &text[i]);
		sealed[i] = (struct str){ text[i].n ? text[i].data : "", text[i].n };
	}
	record_set_strs(map, "members", sealed, n);
	record_encode(map, out);
	for (size_t i = 0; i < n; i++)
		buf_release(&text[i]);
	free(text);
	free(sealed);
	record_free(map);
}

/* The header of POSIX.1-2008, pax, ustar interchange format. */
static void
add_member(struct buf *out, const char *name, const void *p, size_t n)
{
	static const char zeros[BLOCK];
	char head[BLOCK] = { 0 };
	unsigned sum = 0;

	memcpy(head, name, strnlen(name, 100));
	memcpy(head + 100, "0000644", 7);
	memcpy(head + 108, "0000000", 7);
	memcpy(head + 116, "0000000", 7);
	snprintf(head + 124, 12, "%011lo", (unsigned long)(n & 0x1fffffff));
	memcpy(head + 136, "00000000000", 11);
	memset(head + 148, ' ', 8);
	head[156] = '0';
	memcpy(head + 257, "ustar\00000", 8);
	for (size_t i = 0; i < BLOCK; i++)
		sum += (unsigned char)head[i];
	snprintf(head + 148, 8, "%06o", sum);
	head[155] = ' ';
	buf_add(out, head, BLOCK);
	buf_add(out, p, n);
	buf_add(out, zeros, (BLOCK - n % BLOCK) % BLOCK);
}

void
seal_bundle(const void *p, size_t n, struct buf *out)
{
	static const char zeros[2 * BLOCK];
	struct members *all = xcalloc(1, sizeof(*all));
	struct buf map = { 0 }, end = { 0 };
	uint32_t crc;

	if (n)
		split(all, p, (const char *)p + n);
	if (all->n)
		seal_map(all, &map);
	crc = crc32_add(0, map.data, map.n);
	for (size_t i = 0; i < all->n; i++) {
		if (i)
			crc = crc32_add(crc, all->entry[i].p, all->entry[i].n);
		add_member(out, all->entry[i].name, i ? all->entry[i].p : map.data,
			   i ? all->entry[i].n : map.n);
	}
	member_end(crc, all->n, &end);
	add_member(out, MEMBER_END, end.data, end.n);
	buf_add(out, zeros, sizeof(zeros));
	buf_release(&map);
	buf_release(&end);
	free(all);
}

enum { MAX_DATA = 1 << 20 };

/* The bytes of the tensors that a header lists: the greatest number after any "data_offsets". */
static size_t
data_of(const char *at, size_t n)
{
	static const char key[] = "data_offsets";
	const char *const end = at + n;
	size_t most = 0;

	while (n && (at = memmem(at, (size_t)(end - at), key, strlen(key)))) {
		const char *const stop = memchr(at, ']', (size_t)(end - at));
		size_t v = 0;

		for (; stop && at < stop; at++) {
			v = *at >= '0' && *at <= '9' && v < MAX_DATA
				    ? 10 * v + (size_t)(*at - '0') : 0;
			most = v > most ? v : most;
		}
		if (!stop)
			break;
	}
	return most < MAX_DATA ? most : MAX_DATA;
}

static void
write_safetensors(const struct entry *m, FILE *f)
{
	const size_t data = data_of(m->p, m->n);

	for (int i = 0; i < 8; i++)
		fputc((int)((uint64_t)m->n >> 8 * i & 0xff), f);
	fwrite(m->p, 1, m->n, f);
	for (size_t i = 0; i < data; i++)
		fputc(1, f);
}

void
seal_folder(const void *p, size_t n, const char *folder)
{
	struct members *all = xcalloc(1, sizeof(*all));

	if (n)
		split(all, p, (const char *)p + n);
	for (size_t i = 0; i < all->n; i++) {
		const struct entry *m = &all->entry[i];
		const struct str name = { m->name, *m->name == '.' ? 0 : strlen(m->name) };
		char *path = file_named(folder, name);
		FILE *f = path ? fopen(path, "wb") : NULL;

		if (f && file_ends(m->name, ".safetensors"))
			write_safetensors(m, f);
		else if (f)
			fwrite(m->p, 1, m->n, f);
		if (f && fclose(f))
			abort();
		free(path);
	}
	free(all);
}
