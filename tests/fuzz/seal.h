/*
 * seal: computes correct checksums and counts for damaged contents, so that fuzzing reaches the
 * code after these checks.
 *
 * Checksums do not make a file trustworthy, because a hostile file can have correct ones.
 */
#ifndef SEAL_H
#define SEAL_H

#include <stddef.h>

#include "base/buf.h"

/*
 * Makes a stream of the objects in p[n].  Adds a header without fields if the first object is not
 * a header.  Adds end records with correct count and checksum before each further header and at
 * the end.  Drops end records in p, and everything from the first incomplete object on.
 */
void seal_stream(const void *p, size_t n, struct buf *out);

/*
 * Makes a bundle (model-file/bundle.h) of the members in p[n].  Each is a line "==NAME" and its
 * bytes up to the next such line; the first one is the map.  The rows of the map's table get the
 * sizes and checksums of the members; tar headers, padding and `end` are added.  members.sh makes
 * such an input from a bundle.
 */
void seal_bundle(const void *p, size_t n, struct buf *out);

/*
 * Writes the members of such an input, but without a map, as files of an existing folder.  A member
 * whose name ends in .safetensors is the JSON of its header; the file gets the length before it,
 * and the bytes that its data_offsets ask for, each of value 1, after it.  Members whose names are
 * no names of files in the folder are left out.
 */
void seal_folder(const void *p, size_t n, const char *folder);

#endif
