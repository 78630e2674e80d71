/* hash: see hash.h. */
#include "base/hash.h"

#include <string.h>

/* Multiplies to 128 bits and folds, as wyhash does: mixes well and takes one instruction. */
static uint64_t
hash_mix(uint64_t a, uint64_t b)
{
	__extension__ unsigned __int128 p = (unsigned __int128)a * b;

	return (uint64_t)p ^ (uint64_t)(p >> 64);
}

static uint64_t
hash_load(const unsigned char *p, size_t n)
{
	uint64_t v = 0;

	memcpy(&v, p, n);
	return v;
}

uint64_t
hash_bytes(const void *data, size_t n, uint64_t seed)
{
	const unsigned char *p = data;
	uint64_t h = seed ^ 0x9e3779b97f4a7c15u;
	size_t left = n;

	for (; left > 8; left -= 8, p += 8)
		h = hash_mix(h ^ hash_load(p, 8), 0xe7037ed1a0b428dbu);
	h = hash_mix(h ^ hash_load(p, left), 0x8ebc6af09c88c6e3u ^ n);
	return hash_mix(h, 0x589965cc75374cc3u);
}

#define POLYNOMIAL 0xedb88320u		/* of crc32_add(), which shifts to the right */
#define MIRRORED   0x04c11db7u		/* the same of cksum_add(), to the left */

/*
 * table[k][b] is the CRC of byte b followed by k zero bytes.  Eight bytes are processed at a time
 * (Kounavis and Berry 2005).
 */
static uint32_t table[8][256];
static uint32_t mirrored[256];		/* the CRC of byte b, of cksum_add() */

static void __attribute__((constructor))
fill_table(void)
{
	for (uint32_t b = 0; b < 256; b++) {
		uint32_t c = b;

		for (int i = 0; i < 8; i++)
			c = c & 1 ? c >> 1 ^ POLYNOMIAL : c >> 1;
		table[0][b] = c;
		c = b << 24;
		for (int i = 0; i < 8; i++)
			c = c >> 31 ? c << 1 ^ MIRRORED : c << 1;
		mirrored[b] = c;
	}
	for (int k = 1; k < 8; k++)
		for (int b = 0; b < 256; b++)
			table[k][b] = table[k - 1][b] >> 8 ^ table[0][table[k - 1][b] & 255];
}

/* The register after the next eight bytes. */
static inline uint32_t
crc_eight(uint32_t c, const unsigned char *p)
{
	c ^= p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
	return table[7][c & 255] ^ table[6][c >> 8 & 255] ^ table[5][c >> 16 & 255] ^
	       table[4][c >> 24] ^ table[3][p[4]] ^ table[2][p[5]] ^ table[1][p[6]] ^
	       table[0][p[7]];
}

/* The product of two polynomials modulo that of the CRC; bit 31 is the coefficient of x^0. */
static uint32_t
crc_multiply(uint32_t a, uint32_t b)
{
	uint32_t product = 0;

	for (; a; a <<= 1) {
		product ^= b & -(a >> 31);
		b = b >> 1 ^ (POLYNOMIAL & -(b & 1));
	}
	return product;
}

/* x^(8 n), which appends n zero bytes. */
static uint32_t
crc_power(uint64_t n)
{
	uint32_t power = 1u << 31, square = 1u << 23;

	for (; n; n >>= 1) {
		if (n & 1)
			power = crc_multiply(square, power);
		square = crc_multiply(square, square);
	}
	return power;
}

/*
 * LANES runs of LANE bytes, side by side, since the look-ups of one run wait for each other.
 * The CRC is linear, so that of the whole is the sum of those of its runs, each with the zero
 * bytes that follow.
 */
enum { LANES = 4, LANE = 4096 };

static uint32_t
crc_lanes(uint32_t c, const unsigned char *p, uint32_t power)
{
	uint32_t lane[LANES] = { c };

	for (int i = 0; i < LANE; i += 8)
		for (int k = 0; k < LANES; k++)
			lane[k] = crc_eight(lane[k], p + k * LANE + i);
	c = lane[0];
	for (int k = 1; k < LANES; k++)
		c = crc_multiply(c, power) ^ lane[k];
	return c;
}

uint32_t
crc32_add(uint32_t crc, const void *data, size_t n)
{
	const uint32_t power = n < LANES * LANE ? 0 : crc_power(LANE);
	const unsigned char *p = data;
	uint32_t c = ~crc;

	for (; n >= LANES * LANE; n -= LANES * LANE, p += LANES * LANE)
		c = crc_lanes(c, p, power);
	for (; n >= 8; n -= 8, p += 8)
		c = crc_eight(c, p);
	for (; n; n--, p++)
		c = table[0][(c ^ *p) & 255] ^ c >> 8;
	return ~c;
}

uint32_t
crc32_join(uint32_t crc, uint32_t next, uint64_t n)
{
	return crc_multiply(crc, crc_power(n)) ^ next;
}

uint32_t
cksum_add(uint32_t c, const void *data, size_t n)
{
	const unsigned char *p = data;

	for (size_t i = 0; i < n; i++)
		c = c << 8 ^ mirrored[c >> 24 ^ p[i]];
	return c;
}

uint32_t
cksum_end(uint32_t c, uint64_t length)
{
	for (; length; length >>= 8)
		c = c << 8 ^ mirrored[c >> 24 ^ (length & 255)];
	return ~c;
}

uint64_t
hash_fnv1a(uint64_t h, const void *p, size_t n)
{
	const unsigned char *s = p;

	for (size_t i = 0; i < n; i++)
		h = (h ^ s[i]) * UINT64_C(0x100000001b3);
	return h;
}
