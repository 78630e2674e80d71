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

uint32_t
crc32_add(uint32_t crc, const void *data, size_t n)
{
	const unsigned char *p = data;
	uint32_t c = ~crc;

	for (; n >= 8; n -= 8, p += 8) {
		c ^= p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
		c = table[7][c & 255] ^ table[6][c >> 8 & 255] ^ table[5][c >> 16 & 255] ^
		    table[4][c >> 24] ^ table[3][p[4]] ^ table[2][p[5]] ^ table[1][p[6]] ^
		    table[0][p[7]];
	}
	for (; n; n--, p++)
		c = table[0][(c ^ *p) & 255] ^ c >> 8;
	return ~c;
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
