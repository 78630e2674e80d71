/* file: functions for the files of a model of another toolkit, and for the folder that has them. */
#ifndef EXCHANGE_FILE_H
#define EXCHANGE_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/compiler.h"
#include "base/err.h"
#include "stream/stream.h"

/*
 * Returns the contents of a regular file (base/regular.h), followed by a NUL byte, and sets *n to
 * their number of bytes, without this NUL.  The caller frees the memory.  Returns NULL with
 * EXIT_SYSTEM if the file cannot be read, and with EXIT_INPUT if it is not a regular file or has
 * more than `max` bytes.
 */
char *file_text(const char *path, size_t max, size_t *n, struct err *e) MUST_USE;

bool file_ends(const char *path, const char *with);	/* whether `path` ends with `with` */
bool file_exists(const char *path);	/* true for a broken symbolic link, too */
/*
 * For a file that a model must have: returns -1 with EXIT_INPUT if there is no file `path`.  A file
 * that the user names is opened without this check; if it does not exist, the error is EXIT_SYSTEM,
 * as everywhere in heed.
 */
int file_expect(const char *path, struct err *e) MUST_USE;
bool file_is_folder(const char *path);
char *file_folder(const char *path);			/* path of the folder of a file; the caller
							 * frees it */
char *file_in(const char *folder, const char *name);	/* FOLDER/NAME; the caller frees it */
/*
 * file_in() for a name that was read from a file of the model.  Returns NULL if the name could lead
 * out of the folder, that is, if it is empty, "." or "..", or has a slash or a NUL byte.  The file
 * may be a symbolic link to another folder, because the files in the cache of Hugging Face are such
 * links.
 */
char *file_named(const char *folder, struct str name) MUST_USE;
struct str file_last(struct str path);		/* the part after the last slash */

/*
 * Returns the sorted names in a folder that match a shell pattern, and sets *n to their number.
 * The array ends with NULL; the caller frees it with file_names_free().  It is empty if the folder
 * cannot be read.
 */
char **file_names(const char *folder, const char *pattern, size_t *n);
void file_names_free(char **name);

/* A regular file that is mapped into memory, read-only.  `p` is NULL if the file is empty. */
struct file_map { unsigned char *p; size_t n; };
/*
 * Maps the file `path`.  Returns -1 as regular_open() (base/regular.h) and mapped_open()
 * (base/mapped.h).
 */
int file_map(struct file_map *m, const char *path, struct err *e) MUST_USE;
void file_unmap(struct file_map *m);
/*
 * Tells the system that the `n` bytes at `p`, inside a mapped file, will not be read soon, so that
 * it may drop them from memory.  They remain readable.
 */
void file_map_forget(const void *p, size_t n);

#endif
