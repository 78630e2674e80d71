/* hash: fast for tables (not stable across versions), crc32 for files (zlib's polynomial). */
#ifndef HASH_H
#define HASH_H

#include <stddef.h>
#include <stdint.h>

uint64_t hash_bytes(const void *p, size_t n, uint64_t seed);

/* crc of what came before, 0 at the start; crc32("123456789") is 0xcbf43926. */
uint32_t crc32_add(uint32_t crc, const void *p, size_t n);

#endif
