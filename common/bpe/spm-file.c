/* spm-file: see spm-file.h. */
#include "bpe/spm-file.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/utf8.h"
#include "bpe/bytes.h"

enum {
	MAX_ENTRIES = 1 << 22,
	MAX_ENTRY = 4096,		/* bytes */
	MAX_SELF_TEST = 1 << 20,	/* bytes; the library segments them when it loads a model */
	MAX_SURFACE = 256,		/* bytes; the text for unknown subwords */
	MAX_USER_LENGTHS = 64		/* see spm_check_entries() */
};
#define MAX_SCORE 1e9f			/* so that sums of scores are finite */

/* Numbers of fields. */
enum {
	MODEL_ENTRY = 1, MODEL_TRAINER = 2, MODEL_NORMALIZER = 3, MODEL_SELF_TEST = 4,
	MODEL_DENORMALIZER = 5
};
enum { ENTRY_TEXT = 1, ENTRY_SCORE = 2, ENTRY_TYPE = 3, TYPE_USER = 4 };
enum { NORMALIZER_CHARSMAP = 2 };

enum { TRAINER_TYPE = 3, TYPE_UNIGRAM = 1, TRAINER_SURFACE = 44 };

/* A field: n bytes at p; or the number n, if p is NULL; or four bytes at p, if it is fixed. */
struct proto { uint64_t number, n; const unsigned char *p; bool fixed; };

/* A number of seven bits a byte, lowest first. */
static const unsigned char *
varint(const unsigned char *p, const unsigned char *end, uint64_t *v)
{
	*v = 0;
	for (int shift = 0; p < end && shift < 64; shift += 7) {
		*v |= (uint64_t)(*p & 127) << shift;
		if (!(*p++ & 128))
			return p;
	}
	return NULL;
}

/* Returns what follows the field, or NULL if there is none. */
static const unsigned char *
next_proto(const unsigned char *p, const unsigned char *end, struct proto *f)
{
	uint64_t key;

	*f = (struct proto){ .p = NULL };
	p = varint(p, end, &key);
	if (!p)
		return NULL;
	f->number = key >> 3;
	switch (key & 7) {
	case 0:
		return varint(p, end, &f->n);
	case 1:
		return end - p >= 8 ? p + 8 : NULL;
	case 2:
		p = varint(p, end, &f->n);
		f->p = p;
		return p && f->n <= (uint64_t)(end - p) ? p + f->n : NULL;
	case 5:
		f->p = p;
		f->fixed = true;
		return end - p >= 4 ? p + 4 : NULL;
	default:
		return NULL;
	}
}

static bool
is_message(const struct proto *f, uint64_t number)
{
	return f->number == number && f->p && !f->fixed;
}

static float
get_float(const unsigned char *p)
{
	const uint32_t bits = (uint32_t)little_endian(p, 4);
	float x;

	memcpy(&x, &bits, sizeof(x));
	return x;
}

void
spm_walk(struct spm_walk *w, const void *p, size_t n)
{
	*w = (struct spm_walk){ p, n ? (const unsigned char *)p + n : p, 0 };
}

static int
not_a_model(struct err *e)
{
	return err_set(e, EXIT_INPUT, "not a SentencePiece model, or damaged");
}

static int
spm_read_entry(const struct proto *f, int number, struct spm_entry *entry, struct err *e)
{
	const unsigned char *p = f->p, *const end = f->p + f->n;
	struct proto x;

	*entry = (struct spm_entry){ .score = 0 };
	while (p && p < end) {
		p = next_proto(p, end, &x);
		if (p && is_message(&x, ENTRY_TEXT))
			entry->text = (struct str){ (const char *)x.p, (size_t)x.n };
		if (p && x.number == ENTRY_SCORE && x.fixed)
			entry->score = get_float(x.p);
		if (p && x.number == ENTRY_TYPE && !x.p)
			entry->user = x.n == TYPE_USER;
	}
	return p && entry->text.n ? 1 : err_set(e, EXIT_INPUT, "entry %d has no text", number);
}

