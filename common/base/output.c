/* output: files that appear only when complete; see output.h. */
#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/lock.h"
#include "base/mem.h"
#include "base/temporary.h"

#define BUFFER ((size_t)1 << 17)

struct output {
	int fd;
	char *path, *temporary;		/* NULL for standard output and devices written in place */
	char *name;			/* for messages */
	uint64_t bytes;
	size_t n;
	char *buffer;
};

/* A name of a file that is open; others below /dev/, such as those in /dev/shm, are just files. */
static bool
names_open_file(const char *path)
{
	return !strcmp(path, "/dev/stdout") || !strcmp(path, "/dev/stderr") ||
	       !strncmp(path, "/dev/fd/", 8) || !strncmp(path, "/proc/", 6);
}

/*
 * Devices and pipes such as /dev/null must not be replaced by a rename; neither must /dev/stdout,
 * even if it refers to a regular file.
 */
static int
in_place(const char *path)
{
	struct stat s;

	return !stat(path, &s) && (!S_ISREG(s.st_mode) || names_open_file(path));
}

const char *
path_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

char *
path_folder(const char *path)
{
	const size_t n = (size_t)(path_name(path) - path);

	return n ? xstrndup(path, n) : xstrdup("./");
}

char *
path_beside(const char *path, const char *name)
{
	return xasprintf("%.*s%s", (int)(path_name(path) - path), path, name);
}

/* The target of a symbolic link, which need not exist: the link stays, and the file is replaced. */
static char *
final_path(const char *path)
{
	char *real = realpath(path, NULL), to[4096], *next, *last;
	ssize_t n;

	if (real)
		return real;
	n = errno == ENOENT ? readlink(path, to, sizeof(to) - 1) : -1;
	if (n < 0)
		return xstrdup(path);
	to[n] = 0;
	next = *to == '/' ? xstrdup(to) : path_beside(path, to);
	last = final_path(next);
	free(next);
	return last;
}

/* Anything but a regular file, such as /dev/null, is written in place and not checked. */
int
output_check(const char *path, struct err *e)
{
	struct stat st = { .st_mode = S_IFREG };
	char *file, *folder;
	int r;

	if (!strcmp(path, "-"))
		return 0;
	if (!stat(path, &st) && S_ISDIR(st.st_mode))
		return err_set(e, EXIT_SYSTEM, "%s is a folder, expected a file", path);
	if (!S_ISREG(st.st_mode))
		return 0;
	file = final_path(path);
	folder = path_folder(file);
	r = access(folder, W_OK | X_OK);
	if (r)
		err_system(e, "%s", path);
	free(folder);
	free(file);
	return r;
}

static bool
same_folder(const char *a, const char *b)
{
	char *x = path_folder(a), *y = path_folder(b);
	struct stat s, t;
	const bool same = !stat(x, &s) && !stat(y, &t) && s.st_dev == t.st_dev &&
			  s.st_ino == t.st_ino;

	free(x);
	free(y);
	return same;
}

bool
output_same(const char *a, const char *b)
{
	struct stat s, t;
	const bool have_a = !stat(a, &s), have_b = !stat(b, &t);

	if (!strcmp(a, "-") || !strcmp(b, "-") || have_a != have_b)
		return false;
	if (have_a)
		return S_ISREG(s.st_mode) && s.st_dev == t.st_dev && s.st_ino == t.st_ino;
	return !strcmp(path_name(a), path_name(b)) && same_folder(a, b);
}

static int
open_temporary(struct output *o, const char *path, struct err *e)
{
	struct stat s;
	const bool exists = !stat(path, &s);
	const mode_t mode = exists ? s.st_mode & 0777 : 0666;

	o->path = final_path(path);
	o->temporary = stray_name(o->path);
	strays_remove(o->path);
	/* Before the file exists: a signal may come at once. */
	temporary_remember(o->temporary);
	o->fd = lock_open(o->temporary, O_WRONLY | O_CREAT | O_EXCL, mode, LOCK_WAIT);
	if (o->fd >= 0) {
		/* The new file gets the old one's mode; without the umask, if this succeeds. */
		if (exists)
			fchmod(o->fd, mode);
		return 0;
	}
	err_system(e, "cannot write %s", path);
	temporary_forget(o->temporary);
	return -1;
}

static void
output_free(struct output *o)
{
	free(o->name);
	free(o->path);
	free(o->temporary);
	free(o->buffer);
	free(o);
}

static int
open_any(struct output *o, const char *path, unsigned flags, struct err *e)
{
	if (path && strcmp(path, "-")) {
		o->name = xstrdup(path);
		if (!in_place(path))
			return open_temporary(o, path, e);
		o->fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
		return o->fd < 0 ? err_system(e, "cannot write %s", path) : 0;
	}
	o->name = xstrdup("standard output");
	o->fd = STDOUT_FILENO;
	if ((flags & (OUTPUT_BINARY | OUTPUT_FORCE)) == OUTPUT_BINARY && isatty(o->fd)) {
		err_set(e, EXIT_USAGE, "output is binary and standard output is a terminal");
		err_hint(e, "redirect the output, use -o, or force it with --force");
		return -1;
	}
	return 0;
}

