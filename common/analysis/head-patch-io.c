/* head-patch-io: names, records and results of activation patching; see head-patch.h. */
#include "analysis/head-patch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "attention/attention-heads.h"
#include "base/mem.h"
#include "data/side-tokens.h"
#include "model/model-input.h"

/* --- names --- */

const char *const head_patch_directions[] = { "noise", "denoise", NULL };

static const struct { const char *option, *column, *heads; } methods[PATCH_METHODS] = {
	[PATCH_EXACT] = { "exact", "patch", "patch.heads" },
	[PATCH_GRADIENT] = { "gradient", "patch.gradient", "patch.gradient.heads" },
	[PATCH_INTEGRATED] = { "integrated", "patch.integrated", "patch.integrated.heads" },
};

int
head_patch_choose(struct head_patch_how *settings, const char *list, struct err *e)
{
	for (const char *s = list; *s;) {
		const size_t n = strcspn(s, ",");
		int i = 0;

		while (i < PATCH_METHODS &&
		       (strlen(methods[i].option) != n || memcmp(s, methods[i].option, n)))
			i++;
		if (i == PATCH_METHODS)
			return err_usage(e, "'%.*s' is not a method, expected exact, gradient or "
					 "integrated", (int)n, s);
		settings->method[i] = true;
		s += n + (s[n] == ',');
	}
	return 0;
}

/* --- records --- */

static struct record *
corrupt(const struct model *m, const struct record *rec, struct err *e)
{
	struct record *copy = record_new();

	if (record_copy(copy, rec)) {
		err_set(e, EXIT_INPUT, "cannot be copied");
	} else if (!forced_corrupt(m, copy, e)) {
		const int clean = side_tokens_count(rec, false), n = side_tokens_count(copy, false);

		if (n == clean)
			return copy;
		err_set(e, EXIT_INPUT, "the corrupted source has %d tokens, expected %d as the "
			"source has", n, clean);
	}
	record_free(copy);
	return NULL;
}

/* Gradients leave out pairs with masked target tokens. */
static bool
head_patch_has(const struct head_patching *p, int method, size_t pair)
{
	return method == PATCH_EXACT || !p->masked[pair];
}

/* Sets the field with the effects of a method. */
static void
set_effects(struct record *rec, const char *name, const double *x, size_t n, float *room)
{
	const struct tensor t = { .type = TENSOR_F32, .n_dim = 1, .d = { (int)n }, .data = room };

	for (size_t h = 0; h < n; h++)
		room[h] = (float)x[h];
	record_set_tensor(rec, name, &t);
}

static int
write_sentences(struct head_patching *p, const struct batch *b, struct err *e)
{
	const size_t first = p->n - (size_t)b->n;
	float *room = xcalloc(p->heads + 1, sizeof(*room));
	struct record *rec = record_new();
	int bad = 0;

	for (int i = 0; i < b->n && !bad; i++) {
		const size_t at = first + (size_t)i;
		int64_t id;

		record_clear(rec);
		if (!record_int(b->record[i], "id", &id))
			record_set_int(rec, "id", id);
		record_set_float(rec, "patch.total", p->total[at]);
		for (int k = 0; k < PATCH_METHODS; k++)
			if (p->how.method[k] && head_patch_has(p, k, at))
				set_effects(rec, methods[k].heads, p->effect[k] + at * p->heads,
					    p->heads, room);
		bad = writer_put(p->sentences, rec, e);
	}
	record_free(rec);
	free(room);
	return bad;
}

static int
add_pairs(struct head_patching *p, const struct forced *f, const struct batch *b,
	  struct record **rec, struct err *e)
{
	const struct batch_rules rules = forced_rules(f);
	struct batch corrupted;

	for (int i = 0; i < b->n; i++) {
		rec[i] = corrupt(f->m, b->record[i], e);
		if (!rec[i])
			return err_wrap(e, "record %lld", (long long)b->number[i] + 1);
	}
	if (model_batch(f->m, &corrupted, &p->mem, (const struct record *const *)rec, b->number,
			b->n, &rules, e))
		return -1;
	head_patch_pairs(p, f->run->tape, b, &corrupted);
	return p->sentences ? write_sentences(p, b, e) : 0;
}