int
spm_next(struct spm_walk *w, struct spm_entry *entry, struct err *e)
{
	struct proto f;

	while (w->p < w->end) {
		w->p = next_proto(w->p, w->end, &f);
		if (!w->p) {
			w->p = w->end;
			return not_a_model(e);
		}
		if (is_message(&f, MODEL_ENTRY))
			return spm_read_entry(&f, ++w->n, entry, e);
	}
	return w->n ? 0 : err_set(e, EXIT_INPUT, "not a SentencePiece model: no entries");
}

/* The last value counts. */
static bool
unigram_trainer(const struct proto *f, bool unigram)
{
	const unsigned char *p = f->p, *const end = f->p + f->n;
	struct proto x;

	while (p && p < end) {
		p = next_proto(p, end, &x);
		if (p && x.number == TRAINER_TYPE && !x.p)
			unigram = x.n == TYPE_UNIGRAM;
	}
	return unigram;
}

bool
spm_is_unigram(const void *p, size_t n)
{
	const unsigned char *at = p, *const end = n ? at + n : at;
	bool unigram = true;
	struct proto f;

	while (at && at < end) {
		at = next_proto(at, end, &f);
		if (at && is_message(&f, MODEL_TRAINER))
			unigram = unigram_trainer(&f, unigram);
	}
	return unigram;
}

static int
spm_check_entry(const struct spm_entry *entry, int number, struct err *e)
{
	const struct str s = entry->text;

	if (s.n > MAX_ENTRY)
		return err_set(e, EXIT_INPUT, "entry %d has %zu bytes, expected at most %d", number,
			       s.n, MAX_ENTRY);
	if (utf8_text(s.s, s.n) != s.n)
		return err_set(e, EXIT_INPUT, "entry %d is not UTF-8 without NUL bytes", number);
	if (!(fabsf(entry->score) <= MAX_SCORE))
		return err_set(e, EXIT_INPUT, "entry %d has a score that is not finite", number);
	return 0;
}

/*
 * The library has room for 64 user-defined entries of which each begins with the one before; these
 * have different lengths.
 */
static int
spm_check_entries(const void *p, size_t n, struct err *e)
{
	bool seen[MAX_ENTRY + 1] = { false };
	struct spm_entry entry;
	struct spm_walk w;
	int r, lengths = 0;

	spm_walk(&w, p, n);
	while ((r = spm_next(&w, &entry, e)) > 0) {
		if (w.n > MAX_ENTRIES)
			return err_set(e, EXIT_INPUT, "more than %d entries", MAX_ENTRIES);
		if (spm_check_entry(&entry, w.n, e))
			return -1;
		lengths += entry.user && !seen[entry.text.n];
		seen[entry.text.n] |= entry.user;
	}
	if (!r && lengths > MAX_USER_LENGTHS)
		return err_set(e, EXIT_INPUT,
			       "user-defined entries of %d lengths, expected at most %d", lengths,
			       MAX_USER_LENGTHS);
	return r;
}

static int
check_trainer(const struct proto *x, struct err *e)
{
	if (!is_message(x, TRAINER_SURFACE) || x->n <= MAX_SURFACE)
		return 0;
	return err_set(e, EXIT_INPUT, "unknown subwords have %llu bytes, expected at most %d",
		       (unsigned long long)x->n, MAX_SURFACE);
}

static int
check_normalizer(const struct proto *x, struct err *e)
{
	if (!is_message(x, NORMALIZER_CHARSMAP) || spm_charsmap_fits(x->p, (size_t)x->n))
		return 0;
	return err_set(e, EXIT_INPUT, "the table of normalization is damaged");
}

/* Checks each field of a message. */
static int
check_fields(const struct proto *f, int (*check)(const struct proto *x, struct err *e),
	     struct err *e)
{
	const unsigned char *p = f->p, *const end = f->p + f->n;
	struct proto x;

	while (p < end) {
		p = next_proto(p, end, &x);
		if (!p)
			return not_a_model(e);
		if (check(&x, e))
			return -1;
	}
	return 0;
}

