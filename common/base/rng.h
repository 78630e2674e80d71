/*
 * rng: counter-based random numbers: each one is a function of its address, without hidden state.
 *
 * Philox4x32-10 (Salmon et al. 2011, Parallel random numbers: as easy as 1, 2, 3) maps a 64-bit
 * key and a 128-bit counter to four 32-bit words.  Here the key is the seed, and the counter is
 * made of purpose, step and index.  A checkpoint therefore needs no generator state.
 */
#ifndef RNG_H
#define RNG_H

#include <stddef.h>
#include <stdint.h>

/* out = the four words for a key and a counter. */
void philox(const uint32_t key[2], const uint32_t counter[4], uint32_t out[4]);

/* The number that stands for a purpose such as "corpus order".  It will never change. */
uint32_t rng_purpose(const char *name);

/*
 * Hashes a 64-bit number, into which the caller has packed several such as record and position, to
 * 32 bits, for the step of rng_init() (the finalizer of splitmix64, Steele et al. 2014).
 */
uint32_t rng_key(uint64_t address);

/* A sequence at one address: the i-th number is a function of (seed, purpose, step, i). */
struct rng {
	uint32_t key[2], counter[4], word[4];
	int left;
};

void rng_init(struct rng *r, uint64_t seed, uint32_t purpose, uint32_t step);
uint32_t rng_u32(struct rng *r);
uint32_t rng_below(struct rng *r, uint32_t n);		/* 0 ... n-1, without bias */
double rng_uniform(struct rng *r);			/* [0, 1), 53 bits */
double rng_normal(struct rng *r);			/* mean 0, variance 1 */

/* Fills p with a random permutation of 0 ... n-1. */
void rng_permutation(struct rng *r, uint32_t *p, size_t n);

#endif
