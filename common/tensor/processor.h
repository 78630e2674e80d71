/*
 * processor: the precision in which this processor multiplies fastest.
 *
 * The choice is made from a table and not from timings, so that it is the same in every run.  An
 * instruction may exist and still be slow: compared with fp32, products with AVX512_BF16 take twice
 * as long on Intel processors, while training is 1.3 to 1.9 times faster on AMD processors.
 */
#ifndef PROCESSOR_H
#define PROCESSOR_H

#include <stdbool.h>

struct processor {
	char vendor[13];		/* from CPUID: "AuthenticAMD" */
	int family, model;		/* with the extended parts added */
	bool amx_bf16, avx512_bf16, avx512_vnni, avx_vnni;
	bool dotprod;			/* ARM */
};

/* Reads the properties of this processor: all zeros except dotprod if it is not x86-64. */
void processor_read(struct processor *p);

/* The units that make products in bf16 faster than in fp32; BF16_NONE: they are not faster. */
enum bf16_unit { BF16_NONE, BF16_AVX512, BF16_AMX };
enum bf16_unit processor_bf16(const struct processor *p);
/*
 * May this process use the unit?  For AMX, this asks Linux for the permission, which all threads
 * then have; Linux before 5.16, for example, does not give it.
 */
bool processor_has_bf16(const struct processor *p, enum bf16_unit unit);
/* Are products of 16-bit integers (int16.h) about twice as fast as fp32? */
bool processor_int16(const struct processor *p);
/* The unit that multiplies 8-bit integers (int8.h) faster than fp32; NULL: there is none. */
const char *processor_int8(const struct processor *p);

/* Writes a name like "AMD family 26" to n bytes at name. */
void processor_name(const struct processor *p, char *name, int n);

#endif