int
spm_check(const void *p, size_t n, struct err *e)
{
	const unsigned char *at = p, *const end = n ? at + n : at;
	struct proto f;
	uint64_t self_test = 0;

	if (bytes_is(p, n))
		return 0;
	if (n > SPM_MAX_FILE)
		return err_set(e, EXIT_INPUT, "%zu bytes, expected at most %d", n, SPM_MAX_FILE);
	if (spm_check_entries(p, n, e))
		return -1;
	while (at < end) {
		at = next_proto(at, end, &f);
		if (!at)
			return not_a_model(e);
		if ((is_message(&f, MODEL_NORMALIZER) || is_message(&f, MODEL_DENORMALIZER)) &&
		    check_fields(&f, check_normalizer, e))
			return -1;
		if (is_message(&f, MODEL_TRAINER) && check_fields(&f, check_trainer, e))
			return -1;
		self_test += is_message(&f, MODEL_SELF_TEST) ? f.n : 0;
	}
	return self_test > MAX_SELF_TEST
		       ? err_set(e, EXIT_INPUT, "self-test of more than %d bytes", MAX_SELF_TEST)
		       : 0;
}

/* --- the table of normalization --- */

enum {
	BLOCK = 256,		/* units; the children of a unit are in one block */
	MAX_DEPTH = 128,	/* bytes of a text that is replaced */
	MAX_FOUND = 32,		/* texts of which each begins with the one before */
	MAX_REPLACEMENT = 1024	/* bytes */
};

/* For each unit the number of texts on the longest path from it, at least 1; 0: unknown. */
enum { BUSY = 255 };

struct trie {
	const unsigned char *p;
	uint32_t units;
	size_t texts;		/* bytes of the replacements */
	unsigned char *found;	/* [units] */
};

static uint32_t
spm_charsmap_unit(const struct trie *t, uint32_t i)
{
	return (uint32_t)little_endian(t->p + 4 * (size_t)i, 4);
}

/*
 * Unit i leads, by byte c, to unit i ^ offset ^ c if that is labeled c.  If a text ends with i,
 * which is bit 8, unit i ^ offset has the place of the replacement.  Bit 31 of units with a place
 * is set, and nothing leads to them.
 */
static bool
unit_fits(struct trie *t, uint32_t i, int depth)
{
	const uint32_t u = spm_charsmap_unit(t, i), to = i ^ (u >> 10 << ((u & 512) >> 6));
	const bool ends = u & 256;
	int most = 0;

	if ((to | (BLOCK - 1)) >= t->units || depth > MAX_DEPTH ||
	    (ends && (spm_charsmap_unit(t, to) & INT32_MAX) >= t->texts))
		return false;
	t->found[i] = BUSY;
	for (uint32_t c = 0; c < BLOCK; c++) {
		const uint32_t child = to ^ c;

		if ((spm_charsmap_unit(t, child) & (0x80000000 | 255)) != c)
			continue;
		if (!t->found[child] && !unit_fits(t, child, depth + 1))
			return false;
		if (t->found[child] == BUSY)
			return false;
		most = t->found[child] > most ? t->found[child] : most;
	}
	most += ends;
	t->found[i] = (unsigned char)(most ? most : 1);
	return most <= MAX_FOUND;
}

static bool
replacements_fit(const char *s, size_t n)
{
	if (utf8_check(s, n) != n || s[n - 1])
		return false;
	for (size_t at = 0; at < n; at += strlen(s + at) + 1)
		if (strlen(s + at) > MAX_REPLACEMENT)
			return false;
	return true;
}

bool
spm_charsmap_fits(const unsigned char *p, size_t n)
{
	struct trie t = { .p = p + 4 };
	size_t bytes;
	bool fits;

	if (!n)
		return true;
	if (n < 5)
		return false;
	bytes = little_endian(p, 4);
	if (!bytes || bytes % (4 * BLOCK) || bytes >= n - 4)
		return false;
	t.units = (uint32_t)(bytes / 4);
	t.texts = n - 4 - bytes;
	t.found = xcalloc(t.units, 1);
	fits = unit_fits(&t, 0, 0) && replacements_fit((const char *)t.p + bytes, t.texts);
	free(t.found);
	return fits;
}
