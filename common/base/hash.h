/*
 * hash: hash functions.
 *
 * hash_bytes() is fast and for tables in memory; its values may change between versions.
 * hash_fnv1a() is stable, for values that are stored.  crc32_add() is zlib's CRC-32, and
 * cksum_add() that of POSIX cksum(1).
 */
#ifndef HASH_H
#define HASH_H

#include <stddef.h>
#include <stdint.h>

/* Returns a hash of n bytes, which depends on the seed. */
uint64_t hash_bytes(const void *p, size_t n, uint64_t seed);

/* FNV-1a with 64 bits (Fowler, Noll and Vo); the initial h is HASH_FNV1A.  It will never change. */
#define HASH_FNV1A UINT64_C(0xcbf29ce484222325)
uint64_t hash_fnv1a(uint64_t h, const void *p, size_t n);

/* `crc` is the CRC of the preceding bytes, 0 at the start; the CRC of "123456789" is 0xcbf43926. */
uint32_t crc32_add(uint32_t crc, const void *p, size_t n);
/* The CRC of bytes with the CRC `crc`, followed by n bytes with the CRC `next`. */
uint32_t crc32_join(uint32_t crc, uint32_t next, uint64_t n);

/*
 * cksum_add() does the same with the CRC of cksum(1); cksum_end() adds the length of all bytes and
 * returns what cksum(1) prints.
 */
uint32_t cksum_add(uint32_t crc, const void *p, size_t n);
uint32_t cksum_end(uint32_t crc, uint64_t length);

#endif
