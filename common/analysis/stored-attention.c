/* stored-attention: see stored-attention.h. */
#include "analysis/stored-attention.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "attention/attention-heads.h"
#include "base/mem.h"
#include "base/num.h"

enum { MAX_LAYER = 10000, MAX_HEADS = 4096 };
static const struct str tag = { "<tag>", 5 };	/* its text is not known */

/* --- the header --- */

/* Has the type three dimensions? */
static bool
is_three(const char *type)
{
	int commas = 0;

	for (const char *s = type; *s; s++)
		commas += *s == ',';
	return !strncmp(type, "f32[", 4) && commas == 2;
}

/* Reads "cross.3". */
static int
read_place(const char *s, struct stored_site *site)
{
	struct err none;
	int64_t layer;

	for (int i = 0; site_kinds[i]; i++) {
		const size_t n = strlen(site_kinds[i]);

		if (strncmp(s, site_kinds[i], n) || s[n] != '.')
			continue;
		site->where = (enum site_where)i;
		if (num_int(s + n + 1, strlen(s + n + 1), 1, MAX_LAYER, &layer, &none))
			return -1;
		site->layer = (int)layer;
		return 0;
	}
	return -1;
}

static int
by_place(const void *a, const void *b)
{
	const struct stored_site *p = a, *q = b;

	return p->where != q->where ? (p->where > q->where) - (p->where < q->where)
				    : (p->layer > q->layer) - (p->layer < q->layer);
}

static int
add_stored_site(struct stored_attention *a, const char *field, const char *type, size_t *room,
		struct err *e)
{
	struct stored_site *s;

	if (strncmp(field, "att.", 4))
		return 0;
	a->stored = mem_grow(a->stored, room, a->n + 1, sizeof(*a->stored));
	s = &a->stored[a->n];
	*s = (struct stored_site){ .layer = 0 };
	if (read_place(field + 4, s))
		return err_set(e, EXIT_INPUT, "field %.60s, expected att.enc-self.N, "
			       "att.dec-self.N or att.cross.N with a layer N", field);
	if (!is_three(type))
		return err_set(e, EXIT_INPUT, "%s is %.60s, expected f32 with the dimensions "
			       "heads, queries and keys", field, type);
	s->field = xstrdup(field);
	s->name = site_name(s->where, s->layer);
	a->n++;
	return 0;
}

static int
find_stored_sites(struct stored_attention *a, struct err *e)
{
	const struct header *h = reader_header(a->in);
	size_t room = 0;

	for (int i = 0; i < header_n_fields(h); i++) {
		const char *type, *field = header_field(h, i, &type);

		if (add_stored_site(a, field, type, &room, e))
			return err_wrap(e, "%s", reader_name(a->in));
	}
	if (!a->n) {
		err_usage(e, "no model, expected -m FILE, or a stream with attention weights: %s "
			  "has no fields att.*", reader_name(a->in));
		err_hint(e, "nmt-score --attention-weights adds them, and heed.py writes those of "
			 "other toolkits");
		return -1;
	}
	qsort(a->stored, a->n, sizeof(*a->stored), by_place);
	for (size_t i = 1; i < a->n; i++)
		if (!by_place(&a->stored[i - 1], &a->stored[i]))
			return err_set(e, EXIT_INPUT, "%s: both %s and %s, expected one of them",
				       reader_name(a->in), a->stored[i - 1].field,
				       a->stored[i].field);
	a->site = xcalloc(a->n, sizeof(*a->site));
	a->sites = (struct site_list){ a->site, a->n };
	a->sentence.x = xcalloc(a->n, sizeof(*a->sentence.x));
	return 0;
}

/* --- dimensions --- */

/* Takes a dimension, which must be that of the sites before; -1: not known yet. */
static int
take_dimension(const struct stored_site *s, const char *axis, int64_t d, int64_t *known,
	       struct err *e)
{
	if (*known >= 0 && *known != d)
		return err_set(e, EXIT_INPUT, "%s has %lld %s, expected %lld as the others",
			       s->field, (long long)d, axis, (long long)*known);
	*known = d;
	return 0;
}

static int
stored_take_tensor(struct stored_site *s, const struct record *rec, int64_t *source,
		   int64_t *target, struct err *e)
{
	const bool encoder = s->where == ENCODER_SELF, cross = s->where == DECODER_CROSS;
	struct tensor *t = &s->given;

	if (record_tensor(rec, s->field, t) || t->type != TENSOR_F32 || t->n_dim != 3)
		return err_set(e, EXIT_INPUT, "no %s, expected the weights [heads, queries, keys] "
			       "of all sites", s->field);
	if (t->d[0] < 1 || t->d[0] > MAX_HEADS || (s->all_heads && t->d[0] != s->all_heads))
		return err_set(e, EXIT_INPUT, "%s has %lld heads, expected %d%s", s->field,
			       (long long)t->d[0], s->all_heads ? s->all_heads : 1,
			       s->all_heads ? " as in the first sentence" : " to 4096");
	return take_dimension(s, "queries", t->d[1], encoder ? source : target, e) ||
	       take_dimension(s, "keys", t->d[2], encoder || cross ? source : target, e) ? -1 : 0;
}

