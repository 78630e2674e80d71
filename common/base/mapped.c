/* mapped: see mapped.h. */
#include "base/mapped.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/escape.h"
#include "base/temporary.h"

/* Files beyond this number are not watched: SIGBUS then ends the process. */
enum { MAX_MAPS = 256 };

static struct watched {
	_Atomic(const char *) from;	/* NULL: not in use */
	size_t n;
	char *message;			/* the signal handler cannot format one */
} watched[MAX_MAPS];

/* For a change of the table; the handler only reads it. */
static pthread_mutex_t changing = PTHREAD_MUTEX_INITIALIZER;

/* Async-signal-safe. */
static void
explain(int number, siginfo_t *info, void *context)
{
	const uintptr_t at = (uintptr_t)info->si_addr;
	ssize_t written;

	(void)context;
	for (int i = 0; i < MAX_MAPS; i++) {
		const struct watched *w = &watched[i];
		const char *from = atomic_load(&w->from);

		if (!from || at < (uintptr_t)from || at - (uintptr_t)from >= w->n)
			continue;
		temporary_remove();
		written = write(STDERR_FILENO, w->message, strlen(w->message));
		(void)written;
		_exit(EXIT_SYSTEM);
	}
	signal(number, SIG_DFL);
	raise(number);
}

static void
catch_bus(void)
{
	struct sigaction a;

	memset(&a, 0, sizeof(a));
	sigemptyset(&a.sa_mask);
	a.sa_flags = SA_SIGINFO;
	a.sa_sigaction = explain;
	sigaction(SIGBUS, &a, NULL);
}

static char *
message_of(const char *name)
{
	char *text = NULL;
	size_t n;
	FILE *f = open_memstream(&text, &n);

	if (!f)
		return NULL;
	fprintf(f, "%s: cannot read ", err_program_name());
	escape_put(f, name, "");
	fputs(": the file was truncated, or its disk failed\n", f);
	if (!fclose(f))
		return text;
	free(text);
	return NULL;
}

static void
watch(const char *p, size_t n, char *message)
{
	pthread_mutex_lock(&changing);
	for (int i = 0; message && i < MAX_MAPS; i++) {
		struct watched *w = &watched[i];

		if (atomic_load(&w->from))
			continue;
		w->n = n;
		w->message = message;
		message = NULL;
		atomic_store(&w->from, p);
	}
	pthread_mutex_unlock(&changing);
	free(message);
}

void *
mapped_open(int fd, size_t n, const char *name, struct err *e)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	void *p = mmap(NULL, n, PROT_READ, MAP_PRIVATE, fd, 0);

	if (p == MAP_FAILED) {
		err_system(e, "cannot read %s", name);
		return NULL;
	}
	pthread_once(&once, catch_bus);
	watch(p, n, message_of(name));
	return p;
}

void
mapped_close(void *p, size_t n)
{
	pthread_mutex_lock(&changing);
	for (int i = 0; i < MAX_MAPS; i++) {
		struct watched *w = &watched[i];
		const char *from = p;

		if (atomic_compare_exchange_strong(&w->from, &from, NULL)) {
			free(w->message);
			w->message = NULL;
			break;
		}
	}
	pthread_mutex_unlock(&changing);
	munmap(p, n);
}

void
mapped_done(void *p, size_t from, size_t to)
{
#ifdef MADV_DONTNEED
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	const size_t first = (from + page - 1) / page * page, end = to / page * page;

	if (first < end)
		(void)madvise((char *)p + first, end - first, MADV_DONTNEED);
#endif
}
