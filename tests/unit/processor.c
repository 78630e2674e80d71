/* processor: CPUID agrees with Linux; the table of fast units. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/compiler.h"
#include "tensor/processor.h"

#define AMD   "AuthenticAMD"
#define INTEL "GenuineIntel"
#define NONE  .amx_bf16 = false
#define AMX   .amx_bf16 = true
#define BF16  .avx512_bf16 = true
#define VNNI  .avx512_vnni = true
#define AVX_VNNI .avx_vnni = true
#define WIDE "AVX-512 VNNI"

/* Measured values: tests/perf/README.md; for Intel see processor.c. */
static void
fast_units_are_those_of_the_table(void **state)
{
	static const struct {
		const char *what;
		struct processor p;
		enum bf16_unit bf16;
		bool int16;
		const char *int8;
	} c[] = {
		{ "Zen 2", { AMD, 23, 49, NONE }, BF16_NONE, false, NULL },
		{ "Zen 3", { AMD, 25, 1, NONE }, BF16_NONE, false, NULL },
		{ "Zen 4", { AMD, 25, 17, BF16, VNNI }, BF16_AVX512, true, WIDE },
		{ "Zen 5", { AMD, 26, 2, BF16, VNNI }, BF16_AVX512, true, WIDE },
		{ "Cascade Lake", { INTEL, 6, 85, VNNI }, BF16_NONE, true, WIDE },
		{ "Cooper Lake", { INTEL, 6, 85, BF16, VNNI }, BF16_NONE, true, WIDE },
		{ "Sapphire Rapids", { INTEL, 6, 143, AMX, BF16, VNNI, AVX_VNNI }, BF16_AMX, true,
		  WIDE },
		{ "the same, AMX hidden", { INTEL, 6, 143, BF16, VNNI, AVX_VNNI },
		  BF16_NONE, true, WIDE },
		{ "Alder Lake", { INTEL, 6, 151, AVX_VNNI }, BF16_NONE, false, "AVX-VNNI" },
		{ "Haswell", { INTEL, 6, 60, NONE }, BF16_NONE, false, NULL },
		{ "somebody's", { "CentaurHauls", 7, 91, BF16, VNNI }, BF16_NONE, true, WIDE },
		{ "no x86-64", { .dotprod = true }, BF16_NONE, false, "NEON with dot products" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(c) / sizeof(c[0]); i++) {
		const char *int8 = processor_int8(&c[i].p);

		if (processor_bf16(&c[i].p) != c[i].bf16 || processor_int16(&c[i].p) != c[i].int16)
			fail_msg("%s: bf16 %d, int16 %d", c[i].what, (int)processor_bf16(&c[i].p),
				 (int)processor_int16(&c[i].p));
		if (!int8 != !c[i].int8 || (int8 && strcmp(int8, c[i].int8)))
			fail_msg("%s: int8 %s", c[i].what, int8 ? int8 : "-");
	}
}

static void
names_are_for_people(void **state)
{
	char name[32];

	(void)state;
	processor_name(&(struct processor){ .vendor = AMD, .family = 26 }, name, sizeof(name));
	assert_string_equal(name, "AMD family 26");
	processor_name(&(struct processor){ .vendor = "CentaurHauls", .family = 7 }, name,
		       sizeof(name));
	assert_string_equal(name, "CentaurHauls family 7");
	processor_name(&(struct processor){ .family = 0 }, name, sizeof(name));
	assert_string_equal(name, "this processor");
}

/*
 * The value of the first line of /proc/cpuinfo with this key, between spaces; "" if there is none.
 */
static void
linux_says(const char *key, char *value, size_t n)
{
	FILE *f = fopen("/proc/cpuinfo", "r");
	char line[8192];

	*value = 0;
	while (f && !*value && fgets(line, sizeof(line), f))
		if (!strncmp(line, key, strlen(key)) && strspn(line + strlen(key), "\t :"))
			snprintf(value, n, " %s", strchr(line, ':') + 2);
	if (f)
		fclose(f);
	if (*value)
		value[strlen(value) - 1] = ' ';
}

static void
this_processor_is_as_linux_sees_it(void **state)
{
	struct processor p;
	char vendor[80], family[80], model[80], flags[8192], features[8192];

	(void)state;
	linux_says("vendor_id", vendor, sizeof(vendor));
	linux_says("cpu family", family, sizeof(family));
	linux_says("model", model, sizeof(model));
	linux_says("flags", flags, sizeof(flags));
	linux_says("Features", features, sizeof(features));
	processor_read(&p);
#ifdef X86_64
	if (*vendor && *family) {
		assert_true(!strncmp(vendor + 1, p.vendor, strlen(p.vendor)));
		assert_int_equal(strlen(p.vendor), 12);
		assert_int_equal(p.family, atoi(family));
		assert_int_equal(p.model, atoi(model));
		assert_int_equal(p.avx512_bf16, strstr(flags, " avx512_bf16 ") != NULL);
		assert_int_equal(p.avx512_vnni, strstr(flags, " avx512_vnni ") != NULL);
		assert_int_equal(p.avx_vnni, strstr(flags, " avx_vnni ") != NULL);
		assert_int_equal(p.amx_bf16, strstr(flags, " amx_bf16 ") != NULL);
	}
#else
	assert_string_equal(p.vendor, "");
	if (*features)
		assert_int_equal(p.dotprod, strstr(features, " asimddp ") != NULL);
#endif
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fast_units_are_those_of_the_table),
		cmocka_unit_test(names_are_for_people),
		cmocka_unit_test(this_processor_is_as_linux_sees_it),
	};

	return cmocka_run_group_tests_name("processors", tests, NULL, NULL);
}
