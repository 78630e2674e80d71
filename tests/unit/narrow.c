/* narrow: models that remain 8-bit integers compute what models of single precision do. */
#include <math.h>
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/hash.h"
#include "base/mem.h"
#include "model-file/model-file.h"
#include "model/layer-params.h"
#include "model/model-input.h"
#include "model/runtime.h"
#include "search/next-token.h"
#include "tensor/kernels.h"
#include "tiny-model.h"
#include "whole-file.h"

enum { WIDTH = 24, FF = 40, ROWS = 4 };

static char path[] = "/tmp/heed-narrow-XXXXXX";

static struct model *
make(const char *preset)
{
	struct model *m = tiny_model(preset, WIDTH, FF);

	params_allocate(&m->params, false);
	model_randomize(m, 3);
	m->int8 = true;
	return m;
}

static struct model *
load(bool narrow)
{
	struct err e;
	struct model *m = narrow ? model_load_narrow(path, &e)
				 : model_load(path, false, NULL, NULL, &e);

	if (!m)
		fail_msg("%s", e.text);
	return m;
}

static void
save(const struct model *m)
{
	struct err e;

	if (model_save(m, path, NULL, 0, &e))
		fail_msg("%s", e.text);
}

/*
 * Saves a model in which row 1 of each matrix has lost its largest elements, as pruning does, so
 * that int8.h rounds it with another unit.
 */
static void
save_pruned(const char *preset)
{
	struct model *m = make(preset), *back;

	save(m);
	back = load(false);
	for (size_t i = 0; i < back->params.n; i++) {
		struct param *p = back->params.list[i];
		real *row = p->x + (p->n_dim == 2 ? p->d[1] : 0), largest = 0;

		for (int c = 0; c < p->d[1]; c++)
			largest = fmaxf(largest, fabsf(row[c]));
		for (int c = 0; p->n_dim == 2 && c < p->d[1]; c++)
			row[c] = fabsf(row[c]) > largest / 2 ? 0 : row[c];
	}
	save(back);
	model_free(back);
	model_free(m);
}

static int
count_narrow(const struct model *m)
{
	int n = 0;

	for (size_t i = 0; i < m->params.n; i++)
		n += m->params.list[i]->q != NULL;
	return n;
}

static void
same_values(const struct model *wide, const struct model *narrow)
{
	real row[FF];

	for (size_t i = 0; i < wide->params.n; i++) {
		const struct param *p = wide->params.list[i], *q = narrow->params.list[i];

		if (!q->q)
			assert_memory_equal(q->x, p->x, p->n * sizeof(*row));
		for (int r = 0; q->q && r < p->d[0]; r++) {
			param_row(q, r, row);
			assert_memory_equal(row, p->x + (ptrdiff_t)r * p->d[1],
					    (size_t)p->d[1] * sizeof(*row));
		}
	}
}

static void
values_are_those_of_the_file(void **state)
{
	char a[MODEL_DIGEST_SIZE], b[MODEL_DIGEST_SIZE], c[MODEL_DIGEST_SIZE];

	(void)state;
	for (const struct preset *p = presets; p->name; p++) {
		struct model *wide, *narrow;

		save_pruned(p->name);
		wide = load(false);
		narrow = load(true);
		assert_int_equal(count_narrow(wide), 0);
		assert_true(count_narrow(narrow) > 8);
		same_values(wide, narrow);
		model_digest_values(wide, a);
		model_digest_values(narrow, b);
		assert_string_equal(a, b);
		matrices_round_int8(wide);
		matrices_round_int8(narrow);
		same_values(wide, narrow);
		model_digest_values(wide, c);
		assert_string_not_equal(a, c);	/* row 1 was rounded again */
		for (size_t i = 0; i < narrow->params.n; i++)
			param_widen(narrow->params.list[i]);
		assert_int_equal(count_narrow(narrow), 0);
		same_values(wide, narrow);
		model_free(wide);
		model_free(narrow);
	}
}

static uint64_t
hash_reals(uint64_t h, const real *x, int n)
{
	return hash_fnv1a(h, x, (size_t)n * sizeof(*x));
}

