/* peak: measures the peak arithmetic rate of the processor, without memory access. */
#ifndef PEAK_H
#define PEAK_H

struct pool;

/*
 * Runs fused multiply-adds in registers on all threads of a pool for a few milliseconds or, if the
 * caps of a back end (backend.h) have BACKEND_BF16, products of pairs in bf16, as far as the
 * processor has units for them.  Returns operations per second; a multiply-add counts as two.
 */
double peak_flops(struct pool *pool, unsigned caps, double (*clock)(void));

#endif
