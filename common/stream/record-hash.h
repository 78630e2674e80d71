/* record-hash: hashes the values of records independently of their encoding. */
#ifndef RECORD_HASH_H
#define RECORD_HASH_H

#include <stdbool.h>
#include <stdint.h>

#include "stream/stream.h"

/*
 * Returns the hash h (base/hash.h) continued with the value of field `name`, or with its absence.
 * Sets *present to whether the record has the field.
 *
 * Text, and the numbers of fields that the header declares as int, [int] or float, have the same
 * hash in any encoding.  In a float field, an integer has the hash of the equal float.  All other
 * values are hashed encoded.
 */
uint64_t record_hash(const struct record *rec, const char *name, uint64_t h, bool *present);

#endif
