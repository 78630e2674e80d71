/* peak: measures the peak arithmetic rate of the processor, without memory access. */
#ifndef PEAK_H
#define PEAK_H

struct pool;

/*
 * Runs arithmetic in registers on all threads of a pool, five times for a few milliseconds.  `caps`
 * are the capabilities of a back end (backend/backend.h).  If such a back end multiplies bf16 in a
 * unit of the processor, the arithmetic is products of pairs in this unit, and otherwise fused
 * multiply-adds.  `clock` returns the time in seconds.  Returns the highest number of operations
 * per second of all threads together; a multiply-add counts as two operations.
 */
double peak_flops(struct pool *pool, unsigned caps, double (*clock)(void));

#endif
