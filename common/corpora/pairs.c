/* pairs: see pairs.h. */
#include "corpora/pairs.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "stream/language.h"
#include "text/lowercase.h"
#include "text/sentences.h"
#include "text/unicode.h"

enum { MAX_SENTENCES = 64 };	/* a text with more sentences is not split */

void
pairs_init(struct pairs *p, const char *const *lang, int sides)
{
	*p = (struct pairs){ .lang = lang, .sides = sides, .limit = (size_t)1 << 30 };
}

void
pairs_release(struct pairs *p)
{
	strmap_release(&p->keys);
	strmap_release(&p->groups);
	strmap_release(&p->seen);
	strmap_release(&p->sources);
	buf_release(&p->pool);
	free(p->group);
	free(p->text);
	p->group = NULL;
	p->text = NULL;
}

/* The texts of key i, one for each side. */
static struct span *
texts_of(const struct pairs *p, size_t i)
{
	return p->text + i * (size_t)p->sides;
}

/* The texts of a key; NULL if a key of a target side has no source text. */
static struct span *
entry(struct pairs *p, int side, const char *key, const char *group)
{
	size_t known = p->keys.n, n = strlen(key);
	int i = side ? strmap_find(&p->keys, key, n) : strmap_add(&p->keys, key, n);

	if (i < 0)
		return NULL;
	if (p->keys.n > known) {
		p->group = mem_grow(p->group, &p->group_room, p->keys.n, sizeof(*p->group));
		p->group[i] = strmap_add(&p->groups, group, strlen(group));
		p->text = mem_grow(p->text, &p->text_room, p->keys.n * (size_t)p->sides,
				   sizeof(*p->text));
		for (int k = 0; k < p->sides; k++)
			texts_of(p, (size_t)i)[k].n = SIZE_MAX;
	}
	return texts_of(p, (size_t)i);
}

bool
pairs_has(const struct pairs *p, int side, const char *key)
{
	const int i = strmap_find(&p->keys, key, strlen(key));

	return i >= 0 && texts_of(p, (size_t)i)[side].n != SIZE_MAX;
}

int
pairs_add(struct pairs *p, int side, const char *key, const char *group, const char *s, size_t n,
	  struct err *e)
{
	struct span *t = entry(p, side, key, group);

	if (!t || t[side].n != SIZE_MAX)
		return 0;
	if (p->pool.n + p->keys.text_n + n > p->limit)
		return err_set(e, EXIT_INPUT, "more than %zu MiB of text", p->limit >> 20);
	t[side] = (struct span){ p->pool.n, n };
	buf_add(&p->pool, s, n);
	return 0;
}

/* A hash of the group's name in [0, 1), the same on every machine. */
static double
hash_group(const struct pairs *p, const char *group)
{
	const uint64_t gamma = 0x9e3779b97f4a7c15;
	uint64_t x = crc32_add(0, group, strlen(group)) ^ p->seed << 32;

	/*
	 * The shift drops the upper half of the seed.  It is added here, and not for all seeds, so
	 * that smaller ones keep their splits.  Then splitmix64's finalizer (Steele, Lea, Flood
	 * 2014), because CRCs of similar names are similar.
	 */
	x ^= (p->seed >> 32) * gamma;
	x += gamma;
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
	x = (x ^ x >> 27) * 0x94d049bb133111eb;
	return (double)((x ^ x >> 31) >> 11) / 9007199254740992.0;
}

static enum pairs_part
pairs_part_of(const struct pairs *p, const char *group)
{
	double x = hash_group(p, group);

	if (x < p->share[PAIRS_TEST])
		return PAIRS_TEST;
	return x < p->share[PAIRS_TEST] + p->share[PAIRS_DEV] ? PAIRS_DEV : PAIRS_TRAIN;
}

/* Is c an invisible character, such as a soft hyphen or a mark of direction? */
static bool
is_format(int32_t c)
{
	return c == 0xad || c == 0x61c || (c >= 0x200b && c <= 0x200f) ||
	       (c >= 0x202a && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f) || c == 0xfeff;
}

/* Is c neither a letter nor a mark? */
static bool
ignored(int32_t c)
{
	return c < ' ' || is_format(c) ||
	       unicode_classes(c) & (UNICODE_PUNCTUATION | UNICODE_SYMBOL | UNICODE_NUMBER |
				     UNICODE_SPACE);
}

/*
 * Sets out to the letters and marks of s, which is UTF-8, in lower case, so that near-duplicates
 * become equal; to s itself if there are none.  lower is scratch memory.
 */
static void
pairs_fold(const char *s, size_t n, struct buf *lower, struct buf *out)
{
	size_t len;

	buf_clear(lower);
	buf_clear(out);
	lowercase(s, n, lower);
	for (size_t i = 0; i < lower->n; i += len)
		if (!ignored(utf8_next(lower->data + i, lower->n - i, &len)))
			buf_add(out, lower->data + i, len);
	if (!out->n)
		buf_add(out, s, n);
}