/* Adds the log-probabilities after each row of h: of all entries, or of candidates. */
static uint64_t
hash_next(uint64_t sum, struct model *m, struct runtime *run, struct node *h, bool some)
{
	static const int id[] = { 2, 4, 5 };
	static const struct candidates few = { 3, id };
	const struct candidates *among[ROWS] = { &few, &few, &few, &few };
	const int from[ROWS] = { 0 }, to[ROWS] = { 7, 7, 7, 7 };
	struct scored scored[ROWS][2];
	struct best best[ROWS];
	real *all = ARENA_ARRAY(&run->step, real, ROWS * m->tgt.n);

	assert_int_equal(h->d[0], ROWS);
	for (int r = 0; r < ROWS; r++)
		best_init(&best[r], scored[r], 2);
	model_next(m, run->tape, h, &(struct next_tokens){
		.from = from, .to = to, .best = best, .among = some ? among : NULL, .all = all
	});
	return hash_reals(sum, all, ROWS * m->tgt.n);
}

static void
prepare(struct model *m, struct runtime *run)
{
	matrices_round_int8(m);
	model_prepare(m, &run->backend, run->pool);
	model_prepare_candidates(m, &run->backend, run->pool);
}

/* A digest of what the encoder and the output layer compute for a sentence.  Frees m. */
static uint64_t
outputs(struct model *m, const char *backend)
{
	static const struct str pieces[] = { { "b", 1 }, { "a", 1 }, { "c", 1 }, { "d", 1 } };
	const int64_t number = 0;
	struct record *rec = record_new();
	struct runtime run;
	struct arena mem;
	struct batch b;
	struct node *h;
	struct err e;
	uint64_t sum;

	arena_init(&mem, 0);
	record_set_strs(rec, "src.pieces", pieces, m->config.src_eos ? ROWS - 1 : ROWS);
	if (runtime_open(&run, backend, PRECISION_INT8, 2, &e))
		fail_msg("%s", e.text);
	prepare(m, &run);
	if (model_batch(m, &b, &mem, (const struct record *[]){ rec }, &number, 1, NULL, &e))
		fail_msg("%s", e.text);
	h = model_encode(m, run.tape, &b);
	sum = hash_reals(HASH_FNV1A, h->x, h->d[0] * h->d[1]);
	sum = hash_next(hash_next(sum, m, &run, h, false), m, &run, h, true);
	runtime_close(&run);
	record_free(rec);
	arena_release(&mem);
	model_free(m);
	return sum;
}

static void
products_have_the_same_bits(void **state)
{
	static const char *const name[] = { "native", "reference" };

	(void)state;
	for (const struct preset *p = presets; p->name; p++) {
		save_pruned(p->name);
		for (int i = 0; i < 2; i++)
			if (outputs(load(true), name[i]) != outputs(load(false), name[i]))
				fail_msg("%s %s", p->name, name[i]);
	}
}

/* native reads matrices only once: their memory is free, except that of embeddings. */
static void
matrices_are_freed(void **state)
{
	struct runtime run;
	struct model *m;
	struct err e;

	(void)state;
	save_pruned("fairseq");
	m = load(true);
	if (runtime_open(&run, "native", PRECISION_INT8, 1, &e))
		fail_msg("%s", e.text);
	prepare(m, &run);
	assert_int_equal(count_narrow(m), m->layers->src_embed == m->layers->tgt_embed ? 1 : 2);
	assert_null(m->layers->enc->ff_in.weight->x);
	runtime_close(&run);
	model_free(m);
}

/* Both forms refuse the same bytes with the same words. */
static void
refused_alike(unsigned char *p, size_t n, size_t at)
{
	struct err a = { .status = EXIT_OK }, b = { .status = EXIT_OK };
	struct model *wide = model_load_memory("x", p, n, false, NULL, NULL, &a),
		*narrow = model_load_narrow_memory("x", p, n, &b);

	if (wide || narrow || a.status != b.status || strcmp(a.text, b.text))
		fail_msg("byte %zu: %s; %s", at, wide ? "accepted" : a.text,
			 narrow ? "accepted" : b.text);
}

static void
damage_is_refused(void **state)
{
	const size_t step = getenv("HEED_LONG") ? 1 : 41;
	unsigned char *p;
	size_t n;

	(void)state;
	save_pruned("fairseq");
	p = read_whole(path, &n);
	for (size_t i = 0; i < n; i += step) {
		p[i] ^= (unsigned char)(1u << i % 8);
		refused_alike(p, n, i);
		p[i] ^= (unsigned char)(1u << i % 8);
		refused_alike(p, i, i);
	}
	free(p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_are_those_of_the_file),
		cmocka_unit_test(products_have_the_same_bits),
		cmocka_unit_test(matrices_are_freed),
		cmocka_unit_test(damage_is_refused),
	};
	const int fd = mkstemp(path);
	int r;

	if (fd < 0)
		return 1;
	close(fd);
	r = cmocka_run_group_tests(tests, NULL, NULL);
	unlink(path);
	return r;
}
