/* dependents: see dependents.h. */
#include "trees/dependents.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "stream/origin.h"
#include "stream/record-parts.h"

enum {
	FROM_SRC = 1, FROM_TGT = 2, FROM_PIECES = 4, FROM_HYP = 8, FROM_CORRUPTED = 16,
	FROM_PAIR = FROM_SRC | FROM_TGT, FROM_TOKENS = FROM_PAIR | FROM_PIECES
};

/* Fields of a sentence pair; dep_derived() has those of one side. */
static const struct {
	const char *name;
	unsigned from;
} pair[] = {
	{ "alignment", FROM_PAIR },
	{ "score", FROM_TOKENS }, { "score.*", FROM_TOKENS }, { "att.*", FROM_TOKENS },
	{ "relevance.*", FROM_TOKENS | FROM_HYP }, { "patch.*", FROM_TOKENS | FROM_CORRUPTED },
	{ "nll", FROM_TOKENS }, { "tokens", FROM_TOKENS },
	{ "bleu", FROM_PAIR | FROM_HYP }, { "sacrebleu", FROM_PAIR | FROM_HYP },
	{ "chrf", FROM_PAIR | FROM_HYP },
	{ "hyp", FROM_SRC }, { "hyp.pieces", FROM_SRC | FROM_HYP },
	{ "hyp.score", FROM_SRC | FROM_HYP }, { "hyp.alignment", FROM_SRC | FROM_HYP },
	/* A hyp chosen from the n-best list replaces the first one; the list remains right. */
	{ "hyp.nbest", FROM_SRC }, { "hyp.nbest.score", FROM_SRC },
	{ "corrupted", FROM_SRC }, { "corrupted.pieces", FROM_SRC | FROM_CORRUPTED },
};
enum { N_PAIR = sizeof(pair) / sizeof(*pair) };

_Static_assert(N_PAIR + DEP_MAX_DERIVED <= DEPENDENTS_MAX, "room for all dependents");

static unsigned
pair_from(const char *field_name)
{
	static const struct { const char *name; unsigned from; } field[] = {
		{ "src", FROM_SRC }, { "tgt", FROM_TGT }, { "src.pieces", FROM_PIECES },
		{ "tgt.pieces", FROM_PIECES }, { "hyp", FROM_HYP }, { "corrupted", FROM_CORRUPTED },
		{ "corrupted.pieces", FROM_CORRUPTED },
	};

	for (size_t i = 0; i < sizeof(field) / sizeof(*field); i++)
		if (!strcmp(field[i].name, field_name))
			return field[i].from;
	return 0;
}

static unsigned
side_from(const struct side_fields *f, const char *field)
{
	if (!strcmp(field, f->text))
		return DEP_FROM_TEXT;
	if (!strcmp(field, f->heads))
		return DEP_FROM_HEADS | DEP_WITH_HEADS;
	if (!strcmp(field, f->tree))
		return DEP_FROM_TREE;
	if (!strcmp(field, f->pieces))
		return DEP_FROM_PIECES | DEP_WITH_PIECES | DEP_FROM_NODES;
	return 0;
}

/* The fields of the side that a field belongs to; of the source, if it belongs to none. */
static const struct side_fields *
dependents_side_of(const char *field)
{
	return &side_fields[!strncmp(field, "tgt", 3)];
}

static void
dependents_of(struct dependents *d, const char *field)
{
	const unsigned of_pair = pair_from(field);
	int n;

	d->field = *dependents_side_of(field);
	n = dep_derived(&d->field, side_from(&d->field, field), d->name);
	for (int i = 0; i < N_PAIR; i++)
		if ((pair[i].from & of_pair) && strcmp(pair[i].name, field))
			d->name[n++] = pair[i].name;
	d->name[n] = NULL;
}

/* Is the field with this name of n bytes one of the dependents in d? */
static bool
dependents_has(const struct dependents *d, const char *name, size_t n)
{
	for (const char *const *at = d->name; *at; at++) {
		const size_t len = strlen(*at);

		if ((*at)[len - 1] == '*' ? n >= len - 1 && !memcmp(name, *at, len - 1)
					  : n == len && !memcmp(name, *at, n))
			return true;
	}
	return false;
}

static bool
is_added(const struct field *adds, const char *name)
{
	while (adds->name && strcmp(adds->name, name))
		adds++;
	return adds->name;
}

/* Appends the dependents d to drops: all but prefixes by name, and those that h declares. */
static const char **
add_drops(const char **drops, const struct dependents *d, const struct header *h,
	  const struct field *adds)
{
	for (const char *const *at = d->name; *at; at++)
		if ((*at)[strlen(*at) - 1] != '*' && !is_added(adds, *at))
			*drops++ = *at;
	for (int i = 0; i < header_n_fields(h); i++) {
		const char *type, *name = header_field(h, i, &type);

		if (dependents_has(d, name, strlen(name)) && !is_added(adds, name))
			*drops++ = name;
	}
	return drops;
}