/* Positions of a side, of which the tokens of the record and, with one more, a tag explain all. */
static int
stored_check_positions(const struct record *rec, bool target, int64_t positions, int64_t least,
		       int64_t most, int *tokens, struct err *e)
{
	const int n = side_tokens_count(rec, target);

	*tokens = n < 0 ? 0 : n;
	if (positions < 0)
		return 0;
	if (n < 0)
		return err_set(e, EXIT_INPUT, target
			       ? "no tgt.pieces and no tgt, expected the tokens of the queries"
			       : "no src.pieces and no src, expected the tokens of the keys");
	if (positions >= n + least && positions <= n + most)
		return 0;
	return err_set(e, EXIT_INPUT, "weights of %lld %s positions for %d tokens, expected %lld "
		       "to %lld", (long long)positions, target ? "target" : "source", n,
		       (long long)(n + least), (long long)(n + most));
}

/* Sets the positions of the sentence. */
static int
set_positions(struct stored_attention *a, const struct record *rec, struct err *e)
{
	struct sentence_attention *s = &a->sentence;
	int64_t source = -1, target = -1;
	int n, m;

	for (size_t i = 0; i < a->n; i++)
		if (stored_take_tensor(&a->stored[i], rec, &source, &target, e))
			return -1;
	if (stored_check_positions(rec, false, source, 0, 2, &n, e) ||
	    stored_check_positions(rec, true, target, 1, 2, &m, e))
		return -1;
	s->rec = rec;
	s->source = source < 0 ? n : (int)source;
	s->source_end = s->source > n;
	s->first = s->source == n + 2;
	s->target = target < 0 ? 0 : (int)target;
	s->first_target = s->target == m + 2;
	return 0;
}

/* --- weights --- */

static float
value_at(const struct tensor *t, size_t i)
{
	float x;

	memcpy(&x, (const char *)t->data + i * sizeof(x), sizeof(x));
	return x;
}

/* The first value of n from i on that is not 0; n if all are. */
static size_t
first_not_zero(const struct tensor *t, size_t i, size_t n)
{
	size_t k = 0;

	while (k < n && value_at(t, i + k) == 0)
		k++;
	return k;
}

/* The heads, without those whose weights are all 0; all heads if the sentence has no weights. */
static void
set_heads_of(struct stored_site *s, struct site *site)
{
	const size_t n = (size_t)(s->given.d[1] * s->given.d[2]);

	s->head = xcalloc((size_t)s->all_heads, sizeof(*s->head));
	for (int h = 0; h < s->all_heads; h++)
		if (!n || first_not_zero(&s->given, (size_t)h * n, n) < n)
			s->head[s->heads++] = h;
	*site = (struct site){ .where = s->where, .layer = s->layer, .heads = s->heads,
			       .all_heads = s->all_heads, .head = s->head, .name = s->name };
}

/* The value of a weight that is none: EXIT_INPUT. */
static int
refuse_weight(const struct stored_site *s, int head, size_t i, double x, const char *want,
	      struct err *e)
{
	const size_t keys = (size_t)s->given.d[2];

	return err_set(e, EXIT_INPUT, "%s: head %d, query %zu, key %zu is %g, expected %s",
		       s->field, head + 1, i / keys + 1, i % keys + 1, x, want);
}

static int
copy_weights(struct stored_site *s, struct err *e)
{
	const struct tensor *t = &s->given;
	const size_t n = (size_t)(t->d[1] * t->d[2]);
	int retained = 0;

	s->x = mem_grow(s->x, &s->room, (size_t)s->heads * n + 1, sizeof(*s->x));
	for (int h = 0; h < s->all_heads; h++) {
		const size_t from = (size_t)h * n;

		if (retained == s->heads || s->head[retained] != h) {
			const size_t i = first_not_zero(t, from, n);

			if (i < n)
				return refuse_weight(s, h, i, (double)value_at(t, from + i),
						     "0 as in the sentences before", e);
			continue;
		}
		for (size_t i = 0; i < n; i++) {
			const float x = value_at(t, from + i);

			if (!(x >= 0 && x <= FLT_MAX))
				return refuse_weight(s, h, i, (double)x,
						     "a finite number that is not negative", e);
			s->x[(size_t)retained * n + i] = (real)x;
		}
		retained++;
	}
	return 0;
}

/* --- records --- */

static bool
has_any(const struct stored_attention *a, const struct record *rec)
{
	for (size_t i = 0; i < a->n; i++)
		if (record_has(rec, a->stored[i].field))
			return true;
	return false;
}

/* Reads the next record with weights. */
static int
read_record(struct stored_attention *a, struct record **rec, struct err *e)
{
	int more;

	while ((more = reader_next(a->in, rec, e)) > 0 && !has_any(a, *rec))
		a->without++;
	return more;
}

