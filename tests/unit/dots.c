/*
 * dots: products with selected rows compared with sums in double and in 64 bits, at every level of
 * the processor.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "tensor/dots.h"
#include "tensor/product.h"

#include "integers.h"

static const struct { int rows, n, k; } shapes[] = {
	{ 1, 1, 1 }, { 5, 7, 64 }, { 1, 4, 100 }, { 3, 9, 33 }, { 13, 66, 256 }, { 2, 3, 1000 },
	{ 64, 5, 17 }, { 4, 131, 128 },
};

enum { N_SHAPES = sizeof(shapes) / sizeof(*shapes), MAX_ROWS = 64, MAX_N = 131, V = 150 };

/* Ids with gaps, and one that occurs twice. */
static void
choose(int n, int *id)
{
	for (int i = 0; i < n; i++)
		id[i] = (i * 37 + 5) % V;
	if (n > 2)
		id[2] = id[0];
}

static void
test_floats(void **state)
{
	float *a = xcalloc(MAX_ROWS * 1003, sizeof(*a)), *w = xcalloc(V * 1001, sizeof(*w));
	float *c = xcalloc(MAX_ROWS * (MAX_N + 2), sizeof(*c));
	int id[MAX_N];

	(void)state;
	fill(a, MAX_ROWS * 1003, NORMAL, 1);
	fill(w, V * 1001, NORMAL, 2);
	for (int s = 0; s < N_SHAPES; s++) {
		const struct dots d = {
			.rows = shapes[s].rows, .n = shapes[s].n, .k = shapes[s].k, .id = id,
			.a = a, .w = w, .lda = shapes[s].k + 3, .ldw = shapes[s].k + 1,
			.ldc = shapes[s].n + 2, .c = c,
		};

		choose(d.n, id);
		for (int i = 0; i < MAX_ROWS * (MAX_N + 2); i++)
			c[i] = 99;
		k_dots(&d);
		for (int i = 0; i < d.rows; i++) {
			for (int j = 0; j < d.n; j++) {
				double sum = 0, size = 0;

				for (int p = 0; p < d.k; p++) {
					const double z = (double)a[i * d.lda + p] *
							 (double)w[id[j] * d.ldw + p];

					sum += z;
					size += fabs(z);
				}
				assert_true(fabs((double)c[i * d.ldc + j] - sum) <= 1e-6 * size);
			}
			assert_true(c[i * d.ldc + d.n] == 99);
		}
	}
	free(a);
	free(w);
	free(c);
}

struct bytes { uint8_t *a; int8_t *w; float a_unit[MAX_ROWS], w_unit[V]; int32_t start[V]; };

/* Bytes of all values; a has INT8_SHIFT added.  start is computed here from the rows. */
static void
bytes_init(struct bytes *b, int rows, int k, int padded)
{
	b->a = xcalloc((size_t)rows * (size_t)padded, 1);
	b->w = xcalloc((size_t)V * (size_t)padded, 1);
	for (int i = 0; i < rows; i++) {
		for (int p = 0; p < k; p++)
			b->a[i * padded + p] = (uint8_t)(1 + (i * 31 + p * p * 7) % 255);
		b->a_unit[i] = i % 3 ? 1.5f : 0.001953125f;
	}
	for (int v = 0; v < V; v++) {
		b->start[v] = 0;
		for (int p = 0; p < k; p++) {
			b->w[v * padded + p] = (int8_t)((v * 17 + p * 3) % 255 - 127);
			b->start[v] -= INT8_SHIFT * b->w[v * padded + p];
		}
		b->w_unit[v] = 0.25f + (float)v / 1024;
	}
}

static void
check_bytes(const struct tile_kernels *kernels, int rows, int n, int k)
{
	const int padded = (k + DOTS_BYTES - 1) / DOTS_BYTES * DOTS_BYTES;
	float *c = xcalloc((size_t)rows * (size_t)n + 1, sizeof(*c));
	struct bytes b;
	int id[MAX_N];
	const struct byte_dots d = {
		.rows = rows, .n = n, .k = padded, .id = id, .lda = padded, .ldw = padded,
		.ldc = n, .a_unit = b.a_unit, .w_unit = b.w_unit, .start = b.start, .c = c,
	};
	struct byte_dots x = d;

	choose(n, id);
	bytes_init(&b, rows, k, padded);
	x.a = b.a;
	x.w = b.w;
	c[rows * n] = 99;
	kernels->byte_dots(&x);
	for (int i = 0; i < rows; i++)
		for (int j = 0; j < n; j++) {
			int64_t sum = 0;

			for (int p = 0; p < k; p++)
				sum += (int64_t)(b.a[i * padded + p] - INT8_SHIFT) *
				       b.w[id[j] * padded + p];
			assert_true(c[i * n + j] ==
				    times_units(sum, b.a_unit[i], b.w_unit[id[j]]));
		}
	assert_true(c[rows * n] == 99);
	free(b.a);
	free(b.w);
	free(c);
}

static void
test_bytes(void **state)
{
	int levels_tested = 0;

	(void)state;
	for (int l = 0; l < N_LEVELS; l++) {
		const struct tile_kernels *kernels = tile_kernels_find(levels[l]);

		levels_tested += kernels != NULL;
		for (int s = 0; kernels && s < N_SHAPES; s++)
			check_bytes(kernels, shapes[s].rows, shapes[s].n, shapes[s].k);
	}
	assert_true(levels_tested > 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_floats), cmocka_unit_test(test_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
