/* sha256: see sha256.h.  Names and section numbers are those of FIPS 180-4. */
#include "base/sha256.h"

#include <string.h>

enum { BLOCK = 64, ROUNDS = 64, LENGTH_BYTES = 8 };

/* 4.2.2: the first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
static const uint32_t constant[ROUNDS] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1,
	0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
	0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
	0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
	0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
	0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
	0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
	0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
	0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2
};

/* 5.3.3: the same for the square roots of the first eight primes. */
static const uint32_t start[8] = {
	0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
	0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19
};

static uint32_t
rotr(uint32_t x, int n)
{
	return x >> n | x << (32 - n);
}

/* 6.2.2, step 1 */
static void
schedule(const uint8_t *block, uint32_t w[ROUNDS])
{
	for (int t = 0; t < 16; t++, block += 4)
		w[t] = (uint32_t)block[0] << 24 | (uint32_t)block[1] << 16 |
		       (uint32_t)block[2] << 8 | block[3];
	for (int t = 16; t < ROUNDS; t++) {
		const uint32_t x = w[t - 15], y = w[t - 2];

		w[t] = w[t - 16] + (rotr(x, 7) ^ rotr(x, 18) ^ x >> 3) + w[t - 7] +
		       (rotr(y, 17) ^ rotr(y, 19) ^ y >> 10);
	}
}

/* 6.2.2, steps 2 to 4; v holds the working variables a to h. */
static void
add_block(uint32_t h[8], const uint8_t *block)
{
	uint32_t w[ROUNDS], v[8];

	schedule(block, w);
	memcpy(v, h, sizeof(v));
	for (int t = 0; t < ROUNDS; t++) {
		const uint32_t a = v[0], e = v[4];
		const uint32_t choice = (e & v[5]) ^ (~e & v[6]);
		const uint32_t majority = (a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]);
		const uint32_t t1 = v[7] + (rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25)) + choice +
				    constant[t] + w[t];
		const uint32_t t2 = (rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22)) + majority;

		memmove(v + 1, v, 7 * sizeof(*v));
		v[0] = t1 + t2;
		v[4] += t1;
	}
	for (int i = 0; i < 8; i++)
		h[i] += v[i];
}

/* 5.1.1: the remaining bytes, one bit, zeros, and the length in bits: one or two blocks. */
static void
add_end(uint32_t h[8], const uint8_t *rest, size_t n_rest, uint64_t bytes)
{
	uint8_t last[2 * BLOCK] = { 0 };
	const size_t n = n_rest + 1 + LENGTH_BYTES > BLOCK ? 2 * BLOCK : BLOCK;

	if (n_rest)
		memcpy(last, rest, n_rest);
	last[n_rest] = 0x80;
	for (size_t i = 0; i < LENGTH_BYTES; i++)
		last[n - 1 - i] = (uint8_t)(bytes * 8 >> 8 * i);
	for (size_t i = 0; i < n; i += BLOCK)
		add_block(h, last + i);
}

void
sha256(const void *p, size_t n, uint8_t hash[SHA256_BYTES])
{
	const uint8_t *at = p;
	uint32_t h[8];
	size_t left = n;

	memcpy(h, start, sizeof(h));
	for (; left >= BLOCK; left -= BLOCK, at += BLOCK)
		add_block(h, at);
	add_end(h, at, left, n);
	for (int i = 0; i < SHA256_BYTES; i++)
		hash[i] = (uint8_t)(h[i / 4] >> (24 - i % 4 * 8));
}