static int
take_sentence(struct stored_attention *a, struct record *rec, struct err *e)
{
	if (set_positions(a, rec, e))
		return -1;
	for (size_t i = 0; i < a->n; i++) {
		if (copy_weights(&a->stored[i], e))
			return -1;
		a->sentence.x[i] = a->stored[i].x;
	}
	/* Last, because the tensors point into the record. */
	if ((a->sentence.first && side_tokens_put_first(rec, false, tag, e)) ||
	    (a->sentence.first_target && side_tokens_put_first(rec, true, tag, e)))
		return -1;
	return 0;
}

int
stored_attention_next(struct stored_attention *a, struct err *e)
{
	struct record *rec;
	int more = 1;

	a->where = NULL;
	if (a->next < a->n_ahead) {
		rec = a->ahead[a->next].rec;
		a->where = a->ahead[a->next].where;
		a->sentence.number = a->ahead[a->next++].number;
	} else {
		more = read_record(a, &rec, e);
		a->sentence.number = reader_count(a->in) - 1;
	}
	if (more > 0 && take_sentence(a, rec, e))
		return err_wrap(e, "%s", stored_attention_where(a));
	return more;
}

const char *
stored_attention_where(const struct stored_attention *a)
{
	return a->where ? a->where : reader_where(a->in);
}

int
stored_attention_each(struct stored_attention *a, sentence_attention_take *take, void *arg,
		      struct err *e)
{
	int more;

	while ((more = stored_attention_next(a, e)) > 0)
		if (take(arg, &a->sentence, e))
			return err_wrap(e, "%s", stored_attention_where(a));
	return more;
}

/* --- opening --- */

/*
 * Sets the heads of the sites that have weights in this sentence, or of all sites.  Without source
 * positions, neither the encoder nor cross-attention has weights.  Returns whether all are set.
 */
static bool
find_stored_heads(struct stored_attention *a, bool all)
{
	bool known = true;

	for (size_t i = 0; i < a->n; i++) {
		struct stored_site *s = &a->stored[i];

		s->all_heads = (int)s->given.d[0];
		if (!s->head && (all || (s->given.d[1] && s->given.d[2])))
			set_heads_of(s, &a->site[i]);
		known = known && s->head;
	}
	return known;
}

static int
keep_ahead(struct stored_attention *a, const struct record *rec)
{
	struct stored_ahead *k;

	a->ahead = mem_grow(a->ahead, &a->ahead_room, a->n_ahead + 1, sizeof(*a->ahead));
	k = &a->ahead[a->n_ahead++];
	*k = (struct stored_ahead){ record_new(), xstrdup(reader_where(a->in)),
				    reader_count(a->in) - 1 };
	return record_copy(k->rec, rec);
}

/* Reads ahead until the heads of all sites are known. */
static int
read_ahead(struct stored_attention *a, struct err *e)
{
	struct record *rec;
	bool known = false;
	int more = 1;

	while (!known && (more = read_record(a, &rec, e)) > 0) {
		if (set_positions(a, rec, e) || keep_ahead(a, rec))
			return err_wrap(e, "%s", reader_where(a->in));
		known = find_stored_heads(a, false);
	}
	if (more < 0)
		return -1;
	if (!a->n_ahead)
		return err_set(e, EXIT_INPUT, "%s: no sentence with attention weights, expected "
			       "at least one", reader_name(a->in));
	find_stored_heads(a, true);
	return 0;
}

int
stored_attention_begin(struct stored_attention *a, struct reader *reader, struct err *e)
{
	*a = (struct stored_attention){ .in = reader };
	return find_stored_sites(a, e) || read_ahead(a, e) ? -1 : 0;
}

int
stored_attention_open(struct stored_attention *a, const char *path, const struct field *more,
		      unsigned flags, struct err *e)
{
	static const struct field sides[] = {
		{ "src", "str", 1 }, { "src.pieces", "[str]", 1 }, { "src.word", "[int]", 1 },
		{ "tgt", "str", 1 }, { "tgt.pieces", "[str]", 1 }, { "tgt.word", "[int]", 1 },
	};
	const size_t n = sizeof(sides) / sizeof(*sides);
	struct field *needs;
	struct reader *in;
	size_t k = 0;

	while (more && more[k].name)
		k++;
	needs = xcalloc(n + k + 1, sizeof(*needs));
	memcpy(needs, sides, sizeof(sides));
	if (k)
		memcpy(needs + n, more, k * sizeof(*needs));
	in = reader_open(path, "sentence", needs, flags, e);
	free(needs);
	*a = (struct stored_attention){ .in = NULL };
	return in ? stored_attention_begin(a, in, e) : -1;
}

void
stored_attention_close(struct stored_attention *a)
{
	for (size_t i = 0; i < a->n; i++) {
		struct stored_site *s = &a->stored[i];

		free(s->field);
		free(s->name);
		free(s->head);
		free(s->x);
	}
	for (size_t i = 0; i < a->n_ahead; i++) {
		record_free(a->ahead[i].rec);
		free(a->ahead[i].where);
	}
	free(a->ahead);
	free(a->stored);
	free(a->site);
	free(a->sentence.x);
	reader_close(a->in);
	*a = (struct stored_attention){ .in = NULL };
}
