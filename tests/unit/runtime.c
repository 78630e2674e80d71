/*
 * runtime: what programs choose on processors that this one is not: with other features in
 * processor_read(), and a Linux that permits AMX or not.  No product runs on units that are not
 * there.  The linker replaces both functions (tests.mk).
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#include <cmocka.h>

#include "base/compiler.h"
#include "model/runtime.h"
#include "tensor/processor.h"

#define AMD   "AuthenticAMD"
#define INTEL "GenuineIntel"

static const struct processor *planted;	/* NULL: this one */
static bool permits;
static int asked;

void __real_processor_read(struct processor *p);
void __wrap_processor_read(struct processor *p);
long __wrap_syscall(long number, ...);

void
__wrap_processor_read(struct processor *p)
{
	if (planted)
		*p = *planted;
	else
		__real_processor_read(p);
}

/* Linux 6.1, arch/x86/include/uapi/asm/prctl.h and Documentation/x86/xstate.rst. */
long
__wrap_syscall(long number, ...)
{
	va_list arg;

	va_start(arg, number);
#ifdef SYS_arch_prctl
	assert_int_equal(number, SYS_arch_prctl);
#endif
	assert_int_equal(va_arg(arg, int), 0x1023);
	assert_int_equal(va_arg(arg, int), 18);
	va_end(arg);
	asked++;
	errno = permits ? 0 : EINVAL;
	return permits ? 0 : -1;
}

static const struct machine {
	struct processor p;
	const char *why;		/* of fp32 */
} slow[] = {
	{ { AMD, 23, 49, .avx512_bf16 = false }, "AMD family 23 has no fast bf16" },
	{ { INTEL, 6, 85, .avx512_bf16 = true },
	  "Intel family 6 multiplies bf16 more slowly (AVX512_BF16 without AMX)" },
	{ { INTEL, 6, 143, .avx512_bf16 = true, .amx_bf16 = true },
	  "Intel family 6 has AMX, but Linux does not permit it" },
	{ { "", 0, 0, .avx512_bf16 = false }, "this processor has no fast bf16" },
};

enum { N_SLOW = sizeof(slow) / sizeof(*slow) };

static void
assert_opens(const char *backend, int option, int precision, const char *why)
{
	struct runtime r;
	struct err e;

	if (runtime_open_training(&r, backend, option, 1, &e))
		fail_msg("%s", e.text);
	assert_int_equal(r.precision, precision);
	assert_string_equal(r.backend.name, backend ? backend : "native");
	assert_string_equal(r.why, why);
	runtime_close(&r);
}

/* Training is in fp32, and bf16 works if it is asked for; both say why. */
static void
test_slow(void **state)
{
	(void)state;
	permits = false;
	for (int i = 0; i < N_SLOW; i++) {
		planted = &slow[i].p;
		assert_opens(NULL, PRECISION_AUTO, PRECISION_FP32, slow[i].why);
		assert_opens("native", PRECISION_AUTO, PRECISION_FP32, slow[i].why);
		assert_opens(NULL, PRECISION_BF16, PRECISION_BF16, slow[i].why);
		assert_opens("native", PRECISION_BF16, PRECISION_BF16, slow[i].why);
		assert_opens(NULL, PRECISION_FP32, PRECISION_FP32, "");
	}
	planted = NULL;
}

/* bf16 is then factors that product() rounds, and the units are unknown to native. */
static void
test_no_units(void **state)
{
	static const char *const units[] = { "native:bf16:avx512bf16", "native:bf16:amx" };
	struct backend b;
	struct err e;

	(void)state;
	permits = false;
	for (int i = 0; i < N_SLOW; i++) {
		planted = &slow[i].p;
		assert_int_equal(backend_open(&b, "native:bf16", &e), 0);
		assert_true(b.caps & BACKEND_BF16 && !(b.caps & BACKEND_ROUNDS));
		assert_null(strstr(b.version(&b), "BF16"));
		backend_close(&b);
		for (int u = planted->avx512_bf16; u < 2; u++) {
			assert_int_equal(backend_open(&b, units[u], &e), -1);
			assert_int_equal(e.status, EXIT_USAGE);
			assert_non_null(strstr(e.text, "as far as the processor supports it"));
		}
	}
	planted = NULL;
}