const char **
dependents_drops(struct dependents *d, const char *const *fields, int n, const struct header *h,
		 const struct field *adds)
{
	const size_t most = DEPENDENTS_MAX + (size_t)header_n_fields(h);
	const char **drops = xcalloc((size_t)n * most + 1, sizeof(*drops)), **end = drops;

	for (int i = 0; i < n; i++) {
		dependents_of(&d[i], fields[i]);
		end = add_drops(end, &d[i], h, adds);
	}
	return drops;
}

static const struct field *
replacement_choose(const struct header *h, void *arg, struct err *e)
{
	struct replacement *r = arg;

	(void)e;
	r->drops = dependents_drops(&r->dependents, &r->field, 1, h, r->filter.adds);
	r->filter.drops = r->drops;
	return r->filter.adds;
}

void
replacement_run(struct replacement *r)
{
	r->filter.choose = replacement_choose;
	r->filter.arg = r;
	filter_run(&r->filter);
	free(r->drops);
}

int
dependents_check(const struct record *rec, const char *field, dependents_keep *is_kept,
		 const void *arg, struct err *e)
{
	const struct side_fields *f = dependents_side_of(field);

	return strcmp(field, f->tree) || is_kept(f->pieces, arg) ? 0 : dep_check_pieces(rec, f, e);
}

struct unkept {
	struct dependents dependents;
	dependents_keep *keep;
	const void *arg;
};

static bool
is_unkept(const char *name, size_t n, const void *arg)
{
	const struct unkept *u = arg;
	char *copy;
	bool kept;

	if (!dependents_has(&u->dependents, name, n))
		return false;
	copy = xstrndup(name, n);
	kept = u->keep(copy, u->arg);
	free(copy);
	return !kept;
}

void
dependents_delete(struct record *rec, const char *field, dependents_keep *is_kept, const void *arg)
{
	struct unkept u = { .keep = is_kept, .arg = arg };

	dependents_of(&u.dependents, field);
	record_delete_fields(rec, is_unkept, &u);
}

void
dependents_drop(struct writer *w, const char *field, dependents_keep *is_kept, const void *arg)
{
	struct unkept u = { .keep = is_kept, .arg = arg };

	dependents_of(&u.dependents, field);
	writer_drop_fields(w, is_unkept, &u);
}

static bool
in_record(const char *name, const void *rec)
{
	return record_has(rec, name);
}

static int
check_trees(const struct record *rec, const struct record *more, struct err *e)
{
	for (int i = 0; i < 2; i++) {
		const char *tree = side_fields[i].tree;
		const void *had, *other;
		size_t had_n, n;

		if (record_raw(rec, tree, &had, &had_n) ||
		    record_raw(more, tree, &other, &n) ||
		    (had_n == n && !memcmp(had, other, n)))
			continue;
		if (dependents_check(rec, tree, in_record, more, e))
			return -1;
	}
	return 0;
}

/* False if rec has another value, which must not be replaced. */
static bool
join_cell(struct record *rec, const char *name, const struct cell *c, const struct record *more,
	  bool replace)
{
	const void *had;
	size_t n;
	const bool known = !record_raw(rec, name, &had, &n);

	if (known && n == c->value_n && !memcmp(had, c->value, n))
		return true;
	if (known && (!replace || !strcmp(name, "id")))
		return false;
	record_set_raw(rec, name, c->value, c->value_n);
	if (known)
		dependents_delete(rec, name, in_record, more);
	return true;
}

struct moved {
	unsigned origins;
	const struct record *more;
};

/* Do the keys of the header no longer describe this field? */
static bool
is_moved(const char *name, size_t n, const void *arg)
{
	const struct moved *m = arg;

	return origins_moved(m->origins, name, n) && !record_find(m->more, name, n);
}

/* Of the fields with keys, only hyp has dependents. */
static void
delete_moved(struct record *rec, const struct record *more, unsigned moved)
{
	struct moved m = { moved, more };

	if (record_has(rec, "hyp") && is_moved("hyp", 3, &m))
		dependents_delete(rec, "hyp", in_record, more);
	record_delete_fields(rec, is_moved, &m);
}

int
dependents_join(struct record *rec, const struct record *more, bool replace, unsigned moved,
		char **name, struct err *e)
{
	*name = NULL;
	if (replace && check_trees(rec, more, e))
		return -1;
	if (replace && moved)
		delete_moved(rec, more, moved);
	for (size_t i = 0; i < more->n; i++) {
		const struct cell *c = &more->cell[i];

		*name = xstrndup(c->name, c->name_n);
		if (!replace && origins_moved(moved, *name, c->name_n) && !record_has(rec, *name))
			return -1;
		if (!join_cell(rec, *name, c, more, replace))
			return -1;
		free(*name);
		*name = NULL;
	}
	return 0;
}
