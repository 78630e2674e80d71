/*
 * hash: hash functions.
 *
 * hash_bytes() is fast and for tables in memory; its values may change between versions.
 * hash_fnv1a() is for values that are stored, and never changes.  crc32_add() computes zlib's
 * CRC-32, and cksum_add() the CRC of POSIX cksum(1).
 */
#ifndef HASH_H
#define HASH_H

#include <stddef.h>
#include <stdint.h>

/* Returns a hash of the n bytes at p and of `seed`. */
uint64_t hash_bytes(const void *p, size_t n, uint64_t seed);

/*
 * FNV-1a with 64 bits (Fowler, Noll and Vo).  Returns the hash of a sequence of bytes that ends
 * with the n bytes at p.  `h` is the hash of the bytes before these n; HASH_FNV1A is the hash of no
 * bytes.
 */
#define HASH_FNV1A UINT64_C(0xcbf29ce484222325)
uint64_t hash_fnv1a(uint64_t h, const void *p, size_t n);

/*
 * Returns the CRC of a sequence of bytes that ends with the n bytes at p.  `crc` is the CRC of the
 * bytes before these n, 0 for no bytes.  The CRC of "123456789" is 0xcbf43926.
 */
uint32_t crc32_add(uint32_t crc, const void *p, size_t n);
/*
 * Returns the CRC of two sequences of bytes, one after the other.  The first has the CRC `crc`; the
 * second has n bytes and the CRC `next`.
 */
uint32_t crc32_join(uint32_t crc, uint32_t next, uint64_t n);

/*
 * cksum_add() is like crc32_add(), but with the CRC of cksum(1).  At the end, cksum_end() adds the
 * number of all bytes, `length`, and returns the number that cksum(1) prints.
 */
uint32_t cksum_add(uint32_t crc, const void *p, size_t n);
uint32_t cksum_end(uint32_t crc, uint64_t length);

#endif
