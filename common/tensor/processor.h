/*
 * processor: which numbers this processor multiplies fastest, by what it calls itself.
 *
 * A table decides, not a timing: the choice must be the same from run to run.  An instruction
 * may exist and still be slow: with AVX512_BF16 products take twice as long as in fp32 on Intel's
 * processors and about half as long on AMD's.
 */
#ifndef PROCESSOR_H
#define PROCESSOR_H

#include <stdbool.h>

struct processor {
	char vendor[13];		/* as CPUID spells it: "AuthenticAMD" */
	int family, model;		/* extended parts added */
	bool amx_bf16, avx512_bf16, avx512_vnni;
};

/* This one; all zeros if it is no x86-64. */
void processor_read(struct processor *p);

/* What products of bf16 gain by; BF16_NONE: they are no faster than fp32. */
enum bf16_unit { BF16_NONE, BF16_AVX512, BF16_AMX };
enum bf16_unit processor_bf16(const struct processor *p);
/* Are products of 16-bit integers (int16.h) about twice as fast as fp32? */
bool processor_int16(const struct processor *p);

/* "AMD family 26", into name, which has room for n bytes. */
void processor_name(const struct processor *p, char *name, int n);

#endif
