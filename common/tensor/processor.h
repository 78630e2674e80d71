/*
 * processor: the precision in which matrix products are fastest on this processor.
 *
 * The answers come from a table of processors and not from timings, so that they are the same in
 * every run.  A processor may have an instruction that is slow.  Compared with fp32, products with
 * AVX512_BF16 take twice as long on Intel processors, but training with it is 1.3 to 1.9 times
 * faster on AMD processors.
 */
#ifndef PROCESSOR_H
#define PROCESSOR_H

#include <stdbool.h>

struct processor {
	char vendor[13];		/* from CPUID: "AuthenticAMD" */
	int family, model;		/* of the processor as CPUID numbers them, including the
					 * extended parts */
	bool amx_bf16, avx512_bf16, avx512_vnni, avx_vnni;
	bool dotprod;			/* ARM: products of 8-bit integers */
};

/*
 * Reads the properties of this processor.  On processors other than x86-64, all members but dotprod
 * are 0.
 */
void processor_read(struct processor *p);

/* The unit with which products in bf16 are faster than in fp32; BF16_NONE if there is none. */
enum bf16_unit { BF16_NONE, BF16_AVX512, BF16_AMX };
enum bf16_unit processor_bf16(const struct processor *p);
/*
 * May this process use the unit?  For AMX, the function asks Linux for permission, which all
 * threads then have.  Linux before 5.16, for example, does not give it.
 */
bool processor_has_bf16(const struct processor *p, enum bf16_unit unit);
/* Are products of 16-bit integers (int16.h) faster than in fp32, about twice as fast? */
bool processor_int16(const struct processor *p);
/*
 * The name, for messages, of the unit with which products of 8-bit integers (int8.h) are faster
 * than in fp32; NULL if there is none.
 */
const char *processor_int8(const struct processor *p);

/* Writes a name such as "AMD family 26" into `name`, which has n bytes. */
void processor_name(const struct processor *p, char *name, int n);

#endif
