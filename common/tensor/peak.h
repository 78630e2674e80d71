/* peak: measures the peak arithmetic rate of the processor, without memory access. */
#ifndef PEAK_H
#define PEAK_H

#include <stdbool.h>

struct pool;

/*
 * Runs fused multiply-adds in registers on all threads of a pool for a few milliseconds or, if
 * pairs is true and the processor has AVX512_BF16, products of pairs in bf16.  Returns operations
 * per second; a multiply-add counts as two.
 */
double peak_flops(struct pool *pool, bool pairs, double (*clock)(void));

#endif
