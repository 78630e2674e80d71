/* pick: reads selected sentences of a stream; see pick.h. */
#include "draw/pick.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static char *
id_of(const struct record *rec, int64_t count)
{
	int64_t id = count;
	struct str s;

	if (!record_str(rec, "id", &s))
		return xstrndup(s.s, s.n);
	if (record_int(rec, "id", &id))
		id = count;
	return xasprintf("%lld", (long long)id);
}

static void
make_places(struct pick *p, const char *ids)
{
	const char *comma;

	*p = (struct pick){ .n = 1 };
	for (comma = ids; comma && (comma = strchr(comma, ',')); comma++)
		p->n++;
	p->id = xcalloc((size_t)p->n, sizeof(*p->id));
	p->rec = xcalloc((size_t)p->n, sizeof(*p->rec));
	p->number = xcalloc((size_t)p->n, sizeof(*p->number));
	for (int i = 0; ids && i < p->n; i++) {
		const size_t n = strcspn(ids, ",");

		p->id[i] = xstrndup(ids, n);
		ids += n + (ids[n] == ',');
	}
}

/* Stores the record in the places with its id; without ids the first record is stored. */
static int
take(struct pick *p, const struct record *rec, int64_t number, struct err *e)
{
	char *id = id_of(rec, number + 1);

	for (int i = 0; i < p->n; i++) {
		if (p->rec[i] || (p->id[i] && strcmp(p->id[i], id)))
			continue;
		free(p->id[i]);
		p->id[i] = xstrdup(id);
		p->rec[i] = record_new();
		p->number[i] = number;
		if (record_copy(p->rec[i], rec)) {
			free(id);
			return err_set(e, EXIT_INPUT, "the record cannot be copied");
		}
	}
	free(id);
	return 0;
}

int
pick_read(struct pick *p, struct reader *in, const char *ids, struct err *e)
{
	struct record *rec;
	int more;

	make_places(p, ids);
	while ((more = reader_next(in, &rec, e)) > 0)
		if (take(p, rec, reader_count(in) - 1, e))
			return err_wrap(e, "%s", reader_where(in));
	if (more)
		return -1;
	for (int i = 0; i < p->n; i++)
		if (!p->rec[i])
			return err_set(e, EXIT_INPUT, "%s: no sentence%s%s, expected one",
				       reader_name(in), ids ? " with id " : "",
				       ids ? p->id[i] : "");
	return 0;
}

static void
release_one(struct pick *p, int i)
{
	free(p->id[i]);
	record_free(p->rec[i]);
}

/* Removes sentence i. */
static void
drop(struct pick *p, int i)
{
	const size_t n = (size_t)(--p->n - i);

	release_one(p, i);
	memmove(p->id + i, p->id + i + 1, n * sizeof(*p->id));
	memmove(p->rec + i, p->rec + i + 1, n * sizeof(*p->rec));
	memmove(p->number + i, p->number + i + 1, n * sizeof(*p->number));
}

/* Returns 1 if the sentence is to be skipped. */
static int
choose(struct record *rec, const struct model *m, enum forced_target whose, struct too_long *t,
       const char *where, struct err *e)
{
	if (forced_choose(m, rec, whose, e))
		return -1;
	t->rules.with_target = batch_pieces(rec, true) >= 0;
	return too_long_check(t, rec, where, e);
}

int
pick_choose(struct pick *p, const struct model *m, enum forced_target whose, struct too_long *t,
	    const char *name, struct err *e)
{
	for (int i = 0; i < p->n;) {
		char *where = xasprintf("%s: id %s", name, p->id[i]);
		const int skip = choose(p->rec[i], m, whose, t, where, e);

		if (skip < 0)
			err_wrap(e, "%s", where);
		free(where);
		if (skip < 0)
			return -1;
		if (skip)
			drop(p, i);
		else
			i++;
	}
	too_long_end(t);
	return p->n ? 0 : err_set(e, EXIT_INPUT, "%s: all sentences are too long, expected one "
				  "to draw", name);
}

void
pick_release(struct pick *p)
{
	for (int i = 0; i < p->n; i++)
		release_one(p, i);
	free(p->id);
	free(p->rec);
	free(p->number);
	memset(p, 0, sizeof(*p));
}
