/* origin: see origin.h. */
#include "stream/origin.h"

#include <string.h>

/* Names that end with a dot are prefixes.  Fields are those of sentences; NULL: all of any kind. */
static const struct origin {
	const char *key, *field;
} origins[] = {
	{ HEADER_MODEL, NULL }, { HEADER_TRANSLATED, "hyp" }, { HEADER_SCORED, "score" },
	{ "lrp.", "relevance." }, { "bleu", "bleu" }, { "sacrebleu", "sacrebleu" },
	{ "chrf", "chrf" },
};
enum { N_ORIGINS = sizeof(origins) / sizeof(*origins) };

static bool
matches(const char *name, const char *text)
{
	const size_t n = strlen(name);

	return name[n - 1] == '.' ? !strncmp(text, name, n) : !strcmp(text, name);
}

static bool
has_field(const struct header *h, const struct origin *o)
{
	if (!o->field)
		return true;
	if (strcmp(h->kind, "sentence"))
		return false;
	for (size_t i = 0; i < h->n_field; i++)
		if (matches(o->field, h->field[i].name))
			return true;
	return false;
}

static bool
has_key(const struct header *h, const struct origin *o)
{
	for (size_t i = 0; i < h->n_meta; i++)
		if (matches(o->key, h->meta[i].key))
			return true;
	return false;
}

/* The first key of a that b lacks, or has with another value; NULL if there is none. */
static const char *
differs(const struct header *a, const struct header *b, const struct origin *o)
{
	for (size_t i = 0; i < a->n_meta; i++) {
		const struct meta *x = &a->meta[i], *y = header_find_meta(b, x->key);

		if (matches(o->key, x->key) && (!y || x->value.n != y->value.n ||
						memcmp(x->value.data, y->value.data, x->value.n)))
			return x->key;
	}
	return NULL;
}

static void
drop_keys(struct header *h, const struct origin *o)
{
	for (size_t i = h->n_meta; i-- > 0;)
		if (matches(o->key, h->meta[i].key))
			header_set_meta(h, h->meta[i].key, NULL);
}

static void
take_keys(struct header *to, const struct header *from, const struct origin *o)
{
	drop_keys(to, o);
	for (size_t i = 0; i < from->n_meta; i++) {
		const struct meta *m = &from->meta[i];

		if (matches(o->key, m->key))
			buf_add(&header_need_meta(to, m->key)->value, m->value.data, m->value.n);
	}
}

void
origins_drop(struct header *h)
{
	for (int i = 0; i < N_ORIGINS; i++)
		if (origins[i].field && !strcmp(h->kind, "sentence") && !has_field(h, &origins[i]))
			drop_keys(h, &origins[i]);
}

static int
refuse(const char *key, struct err *e)
{
	return err_set(e, EXIT_INPUT, "another %s, expected streams with the same one", key);
}

int
origins_join(struct header *to, const struct header *from, bool replace, struct err *e)
{
	for (int i = 0; i < N_ORIGINS; i++) {
		const struct origin *o = &origins[i];
		const bool both = has_key(to, o) && has_key(from, o);
		const char *key = both ? differs(to, from, o) : NULL;

		if (both && !key)
			key = differs(from, to, o);
		if (!has_field(from, o))
			continue;
		if (key && has_field(to, o) && (!replace || !o->field))
			return refuse(key, e);
		if (o->field ? replace || !has_field(to, o) : !has_key(to, o))
			take_keys(to, from, o);
	}
	return 0;
}

int
origins_continue(const struct header *a, const struct header *b, struct err *e)
{
	for (int i = 0; i < N_ORIGINS; i++) {
		const struct origin *o = &origins[i];
		const char *key = differs(a, b, o);

		if (!key && has_key(a, o))
			key = differs(b, a, o);
		if (key)
			return refuse(key, e);
	}
	return 0;
}
