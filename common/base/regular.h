/*
 * regular: regular files, for programs that read whatever they find under a name: in a folder, or
 * as the value of an option of another program.
 *
 * There may be a device under that name, or a FIFO for whose writer open(2) would wait forever.
 * These functions never wait, and accept only regular files and symbolic links to regular files.
 */
#ifndef REGULAR_H
#define REGULAR_H

#include <stdint.h>

#include "base/compiler.h"
#include "base/err.h"

/*
 * Opens a file for reading and returns its descriptor.  Returns -1 with EXIT_SYSTEM if the file
 * cannot be opened, and with EXIT_INPUT if it is not a regular file.
 */
int regular_open(const char *path, struct err *e) MUST_USE;

/*
 * For callers that open the file by other means.  Returns 0 if regular_open() can open the file,
 * and otherwise -1 with the error of regular_open().
 */
int regular_check(const char *path, struct err *e) MUST_USE;

/*
 * Stores the two numbers that cksum(1) prints for a file: the CRC and the number of bytes.  Returns
 * -1 with an error as regular_open(), or if the file cannot be read.
 */
int regular_cksum(const char *path, uint32_t *crc, uint64_t *size, struct err *e) MUST_USE;

#endif
