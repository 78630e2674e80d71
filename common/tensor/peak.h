/* peak: measures the peak arithmetic rate of the processor, without memory access. */
#ifndef PEAK_H
#define PEAK_H

struct pool;

/*
 * Runs arithmetic in registers on all threads of a pool for a few milliseconds: fused multiply-adds
 * or, if a back end with these capabilities `caps` (backend.h) multiplies bf16 in a unit of the
 * processor, products of pairs in this unit.  Returns operations per second; a multiply-add counts
 * as two.
 */
double peak_flops(struct pool *pool, unsigned caps, double (*clock)(void));

#endif
