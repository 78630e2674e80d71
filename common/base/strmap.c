/* strmap: maps strings to numbers; see strmap.h. */
#include "base/strmap.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/hash.h"
#include "base/mem.h"

void
strmap_release(struct strmap *m)
{
	free(m->text);
	free(m->entry);
	free(m->slot);
	*m = (struct strmap){ .text = NULL };
}

void
strmap_clear(struct strmap *m)
{
	m->n = m->text_n = 0;
	if (m->slot)
		memset(m->slot, 0xff, m->slots * sizeof(*m->slot));
}

/* The slot of the string, or the empty slot where it would be inserted. */
static size_t
slot_of(const struct strmap *m, const char *s, size_t n, uint32_t hash)
{
	size_t i = hash & (m->slots - 1);

	for (;; i = (i + 1) & (m->slots - 1)) {
		int32_t id = m->slot[i];

		if (id < 0)
			return i;
		if (m->entry[id].hash == hash && m->entry[id].n == n &&
		    !memcmp(m->text + m->entry[id].at, s, n))
			return i;
	}
}

static void
rehash(struct strmap *m)
{
	free(m->slot);
	m->slots = m->slots ? 2 * m->slots : 64;
	m->slot = xmalloc(m->slots * sizeof(*m->slot));
	memset(m->slot, 0xff, m->slots * sizeof(*m->slot));
	for (size_t id = 0; id < m->n; id++) {
		size_t i = m->entry[id].hash & (m->slots - 1);

		while (m->slot[i] >= 0)
			i = (i + 1) & (m->slots - 1);
		m->slot[i] = (int32_t)id;
	}
}

int
strmap_add(struct strmap *m, const char *s, size_t n)
{
	uint32_t hash = (uint32_t)hash_bytes(s, n, 0);
	size_t i;

	if (2 * (m->n + 1) > m->slots)
		rehash(m);
	i = slot_of(m, s, n, hash);
	if (m->slot[i] >= 0)
		return m->slot[i];
	if (m->n >= INT32_MAX || n >= UINT32_MAX)
		die_memory(m->n);
	m->entry = mem_grow(m->entry, &m->room, m->n + 1, sizeof(*m->entry));
	m->text = mem_grow(m->text, &m->text_room, m->text_n + n + 1, 1);
	if (n)
		memcpy(m->text + m->text_n, s, n);
	m->text[m->text_n + n] = 0;
	m->entry[m->n] = (struct strmap_entry){ m->text_n, (uint32_t)n, hash };
	m->text_n += n + 1;
	m->slot[i] = (int32_t)m->n;
	return (int)m->n++;
}

int
strmap_find(const struct strmap *m, const char *s, size_t n)
{
	return m->slots ? m->slot[slot_of(m, s, n, (uint32_t)hash_bytes(s, n, 0))] : -1;
}

const char *
strmap_text(const struct strmap *m, int id, size_t *n)
{
	if (id < 0 || (size_t)id >= m->n)
		bug("string %d of %zu", id, m->n);
	if (n)
		*n = m->entry[id].n;
	return m->text + m->entry[id].at;
}
