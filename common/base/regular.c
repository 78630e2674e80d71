/* regular: see regular.h. */
#include "base/regular.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"

/* The flag keeps open(2) from waiting for the writer of a FIFO; the file is not read with it. */
static int
wait_again(int fd)
{
	const int flags = fcntl(fd, F_GETFL);

	return flags < 0 ? -1 : fcntl(fd, F_SETFL, flags & ~O_NONBLOCK);
}

int
regular_open(const char *path, struct err *e)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	struct stat st;

	/* A socket, or a device without hardware. */
	if (fd < 0 && errno == ENXIO)
		return err_set(e, EXIT_INPUT, "%s: expected a regular file", path);
	if (fd < 0)
		return err_system(e, "cannot open %s", path);
	if (fstat(fd, &st) || (S_ISREG(st.st_mode) && wait_again(fd)))
		err_system(e, "cannot read %s", path);
	else if (!S_ISREG(st.st_mode))
		err_set(e, EXIT_INPUT, "%s: expected a regular file", path);
	else
		return fd;
	close(fd);
	return -1;
}

int
regular_check(const char *path, struct err *e)
{
	const int fd = regular_open(path, e);

	if (fd < 0)
		return -1;
	close(fd);
	return 0;
}

int
regular_cksum(const char *path, uint32_t *crc, uint64_t *size, struct err *e)
{
	const int fd = regular_open(path, e);
	char part[8192];
	ssize_t n;

	if (fd < 0)
		return -1;
	*crc = 0;
	*size = 0;
	while ((n = read(fd, part, sizeof(part))) > 0) {
		*crc = cksum_add(*crc, part, (size_t)n);
		*size += (uint64_t)n;
	}
	*crc = cksum_end(*crc, *size);
	if (n)
		err_system(e, "cannot read %s", path);
	close(fd);
	return n ? -1 : 0;
}
