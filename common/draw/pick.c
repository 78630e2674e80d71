/* pick: reads selected sentences of a stream; see pick.h. */
#include "draw/pick.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "data/side-tokens.h"
#include "model/model-input.h"
#include "stream/fields.h"

char *
pick_id(const struct record *rec, int64_t count)
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
make_places(struct pick *p, int n)
{
	*p = (struct pick){ .n = n };
	p->id = xcalloc((size_t)n, sizeof(*p->id));
	p->rec = xcalloc((size_t)n, sizeof(*p->rec));
	p->number = xcalloc((size_t)n, sizeof(*p->number));
}

void
pick_begin(struct pick *p, const struct pick_source *s)
{
	const char *ids = s->ids, *comma;
	int n = ids ? 1 : s->number;

	for (comma = ids; comma && (comma = strchr(comma, ',')); comma++)
		n++;
	make_places(p, n);
	for (int i = 0; ids && i < p->n; i++) {
		const size_t length = strcspn(ids, ",");

		p->id[i] = xstrndup(ids, length);
		ids += length + (ids[length] == ',');
	}
}

/* Stores a copy in place i, which is empty. */
static int
pick_put(struct pick *p, int i, const struct record *rec, const char *id, int64_t number,
	 struct err *e)
{
	free(p->id[i]);
	p->id[i] = xstrdup(id);
	p->rec[i] = record_new();
	p->number[i] = number;
	if (record_copy(p->rec[i], rec))
		return err_set(e, EXIT_INPUT, "the record cannot be copied");
	return 0;
}

/* Stores the record in the places with its id; in the first empty place if these have no ids. */
int
pick_take(struct pick *p, const struct record *rec, int64_t number, struct err *e)
{
	char *id = pick_id(rec, number + 1);
	int r = 0;

	for (int i = 0; r >= 0 && i < p->n; i++) {
		const bool any = !p->id[i];

		if (p->rec[i] || (!any && strcmp(p->id[i], id)))
			continue;
		r = pick_put(p, i, rec, id, number, e) ? -1 : 1;
		if (any)
			break;
	}
	free(id);
	return r;
}

static void
release_one(struct pick *p, int i)
{
	free(p->id[i]);
	record_free(p->rec[i]);
}

int
pick_end(struct pick *p, const struct pick_source *s, const char *name, struct err *e)
{
	while (!s->ids && p->n > 1 && !p->rec[p->n - 1])
		release_one(p, --p->n);
	for (int i = 0; i < p->n; i++)
		if (!p->rec[i])
			return err_set(e, EXIT_INPUT, "%s: no sentence%s%s, expected one", name,
				       s->ids ? " with id " : "", s->ids ? p->id[i] : "");
	return 0;
}

int
pick_read(struct pick *p, struct reader *reader, const struct pick_source *s, struct err *e)
{
	struct record *rec;
	int more;

	pick_begin(p, s);
	while ((more = reader_next(reader, &rec, e)) > 0)
		if (pick_take(p, rec, reader_count(reader) - 1, e) < 0)
			return err_wrap(e, "%s", reader_where(reader));
	return more ? -1 : pick_end(p, s, reader_name(reader), e);
}

int
pick_copy(struct pick *copy, const struct pick *original, struct err *e)
{
	make_places(copy, original->n);
	for (int i = 0; i < original->n; i++)
		if (pick_put(copy, i, original->rec[i], original->id[i], original->number[i], e))
			return -1;
	return 0;
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

/*
 * Returns 1 if the sentence is to be skipped.  Words that forced_choose() numbers are removed: the
 * marks of subwords tell more.
 */
static int
pick_choose(struct record *rec, const struct model *m, enum forced_target whose, struct audit *a,
	    const char *where, struct err *e)
{
	const bool hyp = whose != TARGET_REF && forced_has_hyp(m, rec);
	const bool src_words = record_has(rec, side_fields[0].word);
	const bool tgt_words = !hyp && record_has(rec, side_fields[1].word);

	if (forced_choose(m, rec, whose, e))
		return -1;
	if (!src_words)
		record_delete(rec, side_fields[0].word);
	if (!tgt_words)
		record_delete(rec, side_fields[1].word);
	a->rules.with_target = side_tokens_count(rec, true) >= 0;
	return audit_length(a, rec, NULL, where, e);
}

static int
choose_all(struct pick *p, const struct model *m, enum forced_target whose, struct audit *a,
	   const char *name, struct err *e)
{
	for (int i = 0; i < p->n;) {
		char *where = xasprintf("%s: id %s", name, p->id[i]);
		const int skip = pick_choose(p->rec[i], m, whose, a, where, e);

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
	audit_warn_length(a);
	return p->n ? 0 : err_set(e, EXIT_INPUT, "%s: all sentences are too long, expected one "
				  "to draw", name);
}

int
pick_fit(struct pick *p, const struct pick_source *s, const struct model *m,
	 const struct reader *reader, struct err *e)
{
	struct audit audit = { .too_long = s->too_long };

	if (model_audit(m, true, &audit, e) ||
	    choose_all(p, m, s->target, &audit, reader_name(reader), e))
		return -1;
	for (int i = 0; i < p->n; i++) {
		audit_fields(&audit, p->rec[i]);
		audit_tokens(&audit.tokens, p->rec[i], &m->src, &m->tgt);
	}
	audit_warn_fields(&audit);
	model_audit_warn_tokens(m, &audit.tokens, reader_header(reader), reader_name(reader));
	return 0;
}

struct reader *
pick_open(const struct pick_source *s, const struct model *m, struct err *e)
{
	return forced_open(m, s->target, NULL, s->path, s->force ? STREAM_FORCE : 0, e);
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
