/* head-patch: see head-patch.h. */
#include "analysis/head-patch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/gated-scores.h"
#include "attention/attention-heads.h"
#include "base/mem.h"
#include "data/side-tokens.h"
#include "ops/ops.h"

const char *const head_patch_directions[] = { "noise", "denoise", NULL };
static const struct field effect_fields[] = {
	{ "patch.total", "float", 0 }, { "patch.heads", "f32[h]", 0 }, { 0 }
};

void
head_patch_begin(struct head_patching *p, struct model *m, enum head_patch_direction direction)
{
	const size_t heads = heads_before(m->sites, m->n_sites);

	*p = (struct head_patching){ .m = m, .direction = direction, .heads = heads };
	p->output = xcalloc(heads + 1, sizeof(*p->output));
	p->gates = xcalloc(heads + 1, sizeof(*p->gates));
	for (size_t i = 0; i < heads; i++)
		p->gates[i] = 1;
	if (!m->gates)
		model_gate(m, p->gates);
	m->recipe.label_smoothing = 0;
	layer_pass_init(&p->pass, m);
	arena_init(&p->mem, 0);
}

void
head_patch_release(struct head_patching *p)
{
	if (!p->m)
		return;
	if (p->m->gates == p->gates)
		model_gate(p->m, NULL);
	free(p->effect);
	free(p->gates);
	free(p->output);
	layer_pass_release(&p->pass);
	arena_release(&p->mem);
	*p = (struct head_patching){ .m = NULL };
}

/* --- pairs --- */

/* Copies the head outputs of the model's last run. */
static void
keep_outputs(struct head_patching *p, struct tape *t)
{
	const struct model *m = p->m;
	real **to = p->output;

	for (size_t i = 0; i < m->n_sites; i++) {
		const struct site *s = &m->sites[i];
		const ptrdiff_t d = s->head_dim;
		const struct node *x = s->heads ? tape_find(t, m->gate_name[i])->in[0] : NULL;

		for (int h = 0; h < s->heads; h++, to++) {
			*to = ARENA_ARRAY(&p->mem, real, (size_t)x->d[0] * (size_t)d);
			for (ptrdiff_t r = 0; r < x->d[0]; r++)
				memcpy(*to + r * d, x->x + r * x->ld + h * d,
				       (size_t)d * sizeof(real));
		}
	}
}

/*
 * Adds the log-probability of each target, times factor, to a column of the effects from row n on.
 */
static void
head_patch_add_scores(struct head_patching *p, const struct node *nll, const struct batch *b,
		      size_t column, double factor)
{
	const struct layout *rows = &b->tgt.layout;
	double *to = p->effect + p->n * (p->heads + 1) + column;
	int64_t infinite;

	for (int i = 0; i < b->n; i++, to += p->heads + 1)
		*to -= factor * loss_of_rows(nll, rows->start[i], rows->start[i] + rows->len[i],
					 &infinite);
}

/* Patches each head into the run on b, whose log-probabilities have been added. */
static void
patch_heads(struct head_patching *p, struct tape *t, const struct batch *b, double factor)
{
	struct model *m = p->m;
	size_t column = 0;

	for (size_t i = 0; i < m->n_sites; i++) {
		const bool source = m->sites[i].where == ENCODER_SELF;
		struct head_patch one = { .site = i, .rows = source ? b->src.layout.rows
								    : b->tgt.layout.rows };
		const int place = layer_pass_place(m, i);

		model_patch(m, &one);
		for (; one.head < m->sites[i].heads; one.head++, column++) {
			one.x = p->output[column];
			head_patch_add_scores(p, layer_pass_run(&p->pass, t, b, place, false), b,
					      column, factor);
		}
		model_patch(m, NULL);
	}
}

