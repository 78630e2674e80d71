/* processor: see processor.h. */
#include "tensor/processor.h"

#include <stdio.h>
#include <string.h>

#include "base/compiler.h"
#include "tensor/fast/fast.h"

#ifdef X86_64
#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif
#ifdef __aarch64__
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

/*
 * The first family of each vendor on which AVX512_BF16 is faster than fp32.  AMD: families 25 (Zen
 * 4) and 26 (Zen 5), 1.3 to 1.9 times faster in training.  Intel, family 6, is absent: Emerald
 * Rapids computes 76 GFLOP/s per thread with vdpbf16ps and 165 in fp32 with fused multiply-adds, in
 * registers; its fast bf16 is AMX, with 2,300.  Sapphire Rapids is alike; Cooper Lake lacks AMX.
 */
static const struct { const char *vendor; int family; } fast_avx512_bf16[] = {
	{ "AuthenticAMD", 25 },
};

static const struct { const char *vendor, *name; } names[] = {
	{ "AuthenticAMD", "AMD" }, { "GenuineIntel", "Intel" },
};

#ifdef X86_64
static bool
bit(unsigned x, int i)
{
	return x >> i & 1;
}

void
processor_read(struct processor *p)
{
	unsigned a = 0, b = 0, c = 0, d = 0;

	memset(p, 0, sizeof(*p));
	if (!__get_cpuid(0, &a, &b, &c, &d))
		return;
	memcpy(p->vendor, &b, 4);
	memcpy(p->vendor + 4, &d, 4);
	memcpy(p->vendor + 8, &c, 4);
	if (!__get_cpuid(1, &a, &b, &c, &d))
		return;
	p->family = (int)(a >> 8 & 15);
	p->model = (int)(a >> 4 & 15);
	if (p->family == 6 || p->family == 15)
		p->model += (int)(a >> 16 & 15) << 4;
	if (p->family == 15)
		p->family += (int)(a >> 20 & 255);
	/* The level is lower if the system does not save the registers of AVX2 or AVX-512. */
	if (__get_cpuid_count(7, 1, &a, &b, &c, &d)) {
		p->avx_vnni = fast_level() >= 1 && bit(a, 4);
		p->avx512_bf16 = fast_level() >= 2 && bit(a, 5);
	}
	if (fast_level() >= 2 && __get_cpuid_count(7, 0, &a, &b, &c, &d)) {
		p->avx512_vnni = bit(c, 11);
		p->amx_bf16 = bit(d, 22) && bit(d, 24);
	}
}
/*
 * The state of the tiles is large, so Linux saves it only for processes that ask for it, since 5.16
 * (arch_prctl(2), which has no function in glibc; Documentation/arch/x86/xstate.rst).
 */
static bool
permits_tiles(void)
{
	enum { ARCH_REQ_XCOMP_PERM = 0x1023, TILE_DATA = 18 };

	return !syscall(SYS_arch_prctl, ARCH_REQ_XCOMP_PERM, TILE_DATA);
}
#else
void
processor_read(struct processor *p)
{
	memset(p, 0, sizeof(*p));
#ifdef __aarch64__
	p->dotprod = getauxval(AT_HWCAP) & HWCAP_ASIMDDP;
#endif
}

static bool
permits_tiles(void)
{
	return false;
}
#endif

enum bf16_unit
processor_bf16(const struct processor *p)
{
	if (p->amx_bf16)
		return BF16_AMX;
	for (size_t i = 0; i < sizeof(fast_avx512_bf16) / sizeof(*fast_avx512_bf16); i++)
		if (p->avx512_bf16 && !strcmp(p->vendor, fast_avx512_bf16[i].vendor) &&
		    p->family >= fast_avx512_bf16[i].family)
			return BF16_AVX512;
	return BF16_NONE;
}

bool
processor_has_bf16(const struct processor *p, enum bf16_unit unit)
{
	return unit == BF16_AVX512 ? p->avx512_bf16
				   : unit == BF16_AMX && p->amx_bf16 && permits_tiles();
}

bool
processor_int16(const struct processor *p)
{
	return p->avx512_vnni;
}

const char *
processor_int8(const struct processor *p)
{
	return p->avx512_vnni ? "AVX-512 VNNI" : p->avx_vnni ? "AVX-VNNI"
	     : p->dotprod ? "NEON with dot products" : NULL;
}

void
processor_name(const struct processor *p, char *name, int n)
{
	const char *vendor = *p->vendor ? p->vendor : "this processor";

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(p->vendor, names[i].vendor))
			vendor = names[i].name;
	if (*p->vendor)
		snprintf(name, (size_t)n, "%s family %d", vendor, p->family);
	else
		snprintf(name, (size_t)n, "%s", vendor);
}