static bool
has_words(const char *s, size_t n, int64_t min)
{
	int64_t words = 0;

	for (size_t i = 0; i < n && words < min; i++)
		words += s[i] != ' ' && (!i || s[i - 1] == ' ');
	return words >= min;
}

/* Is a target the same as the source? */
static bool
is_untranslated(const struct pairs *p, const char *const *s, const size_t *n)
{
	for (int k = 1; k < p->sides; k++)
		if (n[k] == n[0] && !memcmp(s[k], s[0], n[0]))
			return true;
	return false;
}

struct dealer {
	struct pairs *p;
	enum pairs_part part;
	size_t earlier;			/* sources with lower numbers belong to earlier parts */
	int group;
	int64_t *in_group;		/* pairs of each group */
	struct buf key, lower, place;
	struct span *cut;		/* room for MAX_SENTENCES of each side */
	pairs_take *take;
	void *arg;
};

static int
deal_sentence(struct dealer *d, const char *const *s, const size_t *n, struct err *e)
{
	struct pairs *p = d->p;
	size_t known = p->seen.n;
	int source;

	if (is_untranslated(p, s, n)) {
		p->untranslated++;
		return 0;
	}
	pairs_fold(s[0], n[0], &d->lower, &d->key);
	source = strmap_add(&p->sources, d->key.data, d->key.n);
	if ((size_t)source < d->earlier) {
		p->leaked++;
		return 0;
	}
	buf_clear(&d->key);
	for (int k = 0; k < p->sides; k++) {
		buf_add(&d->key, s[k], n[k]);
		buf_add_char(&d->key, '\n');
	}
	strmap_add(&p->seen, d->key.data, d->key.n);
	if (p->seen.n == known) {
		p->repeated++;
		return 0;
	}
	buf_clear(&d->place);
	buf_printf(&d->place, "%s:%lld", strmap_text(&p->groups, d->group, NULL),
		   (long long)++d->in_group[d->group]);
	p->out[d->part]++;
	return d->take(d->arg, d->part, d->place.data, s, n, e);
}

static int
deal_text(struct dealer *d, const struct span *t, struct err *e)
{
	struct pairs *p = d->p;
	const char *s[PAIRS_MAX_SIDES], *one[PAIRS_MAX_SIDES];
	size_t n[PAIRS_MAX_SIDES], many;
	bool empty = false;

	p->joined++;
	for (int k = 0; k < p->sides; k++) {
		s[k] = p->pool.data + t[k].at;
		n[k] = t[k].n;
		empty = empty || !n[k];
	}
	if (empty) {
		p->empty++;
		return 0;
	}
	if (!has_words(s[0], n[0], p->min_words)) {
		p->few++;
		return 0;
	}
	if (is_untranslated(p, s, n)) {
		p->untranslated++;
		return 0;
	}
	many = sentences_cut_alike(p->lang, s, n, p->sides, d->cut, MAX_SENTENCES);
	p->cut += many > 1;
	for (size_t i = 0; i < many; i++) {
		for (int k = 0; k < p->sides; k++) {
			const struct span *part = &d->cut[(size_t)k * MAX_SENTENCES + i];

			one[k] = s[k] + part->at;
			n[k] = part->n;
		}
		if (deal_sentence(d, one, n, e))
			return -1;
	}
	return 0;
}

static bool
has_all_sides(const struct span *t, int sides)
{
	for (int k = 0; k < sides; k++)
		if (t[k].n == SIZE_MAX)
			return false;
	return true;
}

static int
deal_part(struct dealer *d, const unsigned char *part, struct err *e)
{
	const struct pairs *p = d->p;
	size_t i;

	d->earlier = p->sources.n;
	for (i = 0; i < p->keys.n; i++) {
		if (part[p->group[i]] != d->part || !has_all_sides(texts_of(p, i), p->sides))
			continue;
		d->group = p->group[i];
		if (deal_text(d, texts_of(p, i), e))
			return -1;
	}
	return 0;
}

/* A name that is misspelled is an error: it would silently move its texts to the training data. */
static int
choose_parts(const struct pairs *p, unsigned char *part, struct err *e)
{
	memset(part, PAIRS_PARTS, p->groups.n);
	for (int k = PAIRS_TEST; k < PAIRS_TRAIN; k++)
		for (size_t i = 0; p->named[k] && i < p->named[k]->n; i++) {
			const char *name = p->named[k]->v[i];
			const int group = strmap_find(&p->groups, name, strlen(name));

			if (group < 0)
				return err_set(e, EXIT_INPUT, "no page '%s' for %s data", name,
					       k == PAIRS_TEST ? "test" : "development");
			if (part[group] == PAIRS_PARTS)
				part[group] = (unsigned char)k;
		}
	for (size_t i = 0; i < p->groups.n; i++)
		if (part[i] == PAIRS_PARTS)
			part[i] = (unsigned char)pairs_part_of(p, strmap_text(&p->groups, (int)i,
									      NULL));
	return 0;
}

