/* origin: see origin.h. */
#include "stream/origin.h"

#include <string.h>

/* Names that end with a dot are prefixes. */
enum { FIELDS = 3 };
static const struct origin {
	const char *key;
	const char *kind;		/* of the stream; NULL: any */
	const char *field[FIELDS + 1];	/* the first one is the main one; none: all fields */
	bool unknown;			/* a stream without the key contradicts no other */
} origins[] = {
	{ HEADER_MODEL, NULL, { NULL }, false },
	{ "translate.", "sentence", { "hyp", "hyp." }, false },
	{ "score.", "sentence", { "score", "score.", "att." }, false },
	{ "lrp.", "sentence", { "relevance." }, false },
	{ "lrp.", "head", { "relevance", "relevance." }, false },
	{ "bleu", "sentence", { "bleu" }, false },
	{ "sacrebleu", "sentence", { "sacrebleu" }, false },
	{ "chrf", "sentence", { "chrf" }, false },
	{ HEADER_SRC_LANGUAGE, "sentence", { "src", "src." }, true },
	{ HEADER_TGT_LANGUAGE, "sentence", { "tgt", "tgt." }, true },
};
enum { N_ORIGINS = sizeof(origins) / sizeof(*origins) };

static bool
origins_matches(const char *name, const char *text, size_t text_n)
{
	const size_t n = strlen(name);

	return name[n - 1] == '.' ? text_n >= n && !memcmp(text, name, n)
				  : text_n == n && !memcmp(text, name, n);
}

static bool
origins_is_key(const struct origin *o, const char *key)
{
	return origins_matches(o->key, key, strlen(key));
}

static bool
is_field(const struct origin *o, const char *name, size_t n)
{
	for (int i = 0; o->field[i]; i++)
		if (origins_matches(o->field[i], name, n))
			return true;
	return false;
}

static bool
has_field(const struct header *h, const struct origin *o)
{
	if (!o->kind)
		return true;
	for (size_t i = 0; i < h->n_field && !strcmp(h->kind, o->kind); i++)
		if (is_field(o, h->field[i].name, h->field[i].name_n))
			return true;
	return false;
}

static bool
has_key(const struct header *h, const struct origin *o)
{
	for (size_t i = 0; i < h->n_meta; i++)
		if (origins_is_key(o, h->meta[i].key))
			return true;
	return false;
}

/* The first key of a that b lacks, or has with another value; NULL if there is none. */
static const char *
origins_differs(const struct header *a, const struct header *b, const struct origin *o)
{
	for (size_t i = 0; i < a->n_meta; i++) {
		const struct meta *x = &a->meta[i], *y = header_find_meta(b, x->key);

		if (origins_is_key(o, x->key) && (!y || x->value.n != y->value.n ||
					  memcmp(x->value.data, y->value.data, x->value.n)))
			return x->key;
	}
	return NULL;
}

static void
drop_keys(struct header *h, const struct origin *o)
{
	for (size_t i = h->n_meta; i-- > 0;)
		if (origins_is_key(o, h->meta[i].key))
			header_set_meta(h, h->meta[i].key, NULL);
}

static void
take_keys(struct header *joined, const struct header *other, const struct origin *o)
{
	drop_keys(joined, o);
	for (size_t i = 0; i < other->n_meta; i++) {
		const struct meta *m = &other->meta[i];

		if (origins_is_key(o, m->key))
			buf_add(&header_need_meta(joined, m->key)->value, m->value.data,
				m->value.n);
	}
}

void
origins_drop(struct header *h, const char *name)
{
	const size_t n = strlen(name);

	for (int i = 0; i < N_ORIGINS; i++) {
		const struct origin *o = &origins[i];

		if (o->kind && !strcmp(h->kind, o->kind) && is_field(o, name, n) &&
		    (!strcmp(o->field[0], name) || !has_field(h, o)))
			drop_keys(h, o);
	}
}

static int
origins_refuse(const struct origin *o, const char *key, struct err *e)
{
	err_set(e, EXIT_INPUT, "another %s, expected streams with the same one", key);
	if (o->unknown)
		err_hint(e, "heed-pack --languages none makes streams of mixed languages");
	return -1;
}

/* Are the keys of both equal?  If not, *key is one that differs. */
static bool
same_keys(const struct header *a, const struct header *b, const struct origin *o, const char **key)
{
	*key = origins_differs(a, b, o);
	if (!*key)
		*key = origins_differs(b, a, o);
	return !*key;
}

struct others { const struct origin *origin; const struct header *from; };

/* Is this a field that the keys of a header would describe, but which it does not have? */
static bool
origins_is_other(const char *name, size_t n, const void *arg)
{
	const struct others *o = arg;

	return is_field(o->origin, name, n) && header_find(o->from, name, n) < 0;
}

/* Joins the keys of o, of which both streams have fields.  Returns 1 if the keys are not equal. */
static int
join_both(struct header *joined, const struct header *other, const struct origin *o, bool replace,
	  struct err *e)
{
	const char *key;

	if (same_keys(joined, other, o, &key))
		return 0;
	if (o->unknown) {
		if (has_key(joined, o) && has_key(other, o))
			return origins_refuse(o, key, e);
		if (!has_key(joined, o))
			take_keys(joined, other, o);
		return 0;
	}
	if (has_key(joined, o) && has_key(other, o) && (!replace || !o->kind))
		return origins_refuse(o, key, e);
	if (!o->kind && has_key(joined, o))
		return 0;
	if (o->kind && !replace)
		return has_key(joined, o);
	header_drop_fields(joined, origins_is_other, &(struct others){ o, other });
	take_keys(joined, other, o);
	return o->kind != NULL;
}

int
origins_join(struct header *joined, const struct header *other, bool replace, unsigned *moved,
	     struct err *e)
{
	*moved = 0;
	for (int i = 0; i < N_ORIGINS; i++) {
		const struct origin *o = &origins[i];

		if (!has_field(other, o))
			continue;
		if (has_field(joined, o)) {
			const int differ = join_both(joined, other, o, replace, e);

			if (differ < 0)
				return -1;
			*moved |= (unsigned)differ << i;
		} else {
			take_keys(joined, other, o);
		}
	}
	return 0;
}

bool
origins_moved(unsigned moved, const char *name, size_t n)
{
	for (int i = 0; i < N_ORIGINS; i++)
		if (moved >> i & 1 && is_field(&origins[i], name, n))
			return true;
	return false;
}

int
origins_continue(const struct header *a, const struct header *b, struct err *e)
{
	for (int i = 0; i < N_ORIGINS; i++) {
		const struct origin *o = &origins[i];
		const char *key = origins_differs(a, b, o);

		if (o->unknown && !(has_key(a, o) && has_key(b, o)))
			continue;
		if (!key && has_key(a, o))
			key = origins_differs(b, a, o);
		if (key)
			return origins_refuse(o, key, e);
	}
	return 0;
}
