/* file: files of a model of another toolkit, and the folder that they are in. */
#ifndef EXCHANGE_FILE_H
#define EXCHANGE_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/compiler.h"
#include "base/err.h"
#include "stream/stream.h"

/*
 * Returns the contents of a regular file (regular.h), malloc'ed, with a NUL byte after its n bytes.
 * Fails with EXIT_SYSTEM if it cannot be read, EXIT_INPUT if it has more than `max` bytes.
 */
char *file_text(const char *path, size_t max, size_t *n, struct err *e) MUST_USE;

bool file_ends(const char *path, const char *with);	/* does the path end with this? */
bool file_exists(const char *path);	/* true for a broken symbolic link, too */
/*
 * Fails with EXIT_INPUT if a model has no file with this path, which it must have.  A file that the
 * user names is opened without this check, and its absence is a system error, as everywhere.
 */
int file_expect(const char *path, struct err *e) MUST_USE;
bool file_is_folder(const char *path);
char *file_folder(const char *path);			/* the folder of a file; malloc'ed */
char *file_in(const char *folder, const char *name);	/* malloc'ed */
/*
 * file_in() for a name that another file gives.  Files only name files in their own folder: NULL if
 * the name is empty, "." or "..", or has a slash or a NUL byte.  Symbolic links are followed,
 * because the files in the cache of Hugging Face are links.
 */
char *file_named(const char *folder, struct str name) MUST_USE;
struct str file_last(struct str path);		/* what follows the last slash */

/*
 * Names in a folder that fit a shell pattern, sorted; NULL-terminated, to be freed by
 * file_names_free().
 */
char **file_names(const char *folder, const char *pattern, size_t *n);
void file_names_free(char **name);

/* A mapped file, which must be a regular one; p is NULL if it is empty. */
struct file_map { unsigned char *p; size_t n; };
/* Maps a file.  Returns -1 as regular_open() and mapped_open(). */
int file_map(struct file_map *m, const char *path, struct err *e) MUST_USE;
void file_unmap(struct file_map *m);
/*
 * These n bytes at p, part of a mapped file, will not be read soon: they need not stay in memory.
 */
void file_map_forget(const void *p, size_t n);

#endif
