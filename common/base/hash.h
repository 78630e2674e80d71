/* hash: fast for tables (not stable across versions), stable ones for what is kept, crc32 for files (zlib's polynomial). */
#ifndef HASH_H
#define HASH_H

#include <stddef.h>
#include <stdint.h>

uint64_t hash_bytes(const void *p, size_t n, uint64_t seed);

/* FNV-1a in 64 bits, for all time the same; begin with HASH_FNV1A (Fowler, Noll and Vo). */
#define HASH_FNV1A UINT64_C(0xcbf29ce484222325)
uint64_t hash_fnv1a(uint64_t h, const void *p, size_t n);

/* crc of what came before, 0 at the start; crc32("123456789") is 0xcbf43926. */
uint32_t crc32_add(uint32_t crc, const void *p, size_t n);

#endif
