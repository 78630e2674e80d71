/* network-input: see network-input.h and network.h. */
#include "parser/network-input.h"

#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "base/utf8.h"
#include "parser/network.h"
#include "text/form.h"
#include "text/lowercase.h"

/* --- features of a word --- */

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

/* --- sentences --- */

/* Row 0 of a sentence, the root, has no features. */
static const struct word_code root = { .word = VOCAB_BOS };

const struct word_code *
network_code(const struct network *n, const char *form, struct arena *mem, struct buf *room)
{
	char plain[FORM_ROOM];
	int feature[FEATURES_MAX], k;
	struct word_code *c;

	form = form_plain(form, plain);
	k = word_features(form, (int)n->config.feature_rows, feature, room);
	c = arena_get(mem, sizeof(*c) + (size_t)k * sizeof(int));
	c->word = vocab_id(&n->words, form, strlen(form));
	c->n = k;
	memcpy(c->feature, feature, (size_t)k * sizeof(int));
	return c;
}

/* Sines, then cosines, with wavelengths up to 10000 * 2 pi (Vaswani et al. 2017). */
static real *
sinusoids(int rows, int width, struct arena *mem)
{
	real *x = ARENA_ARRAY(mem, real, (size_t)rows * (size_t)width);
	int half = width / 2;

	for (int i = 0; i < half; i++) {
		double f = exp(-log(10000.0) * i / (half > 1 ? half - 1 : 1));

		for (int r = 0; r < rows; r++) {
			x[(ptrdiff_t)r * width + i] = (real)sin(r * f);
			x[(ptrdiff_t)r * width + half + i] = (real)cos(r * f);
		}
	}
	return x;
}

static void
pack_row(struct pack *p, int row, int place, const struct word_code *c)
{
	p->word[row] = c->word;
	p->place[row] = place;
	memcpy(p->bag + p->bag_start[row], c->feature, (size_t)c->n * sizeof(int));
	p->bag_start[row + 1] = p->bag_start[row] + c->n;
}

void
network_pack(const struct network *n, struct pack *p, const struct word_code *const *code,
	     const int *len, int sentences, struct arena *mem)
{
	int *start = ARENA_ARRAY(mem, int, sentences), *rows = ARENA_ARRAY(mem, int, sentences);
	int all = 0, longest = 0;
	size_t bags = 0;

	for (int i = 0; i < sentences; i++) {
		start[i] = all;
		rows[i] = len[i] + 1;
		all += rows[i];
		longest = rows[i] > longest ? rows[i] : longest;
	}
	for (int k = 0; k < all - sentences; k++)
		bags += (size_t)code[k]->n;
	p->n = sentences;
	p->rows = (struct layout){ .n = sentences, .rows = all, .start = start, .len = rows };
	p->word = ARENA_ARRAY(mem, int, all);
	p->place = ARENA_ARRAY(mem, int, all);
	p->bag_start = ARENA_ARRAY(mem, int, all + 1);
	p->bag = ARENA_ARRAY(mem, int, bags);
	p->positions = sinusoids(longest, (int)n->config.word_width, mem);
	p->bag_start[0] = 0;
	for (int i = 0; i < sentences; i++) {
		pack_row(p, start[i], 0, &root);
		for (int k = 0; k < len[i]; k++)
			pack_row(p, start[i] + 1 + k, 1 + k, *code++);
	}
}