/* Only AMX needs a permission. */
static void
test_permission(void **state)
{
	const struct processor *amx = &slow[2].p;

	(void)state;
#ifdef X86_64
	for (int i = 0; i < 2; i++) {
		permits = i;
		asked = 0;
		assert_true(processor_has_bf16(amx, BF16_AVX512));
		assert_false(processor_has_bf16(&slow[1].p, BF16_AMX));
		assert_false(processor_has_bf16(amx, BF16_NONE));
		assert_int_equal(asked, 0);
		assert_int_equal(processor_has_bf16(amx, BF16_AMX), permits);
		assert_int_equal(asked, 1);
	}
#else
	assert_false(processor_has_bf16(amx, BF16_AMX));
#endif
}

/* On this processor. */
static void
test_fast(void **state)
{
	struct processor p;
	struct backend b;
	struct err e;
	char name[64], why[128];

	(void)state;
	permits = false;
	processor_read(&p);
	processor_name(&p, name, sizeof(name));
	snprintf(why, sizeof(why), "%s multiplies bf16 faster (AVX512_BF16)", name);
	if (processor_bf16(&p) != BF16_AVX512) {
		print_message("skipped: this processor has no fast AVX512_BF16\n");
		return;
	}
	assert_opens(NULL, PRECISION_AUTO, PRECISION_BF16, why);
	assert_opens("native", PRECISION_AUTO, PRECISION_BF16, why);
	assert_opens(NULL, PRECISION_BF16, PRECISION_BF16, why);
	assert_int_equal(backend_open(&b, "native:bf16", &e), 0);
	assert_true(b.caps & BACKEND_ROUNDS && !(b.caps & BACKEND_MATRIX_UNITS));
	assert_string_equal(b.version(&b), "native, AVX512_BF16 tiles");
	backend_close(&b);
}

static void
test_other_back_ends(void **state)
{
	struct runtime r;
	struct err e;

	(void)state;
	assert_opens("reference", PRECISION_AUTO, PRECISION_FP32,
		     "back end reference is no faster in bf16");
	assert_opens("reference", PRECISION_BF16, PRECISION_BF16, "");
	for (int p = PRECISION_FP32; p <= PRECISION_AUTO; p++) {
		assert_int_equal(runtime_open_training(&r, "onednn", p, 1, &e), -1);
		assert_int_equal(e.status, EXIT_USAGE);
		assert_non_null(strstr(e.text, "unknown back end 'onednn'"));
		assert_non_null(strstr(e.hint, "replaced by native"));
	}
}

/* Translation is in int8 if the models and the processor gain; see processor.c for others. */
static void
test_to_translate(void **state)
{
	static const struct processor vnni = { AMD, 25, 17, .avx512_vnni = true };
	static struct model wide = { .config.width = 128 }, wider = { .config.width = 512 };
	static struct model narrow = { .config.width = 127 };
	static struct model stored = { .config.width = 16, .int8 = true };
	static const struct {
		const struct processor *p;
		struct model *m[2];
		const char *backend;
		int precision;
		const char *why;
	} c[] = {
		{ &vnni, { &wide, &wider }, NULL, PRECISION_INT8,
		  "AVX-512 VNNI multiplies 8-bit integers faster; for fp32: --precision fp32" },
		{ &vnni, { &wider, &narrow }, "native", PRECISION_FP32,
		  "int8 is hardly faster with a width of 127" },
		{ &vnni, { &wider, &wide }, "reference", PRECISION_FP32,
		  "back end reference is no faster in int8" },
		{ &slow[0].p, { &wider, &wide }, NULL, PRECISION_FP32,
		  "AMD family 23 has no fast int8" },
		{ &slow[3].p, { &narrow, &stored }, "reference", PRECISION_INT8,
		  "a model is stored as 8-bit integers; for fp32: --precision fp32" },
	};
	char why[RUNTIME_WHY];

	(void)state;
	for (size_t i = 0; i < sizeof(c) / sizeof(*c); i++) {
		planted = c[i].p;
		assert_int_equal(precision_to_translate(c[i].m, 2, c[i].backend, why),
				 c[i].precision);
		assert_string_equal(why, c[i].why);
	}
	planted = NULL;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_slow), cmocka_unit_test(test_no_units),
		cmocka_unit_test(test_permission), cmocka_unit_test(test_fast),
		cmocka_unit_test(test_other_back_ends), cmocka_unit_test(test_to_translate),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
