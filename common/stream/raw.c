/* raw: see raw.h. */
#include "stream/raw.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

int
raw_open(struct raw *r, const char *path)
{
	*r = (struct raw){ .fd = STDIN_FILENO };
	if (!path || !strcmp(path, "-"))
		return 0;
	r->fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	r->own = true;
	return r->fd < 0 ? -1 : 0;
}

void
raw_memory(struct raw *r, const void *p, size_t n)
{
	*r = (struct raw){ .fd = -1, .p = p, .n = n };
}

void
raw_function(struct raw *r, raw_reader *read, void *arg)
{
	*r = (struct raw){ .fd = -1, .read = read, .arg = arg };
}

void
raw_close(struct raw *r)
{
	if (r->own && r->fd >= 0)
		close(r->fd);
	r->fd = -1;
}

static ptrdiff_t
take_memory(struct raw *r, void *p, size_t n)
{
	if (n > r->n)
		n = r->n;
	if (n)
		memcpy(p, r->p, n);
	r->p += n;
	r->n -= n;
	return (ptrdiff_t)n;
}

static ptrdiff_t
raw_take(struct raw *r, void *p, size_t n)
{
	ssize_t k;

	if (r->read)
		return r->read(r->arg, p, n, &r->error);
	if (r->fd < 0)
		return r->p ? take_memory(r, p, n) : 0;
	do
		k = read(r->fd, p, n);
	while (k < 0 && errno == EINTR);
	if (k < 0)
		r->error = errno;
	return k;
}

ptrdiff_t
raw_read(struct raw *r, void *p, size_t n)
{
	size_t k = r->head_n - r->head_at;

	if (!k)
		return raw_take(r, p, n);
	if (k > n)
		k = n;
	memcpy(p, r->head + r->head_at, k);
	r->head_at += k;
	return (ptrdiff_t)k;
}

ptrdiff_t
raw_ahead(struct raw *r)
{
	ptrdiff_t k;

	if (r->head_n == RAW_AHEAD)
		return 0;
	k = raw_take(r, r->head + r->head_n, RAW_AHEAD - r->head_n);
	if (k > 0)
		r->head_n += (size_t)k;
	return k;
}
