/* sha256: the hash function of FIPS 180-4, for data in memory. */
#ifndef SHA256_H
#define SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { SHA256_BYTES = 32 };

void sha256(const void *p, size_t n, uint8_t hash[SHA256_BYTES]);

#endif