int
head_patch_add(struct head_patching *p, const struct forced *f, const struct batch *b,
	       struct err *e)
{
	struct record **rec = xcalloc((size_t)b->n + 1, sizeof(*rec));
	int bad;

	arena_rewind(&p->mem);
	bad = add_pairs(p, f, b, rec, e);
	for (int i = 0; i < b->n && rec[i]; i++)
		record_free(rec[i]);
	free(rec);
	return bad;
}

int
head_patch_open(struct head_patching *p, struct model *m, const struct head_patch_how *settings,
		const struct reader *reader, const char *path, unsigned flags, struct err *e)
{
	static const struct field fields[] = { { "patch.total", "float", 0 }, { 0 } };

	head_patch_begin(p, m, settings);
	if (!path)
		return 0;
	p->sentences = writer_open(path, "sentence", NULL, fields, flags, e);
	if (!p->sentences)
		return -1;
	for (int k = 0; k < PATCH_METHODS; k++)
		if (p->how.method[k])
			writer_add_field(p->sentences, methods[k].heads, "f32[h]");
	if (header_type(reader_header(reader), "id"))
		writer_add_field(p->sentences, "id", "int");
	writer_add_provenance(p->sentences, reader_header(reader));
	return 0;
}

int
head_patch_end(struct head_patching *p, struct err *e)
{
	struct writer *w = p->sentences;

	p->sentences = NULL;
	return w ? writer_finish(w, e) : 0;
}

/* --- the table --- */

double
head_patch_total(const struct head_patching *p)
{
	double sum = 0;

	for (size_t i = 0; i < p->n; i++)
		sum += p->total[i];
	return sum / (double)p->n;
}

/* The effects of a head by a method, over the pairs that the method has. */
struct head_patch_sums { size_t n; double sum, total, squares; };

static struct head_patch_sums
head_patch_sums_of(const struct head_patching *p, int method, size_t column)
{
	const double *x = p->effect[method] + column;
	struct head_patch_sums s = { .n = 0 };

	for (size_t i = 0; i < p->n; i++) {
		if (!head_patch_has(p, method, i))
			continue;
		s.sum += x[i * p->heads];
		s.total += p->total[i];
		s.n++;
	}
	for (size_t i = 0; i < p->n; i++) {
		const double d = x[i * p->heads] - s.sum / (double)s.n;

		s.squares += head_patch_has(p, method, i) ? d * d : 0;
	}
	return s;
}

static int
fill_method(const struct head_patching *p, int method, size_t head, struct head_table *t,
	    struct err *e)
{
	const struct head_patch_sums x = head_patch_sums_of(p, method, head);
	const struct site *sites = p->m->sites, *s;
	const double n = (double)x.n;
	const char *name = methods[method].column;
	char *share;
	int number;

	if (p->n && !x.n)
		return err_set(e, EXIT_INPUT, "the model's output mask excludes tokens of every "
			       "target, expected a target without one");
	s = site_of_head(sites, head, &number);
	if (!isfinite(x.sum))
		return err_set(e, EXIT_INPUT, "%s of %s head %d is %g, expected a finite number",
			       name, s->name, number, x.sum);
	head_table_fill_mean(t, sites, head, name, x.sum / n,
			     x.n > 1 ? sqrt(x.squares / (n - 1) / n) : NAN);
	share = xasprintf("%s.share", name);
	head_table_fill(t, sites, head, share, x.sum / x.total);
	free(share);
	return 0;
}

int
head_patch_fill(const struct head_patching *p, struct head_table *t, struct err *e)
{
	for (size_t i = 0; i < p->heads; i++)
		for (int k = 0; k < PATCH_METHODS; k++)
			if (p->how.method[k] && fill_method(p, k, i, t, e))
				return -1;
	return 0;
}
