/*
 * input: reads files, standard input and archive members, by bytes or lines.
 *
 * A path is a file, "-" or NULL (standard input), or a member of an archive, such as
 * "corpus.tar.gz:train.en".  The archive is then read to its end, since several members of this
 * name are an error.  gz, xz, zstd and bz2 are decompressed automatically, also on standard input.
 * If a file with a colon in its name exists, the path is the file and not an archive member.
 * Truncated or damaged compressed data is an error (EXIT_INPUT), never a normal end.
 */
#ifndef INPUT_H
#define INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cli.h"
#include "base/compiler.h"
#include "base/err.h"

struct input;

enum {
	INPUT_BINARY = 1,	/* refuse to read from a terminal */
	INPUT_FORCE  = 2,	/* with INPUT_BINARY: read from a terminal nevertheless */
	INPUT_UTF8   = 4	/* invalid UTF-8 and NUL bytes are errors of input_line() */
};

/*
 * Opens a path; `flags` are those above.  Returns NULL with EXIT_SYSTEM if it cannot be read,
 * EXIT_INPUT for a damaged archive or a member that is not in it exactly once, and EXIT_USAGE for
 * binary data from a terminal.
 */
struct input *input_open(const char *path, unsigned flags, struct err *e) MUST_USE;
/* The same for bytes in memory, which the caller owns; they may be compressed. */
struct input *input_memory(const char *name, const void *p, size_t n, unsigned flags,
			   struct err *e) MUST_USE;
void input_close(struct input *input);		/* NULL does nothing */

/* Reads n bytes, fewer only at the end; returns their number, -1 on error. */
ptrdiff_t input_read(struct input *input, void *p, size_t n, struct err *e) MUST_USE;

/*
 * For readers of binary formats: looks ahead at least n bytes, fewer only at the end.  Stores
 * their address in *p and returns their number, -1 on error.  The bytes are valid until the next
 * call and are consumed by input_skip().  Memory grows with the bytes that arrive, never with n.
 */
ptrdiff_t input_ahead(struct input *input, size_t n, const char **p, struct err *e) MUST_USE;
void input_skip(struct input *input, size_t n);
size_t input_held(const struct input *input);	/* bytes that are available without waiting */

/* Skips a UTF-8 byte order mark at the start; input_first() and input_line() do this themselves. */
int input_skip_mark(struct input *input, struct err *e) MUST_USE;

/*
 * Looks ahead for the first character that is not a space, tab or line end, and returns it; 0 if
 * there is none within 64 KiB, -1 on error.
 */
int input_first(struct input *input, struct err *e) MUST_USE;

/* Do the n bytes begin a tar file, such as a model of heed? */
bool input_is_tar(const char *p, size_t n);

/*
 * The descriptor of a plain file that can be mapped, if nothing was read from it; otherwise -1.
 * The input closes it.
 */
int input_plain_file(const struct input *input);

/*
 * Reads a line without its LF or CRLF; returns 1, 0 at the end, -1 on error.  The last line need
 * not have a line end.  A CR elsewhere is an ordinary character.  The text is followed by a NUL
 * byte and is valid until the next call.  Without INPUT_UTF8 it may contain NUL bytes.  With it,
 * a line that is not UTF-8 is an error but is consumed, so that the caller can continue.  A line
 * of more than input_max_line MiB is an error; memory grows with the bytes that arrive.
 */
int input_line(struct input *input, const char **line, size_t *n, struct err *e) MUST_USE;

/*
 * Begins a unit of several lines with the next line: the limit on the length of a line then applies
 * to all lines of the unit together.  `unit` is its name for messages, such as "sentence" or
 * "tree", and remains the caller's.  The unit ends with the next call.  With NULL, the limit
 * applies to each line alone again.
 */
void input_unit(struct input *input, const char *unit);

/* The limit in MiB, and its option, for every program that reads text. */
extern int64_t input_max_line;
#define OPT_MAX_LINE { .kind = OPT_INT, .long_name = "max-line", .arg = "mib", \
	.help = "accept lines of up to mib MiB (16)", .to = &input_max_line, \
	.min = 1, .max = 1 << 20 }

int64_t input_line_number(const struct input *input);	/* number of the last line, from 1 */
const char *input_name(const struct input *input);		/* the path, or "standard input" */

/* err_set() with EXIT_INPUT and the prefix "NAME: line N: ". */
int input_error(const struct input *input, struct err *e, const char *fmt, ...) PRINTF_LIKE(3, 4);

#endif
