/* peak: how many operations a second the processor can do, if nothing has to be fetched. */
#ifndef PEAK_H
#define PEAK_H

struct pool;

/* Fused multiply-adds in registers, by all threads of a pool, two operations each; a few milliseconds. */
double peak_flops(struct pool *pool, double (*clock)(void));

#endif
