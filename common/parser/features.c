/* features: see features.h. */
#include "parser/features.h"

#include <string.h>

#include "base/hash.h"
#include "base/utf8.h"
#include "text/lowercase.h"

/* Characters of a word that are used; length of the longest affix. */
enum { LETTERS = 40, AFFIX = 5 };

struct features { int *id, n, rows; };

static uint64_t
hash_of(char kind, const char *s, size_t n)
{
	return hash_fnv1a(hash_fnv1a(HASH_FNV1A, &kind, 1), s, n);
}

static void
word_add(struct features *f, char kind, const char *s, size_t n)
{
	if (f->n < FEATURES_MAX)
		f->id[f->n++] = (int)(hash_of(kind, s, n) % (uint64_t)f->rows);
}

static char
letter_shape(const char *s, size_t n)
{
	unsigned char c = (unsigned char)*s;

	if (n > 1)
		return 'u';
	if (c >= 'A' && c <= 'Z')
		return 'X';
	if (c >= 'a' && c <= 'z')
		return 'x';
	return c >= '0' && c <= '9' ? 'd' : *s;
}

/* "Xxxdd" for "Heed2021": at most two of the same kind in sequence. */
static void
word_add_shape(struct features *f, const char *s)
{
	char shape[LETTERS];
	size_t n = 0, len;

	for (; *s && n < sizeof(shape); s += len) {
		char c;

		utf8_next(s, strlen(s), &len);
		c = letter_shape(s, len);
		if (n < 2 || shape[n - 1] != c || shape[n - 2] != c)
			shape[n++] = c;
	}
	word_add(f, 's', shape, n);
}

int
word_features(const char *form, int rows, int *id, struct buf *room)
{
	struct features f = { .id = id, .rows = rows };
	size_t at[LETTERS + 3], len;
	int n = 0;

	buf_clear(room);
	buf_add_char(room, '<');
	lowercase(form, strlen(form), room);
	buf_add_char(room, '>');
	for (size_t i = 0; i < room->n && n < LETTERS + 2; i += len, n++) {
		at[n] = i;
		utf8_next(room->data + i, room->n - i, &len);
	}
	at[n] = n < LETTERS + 2 ? room->n : at[n - 1];
	word_add(&f, 'w', room->data, room->n);
	word_add_shape(&f, form);
	for (int k = 1; k <= AFFIX && k < n - 1; k++) {
		word_add(&f, 'p', room->data + at[1], at[1 + k] - at[1]);
		word_add(&f, 'e', room->data + at[n - 1 - k], at[n - 1] - at[n - 1 - k]);
	}
	for (int k = 3; k <= 4; k++)
		for (int i = 0; i + k <= n; i++)
			word_add(&f, 'n', room->data + at[i], at[i + k] - at[i]);
	return f.n;
}