void
head_patch_pairs(struct head_patching *p, struct tape *t, const struct batch *clean,
		 const struct batch *corrupted)
{
	const bool noise = p->direction == PATCH_NOISE;
	const struct batch *from = noise ? corrupted : clean, *to = noise ? clean : corrupted;
	const size_t end = (p->n + (size_t)clean->n) * (p->heads + 1);
	const double by = noise ? 1 : -1;	/* of the run that is patched */
	struct node *nll;

	p->effect = mem_grow(p->effect, &p->room, end, sizeof(*p->effect));
	for (size_t i = p->n * (p->heads + 1); i < end; i++)
		p->effect[i] = 0;
	tape_rewind(t);
	nll = model_cross_entropy(p->m, t, from, model_decode(p->m, t, from,
							       model_encode(p->m, t, from)));
	keep_outputs(p, t);
	head_patch_add_scores(p, nll, from, p->heads, -by);
	layer_pass_next(&p->pass);
	nll = layer_pass_run(&p->pass, t, to, 0, true);
	for (size_t column = 0; column <= p->heads; column++)
		head_patch_add_scores(p, nll, to, column, by);
	patch_heads(p, t, to, -by);
	p->n += (size_t)clean->n;
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

static int
write_sentences(struct head_patching *p, const struct batch *b, struct err *e)
{
	const size_t n = p->heads;
	const double *x = p->effect + (p->n - (size_t)b->n) * (n + 1);
	float *heads = xcalloc(n + 1, sizeof(*heads));
	const struct tensor t = { .type = TENSOR_F32, .n_dim = 1, .d = { (int)n },
				  .data = heads };
	struct record *rec = record_new();
	int bad = 0;

	for (int i = 0; i < b->n && !bad; i++, x += n + 1) {
		int64_t id;

		for (size_t h = 0; h < n; h++)
			heads[h] = (float)x[h];
		record_clear(rec);
		if (!record_int(b->record[i], "id", &id))
			record_set_int(rec, "id", id);
		record_set_float(rec, "patch.total", x[n]);
		record_set_tensor(rec, "patch.heads", &t);
		bad = writer_put(p->sentences, rec, e);
	}
	record_free(rec);
	free(heads);
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
head_patch_open(struct head_patching *p, struct model *m, enum head_patch_direction direction,
		const struct reader *reader, const char *path, unsigned flags, struct err *e)
{
	head_patch_begin(p, m, direction);
	if (!path)
		return 0;
	p->sentences = writer_open(path, "sentence", NULL, effect_fields, flags, e);
	if (!p->sentences)
		return -1;
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

static double
head_patch_sum_of(const struct head_patching *p, size_t column)
{
	double sum = 0;

	for (size_t i = 0; i < p->n; i++)
		sum += p->effect[i * (p->heads + 1) + column];
	return sum;
}

double
head_patch_total(const struct head_patching *p)
{
	return head_patch_sum_of(p, p->heads) / (double)p->n;
}

/* The standard error of a mean; NAN for fewer than two pairs. */
static double
error_of(const struct head_patching *p, size_t column, double mean)
{
	const double n = (double)p->n;
	double squares = 0;

	for (size_t i = 0; i < p->n; i++) {
		const double d = p->effect[i * (p->heads + 1) + column] - mean;

		squares += d * d;
	}
	return p->n > 1 ? sqrt(squares / (n - 1) / n) : NAN;
}

int
head_patch_fill(const struct head_patching *p, struct head_table *t, struct err *e)
{
	const double total = head_patch_sum_of(p, p->heads), n = (double)p->n;
	size_t column = 0;

	for (size_t i = 0; i < p->m->n_sites; i++) {
		const struct site *s = &p->m->sites[i];

		for (int h = 0; h < s->heads; h++, column++) {
			const double sum = head_patch_sum_of(p, column);
			const int head = s->head[h] + 1;

			if (!isfinite(sum))
				return err_set(e, EXIT_INPUT, "patch of %s head %d is %g, expected "
					       "a finite number", s->name, head, sum);
			head_table_fill_mean(t, s, head, "patch", sum / n,
					     error_of(p, column, sum / n));
			head_table_fill(t, s, head, "patch.share", sum / total);
		}
	}
	return 0;
}
