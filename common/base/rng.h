/*
 * rng: counter-based random numbers.  Each number is a function of its address: seed, purpose, step
 * and index.
 *
 * Philox4x32-10 (Salmon et al. 2011, Parallel random numbers: as easy as 1, 2, 3) maps a 64-bit key
 * and a 128-bit counter to four 32-bit words.  Here the key is the seed, and the counter consists
 * of purpose, step and index.  A checkpoint therefore need not store a state of the generator.
 */
#ifndef RNG_H
#define RNG_H

#include <stddef.h>
#include <stdint.h>

/* Philox4x32-10: sets `out` to the four words for a key and a counter. */
void philox(const uint32_t key[2], const uint32_t counter[4], uint32_t out[4]);

/*
 * Returns the number of a purpose such as "corpus order": a hash of `name`, which will never
 * change.
 */
uint32_t rng_purpose(const char *name);

/*
 * For callers whose step is several numbers, such as record and position, which they pack into
 * `address`.  Returns a hash of 32 bits, for the step of rng_init() (the finalizer of splitmix64,
 * Steele et al. 2014).
 */
uint32_t rng_key(uint64_t address);

/*
 * A sequence of 32-bit words: word i is a function of (seed, purpose, step, i).  rng_uniform()
 * takes two words, rng_normal() four.
 */
struct rng {
	uint32_t key[2], counter[4], word[4];
	int left;
};

void rng_init(struct rng *r, uint64_t seed, uint32_t purpose, uint32_t step);
uint32_t rng_u32(struct rng *r);
uint32_t rng_below(struct rng *r, uint32_t n);		/* 0 ... n-1, without bias; n > 0 */
double rng_uniform(struct rng *r);			/* [0, 1), 53 bits */
double rng_normal(struct rng *r);			/* mean 0, variance 1 */

/* Fills `p[n]` with a random permutation of 0 ... n-1; n < 2^32. */
void rng_permutation(struct rng *r, uint32_t *p, size_t n);

#endif
