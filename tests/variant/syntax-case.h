/* syntax-case: a model and records with trees, for the tests of variants that read them. */
#ifndef SYNTAX_CASE_H
#define SYNTAX_CASE_H

#include "checks.h"
#include "stream/stream.h"

/* The fields of the records: whether i attends to j, phrasal positions, and relations. */
static bool linked(int i, int j) { return i == j || (i * j + i + j) % 3 == 1; }
static int depth(int i, int j) { return linked(i, j) ? (j - i) * 2 : 127; }
static int relation(int i, int j) { return i == j ? 0 : 1 + (i * 3 + j * 5) % 8; }
static int closed = -1;			/* a row whose mask allows nothing */

static inline void
annotate(struct record *rec, int64_t number, int src, int tgt)
{
	unsigned char dep[16 * 2] = { 0 };
	signed char phrase[16 * 16], rel[16 * 16];

	(void)number;
	(void)tgt;
	for (int i = 0; i < src; i++)
		for (int j = 0; j < src; j++) {
			if (i != closed && linked(i, j))
				dep[i * ((src + 7) / 8) + j / 8] |= (unsigned char)(1 << j % 8);
			phrase[i * src + j] = (signed char)depth(i, j);
			rel[i * src + j] = (signed char)relation(i, j);
		}
	set_pairs(rec, "src.dep", TENSOR_BITS, src, dep);
	set_pairs(rec, "src.phrase", TENSOR_I8, src, phrase);
	set_pairs(rec, "src.relation", TENSOR_I8, src, rel);
}

/* A model, a batch of one sentence of five words, and the results. */
struct run {
	struct model *m;
	struct setup_batch s;
	struct runtime run;
	int len;			/* rows of the source */
	double loss;
};

static inline void
start_with(struct run *r, const char *const *spec, size_t n, bool src_end, const char *text)
{
	struct model_config c = setup_config("fairseq");

	c.src_eos = src_end;
	r->m = setup_model_of(&c, "fairseq", spec, n, 7);
	setup_stir(r->m);
	setup_batch(&r->s, r->m, &text, NULL, 1);
	setup_annotate = NULL;
	setup_runtime(&r->run, 1, false);
	r->len = r->s.b.src.layout.len[0];
	r->loss = setup_loss(r->m, &r->run, &r->s.b, true);
}

static inline void
start(struct run *r, const char *const *spec, size_t n, bool src_end)
{
	setup_annotate = annotate;
	start_with(r, spec, n, src_end, "abcde|klm");
}

static inline void
stop(struct run *r)
{
	setup_batch_end(&r->s);
	runtime_close(&r->run);
	model_free(r->m);
}

/* Weights of the first encoder layer; repeats the forward pass, as its nodes were freed. */
static inline const real *
weights(struct run *r, const char *name)
{
	const ptrdiff_t *block;
	const struct layout *q, *k;
	size_t site = 0;

	while (strcmp(r->m->sites[site].name, name))
		site++;
	setup_loss(r->m, &r->run, &r->s.b, false);
	return model_site_weights(r->m, r->run.tape, site, &block, &q, &k);
}

/* Weights of a variant must be those of the plain model times exp(bias), normalized. */
typedef double bias_of(const struct run *r, int head, int i, int j);

static inline double
number(const struct run *r, const char *name, int i, int j)
{
	const struct param *p = params_find(&r->m->params, name);

	assert_non_null(p);
	return p->x[i * (p->n_dim == 2 ? p->d[1] : 0) + j];
}

#endif
