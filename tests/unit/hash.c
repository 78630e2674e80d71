/* hash: checksums against their definitions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/hash.h"

static void
crc32_gives_the_published_check_value(void **state)
{
	uint32_t crc = 0;

	(void)state;
	assert_int_equal(crc32_add(0, "123456789", 9), 0xcbf43926);
	for (int i = 0; i < 9; i++)
		crc = crc32_add(crc, &"123456789"[i], 1);
	assert_int_equal(crc, 0xcbf43926);
	assert_int_equal(crc32_add(0, "The quick brown fox jumps over the lazy dog", 43),
			 0x414fa339);
}

/* The definition: one bit at a time. */
static uint32_t
crc_by_bits(const unsigned char *p, size_t n)
{
	uint32_t c = 0xffffffffu;

	for (size_t i = 0; i < n; i++) {
		c ^= p[i];
		for (int bit = 0; bit < 8; bit++)
			c = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1;
	}
	return ~c;
}

/* Of lengths below and above those that are computed in several pieces. */
static void
crc32_of_long_data_is_the_definition(void **state)
{
	static unsigned char p[70000];
	static const size_t length[] = { 0, 7, 16383, 16384, 16385, 40000, 65536, 70000 };

	(void)state;
	for (size_t i = 0; i < sizeof(p); i++)
		p[i] = (unsigned char)(i * i >> 5 ^ i);
	for (size_t i = 0; i < sizeof(length) / sizeof(*length); i++) {
		const size_t n = length[i], part = n / 3;
		const uint32_t whole = crc_by_bits(p, n), first = crc32_add(0, p, part);

		assert_int_equal(crc32_add(0, p, n), whole);
		assert_int_equal(crc32_add(first, p + part, n - part), whole);
		assert_int_equal(crc32_join(first, crc32_add(0, p + part, n - part), n - part),
				 whole);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(crc32_gives_the_published_check_value),
		cmocka_unit_test(crc32_of_long_data_is_the_definition),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
