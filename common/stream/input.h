/*
 * input: reads files, standard input and archive members, by bytes or lines.
 *
 * A path is a file, "-" or NULL for standard input, or a member of an archive, such as
 * "corpus.tar.gz:train.en".  If a file with this whole name exists, the path is this file and not
 * an archive member.  The archive is read to its end, since several members of the same name are an
 * error.  gz, xz, zstd and bz2 are decompressed automatically, also on standard input.  Truncated
 * or damaged compressed data is an error (EXIT_INPUT), never a normal end.
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
 * Standard input can be read only once.  Returns -1 with EXIT_USAGE if it is more than one of the
 * inputs of a program: "-" among the n paths, and `times` others.
 */
int input_stdin_once(size_t times, char *const *path, int n, struct err *e) MUST_USE;
/*
 * Opens a path; `flags` are those above.  Returns NULL with EXIT_SYSTEM if the file cannot be
 * opened, with EXIT_INPUT if compressed data or an archive is damaged or the archive does not have
 * the member, and with EXIT_USAGE if INPUT_BINARY refuses a terminal.
 */
struct input *input_open(const char *path, unsigned flags, struct err *e) MUST_USE;
/*
 * Opens the n bytes at p, which may be compressed.  They are not copied, and must outlive the
 * input.  `name` is the name of the input for messages.
 */
struct input *input_memory(const char *name, const void *p, size_t n, unsigned flags,
			   struct err *e) MUST_USE;
void input_close(struct input *input);		/* NULL does nothing */

/*
 * Reads n bytes into p, fewer only at the end of the input.  Returns their number, or -1 on error.
 */
ptrdiff_t input_read(struct input *input, void *p, size_t n, struct err *e) MUST_USE;

/*
 * For readers of binary formats.  Sets *p to the address of the next bytes of the input, without
 * consuming them, and returns their number: at least n, or fewer at the end of the input; -1 on
 * error.  The bytes are valid until the next call for this input.  input_skip() consumes n of these
 * bytes.  Memory grows with the bytes that arrive, never with n.
 */
ptrdiff_t input_ahead(struct input *input, size_t n, const char **p, struct err *e) MUST_USE;
void input_skip(struct input *input, size_t n);
size_t input_held(const struct input *input);	/* bytes that have arrived, not yet consumed */

/*
 * Skips a UTF-8 byte order mark at the start of the input.  input_first() and input_line() do this
 * themselves.  Returns 0, or -1 on error.
 */
int input_skip_mark(struct input *input, struct err *e) MUST_USE;

/*
 * Looks ahead for the first byte that is not a space, tab or line end, and returns it without
 * consuming anything but a byte order mark.  Returns 0 if there is none in the first 64 KiB, and -1
 * on error.
 */
int input_first(struct input *input, struct err *e) MUST_USE;

/*
 * Are the n bytes at p the beginning of a tar file, such as a model of heed?  At least 262 bytes
 * are needed.
 */
bool input_is_tar(const char *p, size_t n);

/*
 * Returns the descriptor of the file if it can be mapped: it is a regular file, neither compressed
 * nor in an archive, of which nothing was read.  Otherwise returns -1.  The input closes the
 * descriptor.
 */
int input_plain_file(const struct input *input);

/*
 * Reads the next line, and sets *line and *n to its text without LF or CRLF.  Returns 1, 0 at the
 * end of the input, or -1 on error.  The last line need not have a line end.  A CR elsewhere is an
 * ordinary character.  The text is followed by a NUL byte and is valid until the next call for this
 * input.  Without INPUT_UTF8, a line may contain NUL bytes.  With INPUT_UTF8, a line that is not
 * UTF-8 or has a NUL byte is an error, but is consumed, so that the caller can continue with the
 * next line.  A line of more than input_max_line MiB is an error; memory grows with the bytes that
 * arrive.
 */
int input_line(struct input *input, const char **line, size_t *n, struct err *e) MUST_USE;

/*
 * The next line begins a unit of several lines, to which the limit input_max_line then applies as a
 * whole.  `unit` is the name of the unit for messages, such as "sentence" or "tree"; it is not
 * copied.  The unit ends at the next call of input_unit().  After a call with NULL, the limit
 * applies to each line alone again.
 */
void input_unit(struct input *input, const char *unit);

/*
 * The maximum length of a line in MiB, and the option that sets it, for every program that reads
 * text.
 */
extern int64_t input_max_line;
#define OPT_MAX_LINE { .kind = OPT_INT, .long_name = "max-line", .arg = "mib", \
	.help = "accept lines of up to mib MiB (16)", .to = &input_max_line, \
	.min = 1, .max = 1 << 20 }

int64_t input_line_number(const struct input *input);	/* number of the last line, from 1 */
const char *input_name(const struct input *input);		/* the path, or "standard input" */

/*
 * Sets EXIT_INPUT and the message "NAME: line N: fmt", with the number of the last line.  Returns
 * -1.
 */
int input_error(const struct input *input, struct err *e, const char *fmt, ...) PRINTF_LIKE(3, 4);

#endif