int
pairs_deal(struct pairs *p, pairs_take *take, void *arg, struct err *e)
{
	struct dealer d = { .p = p, .take = take, .arg = arg };
	unsigned char *part = xmalloc(p->groups.n + 1);
	int r = choose_parts(p, part, e);

	d.cut = xcalloc((size_t)p->sides * MAX_SENTENCES, sizeof(*d.cut));
	d.in_group = xcalloc(p->groups.n + 1, sizeof(*d.in_group));
	for (d.part = PAIRS_TEST; !r && d.part < PAIRS_PARTS; d.part++)
		r = deal_part(&d, part, e);
	buf_release(&d.key);
	buf_release(&d.lower);
	buf_release(&d.place);
	free(d.cut);
	free(d.in_group);
	free(part);
	return r;
}

/* --- output --- */

const char *const pairs_parts[] = { "test", "dev", "train", "all", NULL };

static char *
file_name(const char *prefix, int part, const char *language)
{
	return xasprintf("%s.%s.%s", prefix, pairs_parts[part], language);
}

bool
pairs_out_writes(const char *prefix, const char *const *language, int sides, const char *path)
{
	bool same = false;

	for (int p = 0; p < PAIRS_PARTS; p++)
		for (int side = 0; side < sides; side++) {
			char *name = file_name(prefix, p, language[side]);

			same = same || output_same(name, path);
			free(name);
		}
	return same;
}

int
pairs_out_files(struct pairs_out *o, const char *prefix, const char *const *language, int sides,
		struct err *e)
{
	o->sides = sides;
	for (int i = 0; i < PAIRS_PARTS * sides; i++) {
		char *path = file_name(prefix, i / sides, language[i % sides]);

		o->file[i] = output_open(path, 0, e);
		free(path);
		if (!o->file[i])
			return -1;
	}
	return 0;
}

/* The language of zh_CN and of zh-cn is zh. */
static void
set_languages(struct writer *w, const char *const locale[2])
{
	struct languages l = { { "", "" } };

	for (int side = 0; side < 2; side++) {
		char *code = xasprintf("%.*s", (int)strcspn(locale[side], "-_@"), locale[side]);

		if (language_is_code(code))
			memcpy(l.side[side], code, strlen(code));
		free(code);
	}
	languages_set(&l, w);
}

int
pairs_out_stream(struct pairs_out *o, int part, const char *const language[2], unsigned flags,
		 struct err *e)
{
	static const struct field adds[] = {
		{ "id", "int", 0 }, { "src", "str", 0 }, { "tgt", "str", 0 },
		{ "x.place", "str", 0 }, { 0 }
	};

	o->part = part;
	o->writer = writer_open(NULL, "sentence", NULL, adds, flags, e);
	if (!o->writer)
		return -1;
	o->rec = record_new();
	set_languages(o->writer, language);
	return 0;
}

static int
put_files(struct pairs_out *o, enum pairs_part p, const char *const *s, const size_t *n,
	  struct err *e)
{
	for (int side = 0; side < o->sides; side++) {
		struct output *file = o->file[(int)p * o->sides + side];

		if (output_write(file, s[side], n[side], e) || output_write(file, "\n", 1, e))
			return -1;
	}
	return 0;
}

int
pairs_out_put(void *arg, enum pairs_part p, const char *place, const char *const *s,
	      const size_t *n, struct err *e)
{
	struct pairs_out *o = arg;

	if (!o->writer)
		return put_files(o, p, s, n, e);
	if (o->part != PAIRS_ALL && o->part != (int)p)
		return 0;
	record_clear(o->rec);
	record_set_int(o->rec, "id", ++o->n);
	record_set_str(o->rec, "src", s[0], n[0]);
	record_set_str(o->rec, "tgt", s[1], n[1]);
	record_set_str(o->rec, "x.place", place, strlen(place));
	return writer_put(o->writer, o->rec, e);
}

void
pairs_out_abandon(struct pairs_out *o)
{
	for (int i = 0; i < PAIRS_PARTS * o->sides; i++)
		output_abandon(o->file[i]);
	writer_abandon(o->writer);
	record_free(o->rec);
}

int
pairs_out_finish(struct pairs_out *o, struct err *e)
{
	struct writer *w = o->writer;

	if (!w)
		return outputs_finish(o->file, (size_t)(PAIRS_PARTS * o->sides), e);
	o->writer = NULL;
	record_free(o->rec);
	o->rec = NULL;
	return writer_finish(w, e);
}
