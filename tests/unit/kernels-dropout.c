/* kernels-dropout: dropout masks and their application, against plain loops. */
#include "kernels-case.h"

/* Uses the instructions of all levels that this processor supports. */
static void
test_dropout_mask(void **state)
{
	void (*const mask[])(const struct dropout *d, uint32_t row, int n, real *m) = {
		k_dropout_mask_v2,
#ifdef X86_64
		k_dropout_mask_v3, k_dropout_mask_v4,
#endif
	};
	struct dropout d;
	real m[ROOM], z[ROOM];

	(void)state;
	dropout_init(&d, 0x9abcdef012345678ull, 0xfffffff0u, 5, 0.3);
	for (int level = 0; level <= fast_level(); level++) {
		for (int s = 0; s < N_SIZES; s++) {
			mask[level](&d, 0xf0001234u, sizes[s], m);
			slow_dropout_mask(&d, 0xf0001234u, sizes[s], z);
			assert_memory_equal(m, z, (size_t)sizes[s] * sizeof(real));
		}
	}
}

/* The share that is dropped of 512,000 with p = 0.3 is within five standard deviations of 0.3. */
static void
test_dropout_share(void **state)
{
	struct dropout d;
	real m[ROOM];
	double n = 0, sum = 0;

	(void)state;
	dropout_init(&d, 1, 2, 3, 0.3);
	for (uint32_t row = 0; row < 1000; row++) {
		k_dropout_mask(&d, row, ROOM, m);
		for (int i = 0; i < ROOM; i++) {
			n += m[i] == 0;
			sum += (double)m[i];
		}
	}
	n /= 1000 * ROOM;
	assert_true(fabs(n - 0.3) < 5 * sqrt(0.3 * 0.7 / (1000 * ROOM)));
	assert_true(fabs(sum / (1000 * ROOM) - 1) < 0.005);
}

/* The bits of k_dropout_draw() are where its header says, and give the mask, at all levels. */
static void
test_dropout_again(void **state)
{
	void (*const draw[])(const struct dropout *d, uint32_t row, int n, uint8_t *kept) = {
		k_dropout_draw_v2,
#ifdef X86_64
		k_dropout_draw_v3, k_dropout_draw_v4,
#endif
	};
	struct dropout d;
	real x[ROOM], m[ROOM], z[ROOM], should[ROOM];
	uint8_t kept[ROOM];

	(void)state;
	dropout_init(&d, 5, 6, 7, 0.2);
	fill(3, ROOM, x);
	for (int level = 0; level <= fast_level(); level++) {
		for (int s = 0; s < N_SIZES; s++) {
			const int n = sizes[s];

			draw[level](&d, 11, n, kept);
			slow_dropout_mask(&d, 11, n, m);
			fill(4, n, z);
			for (int i = 0; i < n; i++) {
				const int byte = i / 128 * 16 + i % 16;

				assert_true(byte < (int)dropout_bytes(n));
				assert_int_equal(kept[byte] >> i % 128 / 16 & 1, m[i] != 0);
				should[i] = x[i] * m[i] + z[i];
			}
			k_dropout_again(&d, kept, n, x, 1, z);
			assert_close(n, z, should, 1e-6);
		}
	}
}

static void
test_dropped_sums(void **state)
{
	struct dropout d;
	real x[ROOM], y[ROOM], m[ROOM], z[ROOM], should[ROOM];
	uint8_t kept[ROOM];

	(void)state;
	dropout_init(&d, 1, 2, 3, 0.5);
	fill(1, ROOM, x);
	fill(2, ROOM, y);
	slow_dropout_mask(&d, 9, 300, m);
	for (int i = 0; i < 300; i++)
		should[i] = x[i] + y[i] * m[i];
	k_dropout_draw(&d, 9, 300, kept);
	k_residual(&d, kept, 300, x, y, z);
	assert_close(300, z, should, 1e-6);
	for (int i = 0; i < 300; i++) {
		z[i] = x[i];
		should[i] = x[i] + y[i] > 0 ? (x[i] + y[i]) * m[i] : 0;
	}
	k_bias_relu_dropout(&d, 9, 300, y, z);
	assert_close(300, z, should, 1e-6);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_dropout_mask),
		cmocka_unit_test(test_dropout_again),
		cmocka_unit_test(test_dropout_share),
		cmocka_unit_test(test_dropped_sums),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