struct output *
output_open(const char *path, unsigned flags, struct err *e)
{
	struct output *o = xcalloc(1, sizeof(*o));

	o->buffer = xmalloc(BUFFER);
	if (!open_any(o, path, flags, e))
		return o;
	output_free(o);
	return NULL;
}

static int
output_write_all(struct output *o, const char *p, size_t n, struct err *e)
{
	while (n) {
		ssize_t k = write(o->fd, p, n);

		if (k < 0 && errno == EINTR)
			continue;
		if (k < 0)
			return err_system(e, "cannot write %s", o->name);
		p += k;
		n -= (size_t)k;
	}
	return 0;
}

int
output_flush(struct output *o, struct err *e)
{
	size_t n = o->n;

	o->n = 0;
	return output_write_all(o, o->buffer, n, e);
}

int
output_write(struct output *o, const void *p, size_t n, struct err *e)
{
	o->bytes += n;
	if (n > BUFFER - o->n) {
		if (output_flush(o, e))
			return -1;
		if (n >= BUFFER)
			return output_write_all(o, p, n, e);
	}
	if (n)
		memcpy(o->buffer + o->n, p, n);
	o->n += n;
	return 0;
}

int
output_printf(struct output *o, struct err *e, const char *fmt, ...)
{
	char small[512], *large;
	va_list ap;
	int n, bad;

	va_start(ap, fmt);
	n = vsnprintf(small, sizeof(small), fmt, ap);
	va_end(ap);
	if (n < 0)
		return err_system(e, "cannot format output");
	if ((size_t)n < sizeof(small))
		return output_write(o, small, (size_t)n, e);
	large = xmalloc((size_t)n + 1);
	va_start(ap, fmt);
	vsnprintf(large, (size_t)n + 1, fmt, ap);
	va_end(ap);
	bad = output_write(o, large, (size_t)n, e);
	free(large);
	return bad;
}

uint64_t
output_bytes(const struct output *o)
{
	return o->bytes;
}

/* The rename is permanent only when the folder is on disk, too. */
static int
sync_folder(const char *path, struct err *e)
{
	const char *slash = strrchr(path, '/');
	char *folder = slash ? xstrndup(path, slash == path ? 1 : (size_t)(slash - path)) :
		       xstrdup(".");
	int fd = open(folder, O_RDONLY | O_CLOEXEC), bad = 0;

	if (fd < 0 || (fsync(fd) && errno != EINVAL))
		bad = err_system(e, "cannot sync folder %s", folder);
	if (fd >= 0)
		close(fd);
	free(folder);
	return bad;
}

/* Flushes the buffer, and writes a file to disk. */
static int
settle(struct output *o, struct err *e)
{
	if (output_flush(o, e))
		return -1;
	return o->temporary && fsync(o->fd) ? err_system(e, "cannot sync %s", o->name) : 0;
}

/* close() comes last because it releases the lock, and other processes remove unlocked files. */
static int
output_publish(struct output *o, struct err *e)
{
	int fd = o->fd;

	if (rename(o->temporary, o->path))
		return err_system(e, "cannot rename %s", o->temporary);
	temporary_forget(o->temporary);
	free(o->temporary);
	o->temporary = NULL;
	o->fd = -1;
	if (close(fd))
		return err_system(e, "cannot close %s", o->name);
	return sync_folder(o->path, e);
}

int
output_finish(struct output *o, struct err *e)
{
	int bad = settle(o, e);

	if (!bad && o->temporary)
		bad = output_publish(o, e);
	else if (!bad && o->fd != STDOUT_FILENO) {
		if (close(o->fd))
			bad = err_system(e, "cannot close %s", o->name);
		o->fd = -1;
	}
	if (bad)
		output_abandon(o);
	else
		output_free(o);
	return bad;
}

int
outputs_settle(struct output *const *o, size_t n, struct err *e)
{
	for (size_t i = 0; i < n; i++)
		if (settle(o[i], e))
			return -1;
	return 0;
}

int
outputs_finish(struct output **o, size_t n, struct err *e)
{
	int bad = outputs_settle(o, n, e);

	for (size_t i = 0; i < n; i++) {
		if (bad)
			output_abandon(o[i]);
		else
			bad = output_finish(o[i], e);
		o[i] = NULL;
	}
	return bad;
}

void
output_abandon(struct output *o)
{
	if (!o)
		return;
	if (o->temporary) {
		unlink(o->temporary);
		temporary_forget(o->temporary);
	}
	if (o->fd >= 0 && o->fd != STDOUT_FILENO)
		close(o->fd);
	output_free(o);
}

int
output_end(struct output *o, int bad, struct err *e)
{
	if (!bad)
		return output_finish(o, e);
	output_abandon(o);
	return -1;
}

int
output_all(const char *path, unsigned flags, const void *p, size_t n, struct err *e)
{
	struct output *o = output_open(path, flags, e);

	return o ? output_end(o, n && output_write(o, p, n, e), e) : -1;
}

int
output_text(const char *path, struct buf *text, struct err *e)
{
	const int bad = output_all(path, 0, text->data, text->n, e);

	buf_release(text);
	return bad;
}
