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

enum { HEADS = 2, HEAD_WIDTH = 4 };

/* A model, a batch, by default of one sentence of five words, and the results. */
struct run {
	struct model *m;
	struct setup_batch s;
	struct runtime run;
	int len;			/* rows of the first source sentence */
	double loss;
	/* Of check_scores(): a site of the first layer, and its input. */
	const char *site;
	const struct node *input;
};

/* n variants; the sentences get the fields of setup_annotate. */
static inline void
start_batch(struct run *r, const char *const *spec, size_t n, bool src_end, const char *const *text,
	    int sentences)
{
	struct model_config c = setup_config("fairseq");

	c.src_eos = src_end;
	r->m = setup_model_of(&c, "fairseq", spec, n, 7);
	setup_stir(r->m);
	setup_batch(&r->s, r->m, text, NULL, sentences);
	setup_annotate = NULL;
	setup_runtime(&r->run, 1, false);
	r->len = r->s.b.src.layout.len[0];
	r->loss = setup_loss(r->m, &r->run, &r->s.b, true);
}

static inline void
start_with(struct run *r, const char *const *spec, size_t n, bool src_end, const char *text)
{
	start_batch(r, spec, n, src_end, &text, 1);
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

/* Repeats the forward pass, as its nodes were freed. */
static inline void
forward(struct run *r)
{
	setup_loss(r->m, &r->run, &r->s.b, false);
}

/* The weights of a sentence after forward(), [heads, queries, keys]. */
static inline const real *
weights_of(const struct run *r, const char *name, int sentence)
{
	const ptrdiff_t *block;
	const struct layout *q, *k;
	const real *x;
	size_t site = 0;

	while (strcmp(r->m->sites[site].name, name))
		site++;
	x = model_site_weights(r->m, r->run.tape, site, &block, &q, &k);
	return x + block[sentence];
}

static inline const real *
weights(struct run *r, const char *name)
{
	forward(r);
	return weights_of(r, name, 0);
}

static inline double
number(const struct run *r, const char *name, int i, int j)
{
	const struct param *p = params_find(&r->m->params, name);

	assert_non_null(p);
	return p->x[i * (p->n_dim == 2 ? p->d[1] : 0) + j];
}

/* --- weights from scores, which are computed here from the parameters --- */

/* The same of a parameter of the site. */
static inline double
own_number(const struct run *r, const char *name, int i, int j)
{
	char full[64];

	snprintf(full, sizeof(full), "%s.%s", r->site, name);
	return number(r, full, i, j);
}

/* An element of the query (part 0), key (1) or value (2) of a head. */
static inline double
projected(const struct run *r, int part, int head, int row, int e)
{
	const struct node *x = r->input;
	const int at = (part * HEADS + head) * HEAD_WIDTH + e;
	double sum = own_number(r, "qkv.bias", 0, at);

	for (int c = 0; c < 8; c++)
		sum += x->x[row * x->ld + c] * own_number(r, "qkv.weight", at, c);
	return sum;
}

/* A value for row i and column j of a head. */
typedef double pair_value(const struct run *r, int head, int i, int j);

/* q_i . k_j / sqrt(d) */
static inline double
plain_score(const struct run *r, int head, int i, int j)
{
	double sum = 0;

	for (int e = 0; e < HEAD_WIDTH; e++)
		sum += projected(r, 0, head, i, e) * projected(r, 1, head, j, e);
	return sum / sqrt(HEAD_WIDTH);
}

/* Compares a row of weights with the softmax of the scores of its first n columns. */
static inline void
check_row(const struct run *r, const char *spec, int h, int i, int n, const real *row,
	  pair_value *score)
{
	double sum = 0;

	for (int j = 0; j < n; j++)
		sum += exp(score(r, h, i, j));
	for (int j = 0; j < n; j++) {
		const double want = exp(score(r, h, i, j)) / sum;

		if (off_by(row[j], want, 1) > 1e-12)
			fail_msg("%s, %s, head %d: weight of %d to %d: %.15g, expected %.15g",
				 spec, r->site, h, i, j, row[j], want);
	}
}

/* The model is post-norm, so that the input of the first layer is the embedding. */
static inline void
check_scores(const char *spec, bool end, const char *site, pair_value *score)
{
	const bool target = !strncmp(site, "dec", 3);
	struct run r;
	const real *w;
	int len;

	start_with(&r, &spec, 1, end, "abcde|klm");
	len = target ? r.s.b.tgt.layout.len[0] : r.len;
	w = weights(&r, site);
	r.site = site;
	r.input = tape_find(r.run.tape, target ? "tgt.embed" : "src.embed");
	for (int h = 0; h < HEADS; h++)
		for (int i = 0; i < len; i++)
			check_row(&r, spec, h, i, target ? i + 1 : len, w + (h * len + i) * len,
				  score);
	stop(&r);
}

#endif
