/* temporary: see temporary.h. */
#include "base/temporary.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Files beyond this number are not registered: a signal leaves them in place. */
enum { MAX_FILES = 256 };

static _Atomic(const char *) remembered[MAX_FILES];

/* Catchable signals that end a process from outside or when it exceeds a limit. */
static const int fatal[] = {
	SIGINT, SIGHUP, SIGTERM, SIGPIPE, SIGQUIT, SIGXFSZ, SIGXCPU, SIGALRM, SIGUSR1, SIGUSR2
};

void
temporary_remove(void)
{
	for (int i = 0; i < MAX_FILES; i++) {
		const char *path = atomic_load(&remembered[i]);

		if (path)
			unlink(path);
	}
}

/* Async-signal-safe: calls only unlink(), signal() and raise(). */
static void
temporary_end(int number)
{
	temporary_remove();
	signal(number, SIG_DFL);
	raise(number);
}

static void
catch_fatal(void)
{
	struct sigaction a, before;

	memset(&a, 0, sizeof(a));
	sigemptyset(&a.sa_mask);
	a.sa_handler = temporary_end;
	for (size_t i = 0; i < sizeof(fatal) / sizeof(*fatal); i++)
		if (!sigaction(fatal[i], NULL, &before) && before.sa_handler == SIG_DFL)
			sigaction(fatal[i], &a, NULL);
	atexit(temporary_remove);
}

void
temporary_remember(const char *path)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, catch_fatal);
	for (int i = 0; i < MAX_FILES; i++) {
		const char *none = NULL;

		if (atomic_compare_exchange_strong(&remembered[i], &none, path))
			return;
	}
}

void
temporary_forget(const char *path)
{
	for (int i = 0; i < MAX_FILES; i++) {
		const char *p = path;

		if (atomic_compare_exchange_strong(&remembered[i], &p, NULL))
			return;
	}
}
