/* rng: Philox4x32-10; see rng.h. */
#include "base/rng.h"

#include <math.h>
#include <string.h>

#define ROUNDS 10
#define PI     3.14159265358979323846

void
philox(const uint32_t key[2], const uint32_t counter[4], uint32_t out[4])
{
	uint32_t k0 = key[0], k1 = key[1];
	uint32_t c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3];

	for (int i = 0; i < ROUNDS; i++) {
		uint64_t p = (uint64_t)0xd2511f53u * c0, q = (uint64_t)0xcd9e8d57u * c2;

		c0 = (uint32_t)(q >> 32) ^ c1 ^ k0;
		c1 = (uint32_t)q;
		c2 = (uint32_t)(p >> 32) ^ c3 ^ k1;
		c3 = (uint32_t)p;
		k0 += 0x9e3779b9u;
		k1 += 0xbb67ae85u;
	}
	out[0] = c0;
	out[1] = c1;
	out[2] = c2;
	out[3] = c3;
}

/* FNV-1a.  The names are short, and the result must never change. */
uint32_t
rng_purpose(const char *name)
{
	uint32_t h = 2166136261u;

	for (; *name; name++)
		h = (h ^ (unsigned char)*name) * 16777619u;
	return h;
}

uint32_t
rng_key(uint64_t address)
{
	uint64_t x = address + 0x9e3779b97f4a7c15u;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return (uint32_t)((x ^ x >> 31) >> 32);
}

void
rng_init(struct rng *r, uint64_t seed, uint32_t purpose, uint32_t step)
{
	memset(r, 0, sizeof(*r));
	r->key[0] = (uint32_t)seed;
	r->key[1] = (uint32_t)(seed >> 32);
	r->counter[2] = step;
	r->counter[3] = purpose;
}

uint32_t
rng_u32(struct rng *r)
{
	if (!r->left) {
		philox(r->key, r->counter, r->word);
		if (!++r->counter[0])
			r->counter[1]++;
		r->left = 4;
	}
	return r->word[4 - r->left--];
}

/* Rejection sampling without bias (Lemire 2019, Fast random integer generation in an interval). */
uint32_t
rng_below(struct rng *r, uint32_t n)
{
	uint32_t reject = (0u - n) % n;
	uint64_t p;

	do
		p = (uint64_t)rng_u32(r) * n;
	while ((uint32_t)p < reject);
	return (uint32_t)(p >> 32);
}

double
rng_uniform(struct rng *r)
{
	uint64_t high = rng_u32(r) >> 5, low = rng_u32(r) >> 6;

	return (double)(high << 26 | low) * 0x1p-53;
}

/*
 * Box and Muller 1958.  The second value of the pair is discarded, so that the i-th call depends
 * on i alone.
 */
double
rng_normal(struct rng *r)
{
	double u = 1 - rng_uniform(r), v = rng_uniform(r);

	return sqrt(-2 * log(u)) * cos(2 * PI * v);
}

void
rng_permutation(struct rng *r, uint32_t *p, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		size_t j = rng_below(r, (uint32_t)i + 1);

		p[i] = p[j];
		p[j] = (uint32_t)i;
	}
}
