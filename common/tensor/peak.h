/* peak: measures the peak arithmetic rate of the processor, without memory access. */
#ifndef PEAK_H
#define PEAK_H

struct pool;

/*
 * Runs fused multiply-adds in registers on all threads of a pool for a few milliseconds.  Returns
 * operations per second; a multiply-add counts as two.
 */
double peak_flops(struct pool *pool, double (*clock)(void));

#endif
