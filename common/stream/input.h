/*
 * input: bytes from wherever they are.
 *
 * A path is a file, "-" or NULL (standard input), or a member of an archive:
 * "corpus.tar.gz:train.en", "help-de.deb:usr/share/…".  gz, xz, zstd and bz2
 * open by themselves, standard input too.  A file whose own name has a colon
 * wins over the archive reading.  Truncated or damaged compression is an error
 * (EXIT_INPUT), never a clean end.
 */
#ifndef INPUT_H
#define INPUT_H

#include <stddef.h>
#include <stdint.h>

#include "base/cli.h"
#include "base/compiler.h"
#include "base/err.h"

struct input;

enum {
	INPUT_BINARY = 1,	/* refuse a terminal ... */
	INPUT_FORCE  = 2,	/* ... unless told to */
	INPUT_UTF8   = 4	/* input_line() refuses invalid UTF-8 and NUL, naming line and byte */
};

struct input *input_open(const char *path, unsigned flags, struct err *e) MUST_USE;
/* The same over bytes in memory, which stay the caller's; they may be compressed. */
struct input *input_memory(const char *name, const void *p, size_t n, unsigned flags,
			   struct err *e) MUST_USE;
void input_close(struct input *in);		/* NULL is fine */

/* Bytes read, less than n only at the end; -1 on error. */
ptrdiff_t input_read(struct input *in, void *p, size_t n, struct err *e) MUST_USE;

/*
 * For readers of binary formats: at least n bytes in *p without taking them, fewer
 * only at the end; the number there, -1 on error.  Memory grows with the bytes that
 * come, never with n.  They live until the next call; input_skip() takes them.
 */
ptrdiff_t input_ahead(struct input *in, size_t n, const char **p, struct err *e) MUST_USE;
void input_skip(struct input *in, size_t n);
size_t input_held(const struct input *in);	/* bytes that are here without waiting */

/*
 * A byte order mark of UTF-8 at the very beginning goes; input_first() and input_line() see to that
 * themselves.
 */
int input_skip_mark(struct input *in, struct err *e) MUST_USE;

/*
 * Looks ahead for the first character that is no blank, tab or line end; 0 if there is none within
 * 64 KiB, -1 on error.
 */
int input_first(struct input *in, struct err *e) MUST_USE;

/* The descriptor of a plain file, nothing of it read yet, that can be mapped; -1 otherwise. */
int input_plain_file(const struct input *in);

/*
 * One line without its LF or CRLF; 1, 0 at the end, -1 on error.  A last line
 * without a line end counts; a CR elsewhere is an ordinary character.  The text
 * is followed by a NUL byte and lives until the next call; without INPUT_UTF8 it may hold
 * NUL bytes itself.  A line that is not UTF-8 is taken, and there for those who go on.  A line
 * of more than input_max_line MiB is an error; room doubles as bytes arrive.
 */
int input_line(struct input *in, const char **line, size_t *n, struct err *e) MUST_USE;

/*
 * The next line begins a unit ("sentence", "tree", "table"; the text stays the caller's): together
 * its lines may be as long as one line.  It lasts until the next call; NULL: each line is by itself.
 */
void input_unit(struct input *in, const char *unit);

/* The limit in MiB, and its option: for every program that reads text. */
extern int64_t input_max_line;
#define OPT_MAX_LINE { .kind = OPT_INT, .long_name = "max-line", .arg = "mib", \
	.help = "longest line that is accepted, in MiB (16)", .to = &input_max_line, \
	.min = 1, .max = 1 << 20 }

int64_t input_line_number(const struct input *in);	/* of the line last returned, from 1 */
const char *input_name(const struct input *in);		/* as given, "standard input" for none */

/* err_set() with "NAME: line N: " in front. */
int input_error(const struct input *in, struct err *e, const char *fmt, ...) PRINTF_LIKE(3, 4);

#endif
