/*
 * decoder_cache_slots(): the memory of the keys and values of all hypotheses, from the shapes of
 * models, which need not exist for that.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/mem.h"
#include "model/layer-params.h"
#include "search/decoder.h"
#include "tensor/backend/backend.h"

/* Slots of a model of `layers` layers of `heads` heads of 64 dimensions. */
static int
slots(int layers, int heads)
{
	struct site *site = xcalloc((size_t)layers * 2, sizeof(*site));
	struct model_layers l = { .dec = xcalloc((size_t)layers, sizeof(*l.dec)) };
	struct model m = { .config = { .dec_layers = layers }, .sites = site,
			   .n_sites = (size_t)layers * 2, .layers = &l };
	const struct backend backend = { .caps = 0 };
	const struct pass pass = { .backend = &backend };
	int n;

	for (size_t i = 0; i < m.n_sites; i++)
		site[i] = (struct site){ .heads = heads, .head_dim = 64 };
	for (size_t i = 0; i < (size_t)layers; i++) {
		l.dec[i].self.site = 2 * i;
		l.dec[i].cross.site = 2 * i + 1;
	}
	n = decoder_cache_slots(&m, &pass);
	free(l.dec);
	free(site);
	return n;
}

/* Bytes of the keys and values of 32 positions. */
static int64_t
bytes(int layers, int heads)
{
	return (int64_t)32 * layers * 2 * heads * 64 * (int64_t)sizeof(real);
}

static void
models_up_to_base_have_320(void **state)
{
	(void)state;
	assert_int_equal(slots(3, 4), 320);
	assert_int_equal(slots(6, 8), 320);
}

static void
larger_ones_have_what_fits_in_256_mib(void **state)
{
	static const int shape[][2] = { { 12, 12 }, { 24, 16 }, { 48, 64 }, { 100, 100 } };

	(void)state;
	for (size_t i = 0; i < sizeof(shape) / sizeof(*shape); i++) {
		const int64_t each = bytes(shape[i][0], shape[i][1]);
		const int n = slots(shape[i][0], shape[i][1]);

		assert_in_range(n, 1, 319);
		assert_true(n * each <= (int64_t)256 << 20);
		assert_true((n + 1) * each > (int64_t)256 << 20);
	}
}

static void
a_huge_one_has_one(void **state)
{
	(void)state;
	assert_true(bytes(2000, 100) > (int64_t)256 << 20);
	assert_int_equal(slots(2000, 100), 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(models_up_to_base_have_320),
		cmocka_unit_test(larger_ones_have_what_fits_in_256_mib),
		cmocka_unit_test(a_huge_one_has_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
